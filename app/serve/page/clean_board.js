// The puzzle as a clean board: nine rows of nine cells that can be tapped, read by screen readers
// and walked through by the arrow keys, over the same painting as on the photo.

import { makeSvg, showShapes } from "./drawing.js";
import { cellOutline, paintBoard, paintLines } from "./painting.js";
import { flatLattice } from "./perspective.js";
import { t } from "./words.js";

const SIDE = 60; // of a cell, in units of the drawing
const LATTICE = flatLattice(SIDE);
const ROOM = 2; // around the board, for its bold border

// Makes the board inside an element. `heard` has {cell(cell), focus(cell)}.
export function makeCleanBoard(root, heard) {
  const edge = 9 * SIDE + 2 * ROOM;
  const drawing = makeSvg("svg", { viewBox: `${-ROOM} ${-ROOM} ${edge} ${edge}`, "aria-hidden": "true" });
  const [tints, lines, digits, selection] = ["tints", "lines", "digits", "selection"].map((name) =>
    makeSvg("g", { class: name }),
  );
  drawing.append(tints, lines, digits, selection);
  const grid = document.createElement("div");
  grid.className = "grid";
  grid.setAttribute("role", "grid");
  grid.dataset.tLabel = "grid";
  const cells = [];
  for (let row = 0; row < 9; row += 1) {
    const line = document.createElement("div");
    line.setAttribute("role", "row");
    for (let column = 0; column < 9; column += 1) line.append(makeCell(cells));
    grid.append(line);
  }
  root.append(drawing, grid);

  function makeCell(all) {
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    cell.dataset.cell = all.length;
    cell.tabIndex = all.length ? -1 : 0;
    all.push(cell);
    return cell;
  }

  grid.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (cell) heard.cell(Number(cell.dataset.cell));
  });
  grid.addEventListener("focusin", (event) => {
    // Only a keyboard chooses by focus alone; a tap tells itself.
    if (event.target.matches(":focus-visible")) heard.focus(Number(event.target.dataset.cell));
  });

  return {
    draw(faces, colours, over, { regions, fresh, selected, marks }) {
      const shapes = paintBoard(faces, LATTICE, colours, over);
      showShapes(tints, shapes.tints);
      showShapes(digits, shapes.inks, fresh);
      showShapes(
        lines,
        paintLines(LATTICE, regions, { colour: colours.thin, width: 1 }, { colour: colours.bold, width: 2.4 }),
      );
      selection.replaceChildren(
        ...(selected === null ? [] : [makeSvg("path", { d: cellOutline(LATTICE, selected), class: "ring" })]),
      );
      faces.forEach((face, cell) => describe(cells[cell], cell, face, over.digits?.[cell], marks[cell], selected === cell));
      if (selected !== null) for (const [number, cell] of cells.entries()) cell.tabIndex = number === selected ? 0 : -1;
    },
    focus: (cell) => cells[cell].focus({ preventScroll: true }),
  };
}

function describe(element, cell, face, put, mark, isSelected) {
  const name = t("cellLong", { row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 });
  const shown = put || face.solution;
  let text = t("cellEmpty", { cell: name });
  if (shown) text = t("cellSolved", { cell: name, digit: shown });
  if (face.entry) text = t("cellWritten", { cell: name, digit: face.entry });
  if (face.clue) text = t("cellPrinted", { cell: name, digit: face.clue });
  const notes = [...(face.corner ?? []), ...(face.centre ?? [])];
  const own = [notes.length && t("cellNotes", { digits: notes.join(" ") }), face.colour && t("cellColour", { number: face.colour })];
  const doubt = { unsure: "cellUnsure", overruled: "cellOverruled", conflict: "cellConflict" }[face.doubt];
  const judged = { good: "cellRight", bad: "cellWrong", unsure: "cellUnsure" }[mark];
  element.setAttribute("aria-label", [text, ...own, doubt && t(doubt), judged && t(judged)].filter(Boolean).join(", "));
  element.setAttribute("aria-selected", String(isSelected));
}
