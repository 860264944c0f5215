// The puzzle as a clean board: rows of cells that can be tapped, read by screen readers
// and walked through by the arrow keys, over the same painting as on the photo.

import { facesOf, symbolOf, widthOf } from "./board.js";
import { makeElement, makeSvg, showShapes } from "./drawing.js";
import { HOLD_MS, isMore } from "./gestures.js";
import { cellOutline, paintBoard, paintRules, PRINTED } from "./painting.js";
import { flatLattice } from "./perspective.js";
import { t } from "./words.js";

const LENGTH = 540; // of the board, in units of the drawing
const ROOM = 2; // around the board, for its bold border
const AROUND_PART = 0.5; // of a part that is looked at, in cells

// Makes the board inside an element. `heard` has {cell(cell, isMore), focus(cell), hold(cell, isFirst)};
// a hold that is taken, by returning true, goes on over the next cells.
export function makeCleanBoard(root, heard) {
  const edge = LENGTH + 2 * ROOM;
  const drawing = makeSvg("svg", { viewBox: `${-ROOM} ${-ROOM} ${edge} ${edge}`, "aria-hidden": "true" });
  const [tints, lines, digits, selection] = ["tints", "lines", "digits", "selection"].map((name) =>
    makeSvg("g", { class: name }),
  );
  drawing.append(tints, lines, digits, selection);
  const grid = makeElement("div", { className: "grid", role: "grid", "aria-multiselectable": "true", "data-t-label": "grid" });
  const whole = makeElement("div", { className: "whole" }, drawing, grid);
  let cells = [];
  let lattice = [];
  let holes = null; // of the board that the cells are made for
  build(9, []);
  root.append(makeElement("div", { className: "clean-sheet" }, whole)); // which shows all of the board, or a part

  function build(side, noCells) {
    if (lattice.length === side + 1 && noCells.join() === holes) return;
    holes = noCells.join();
    lattice = flatLattice(side, LENGTH);
    cells = [];
    grid.style.setProperty("--side", side);
    const rows = Array.from({ length: side }, () => {
      const line = makeElement("div", { role: "row" });
      for (let column = 0; column < side; column += 1) line.append(makeCell(cells));
      return line;
    });
    for (const hole of noCells) {
      cells[hole].removeAttribute("role");
      cells[hole].removeAttribute("tabindex");
      delete cells[hole].dataset.cell;
    }
    const first = cells.find((cell) => cell.dataset.cell);
    if (first) first.tabIndex = 0;
    grid.replaceChildren(...rows);
  }

  // Shows a part of 9×9 with a little of what is around it, or with null all of the board.
  function lookAt(part, width) {
    const seen = 9 + 2 * AROUND_PART;
    const move = (first) => (-100 * (first - AROUND_PART)) / width;
    whole.style.transform = part ? `scale(${width / seen}) translate(${move(part[1])}%, ${move(part[0])}%)` : "";
  }

  function makeCell(all) {
    const cell = makeElement("div", { role: "gridcell", "data-cell": all.length, tabIndex: -1 });
    all.push(cell);
    return cell;
  }

  function nameOf(cell) {
    const side = lattice.length - 1;
    return t("cellLong", { row: Math.floor(cell / side) + 1, column: (cell % side) + 1 });
  }

  grid.addEventListener("click", (event) => {
    const cell = cellOf(event.target);
    if (cell !== null && !wasHeld) heard.cell(cell, isMore(event));
    wasHeld = false;
  });

  const cellOf = (element) => {
    const found = element?.closest?.(".grid [data-cell]");
    return found ? Number(found.dataset.cell) : null;
  };
  let held = null; // {cell, id, isBegun}, where a press may go on over other cells
  let holding = 0;
  let wasHeld = false; // so that the click that ends it chooses nothing
  grid.addEventListener("pointerdown", (event) => {
    const cell = cellOf(event.target);
    wasHeld = false;
    if (cell === null || event.button > 0 || !event.isPrimary) return;
    held = { cell, id: event.pointerId, isBegun: false };
    clearTimeout(holding);
    // Whoever holds wants it beside what is chosen; who draws at once begins anew.
    holding = setTimeout(() => held?.cell === cell && begin(cell, true), HOLD_MS);
  });
  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held?.id) return;
    for (const { clientX, clientY } of event.getCoalescedEvents?.() ?? [event]) {
      const cell = cellOf(document.elementFromPoint(clientX, clientY));
      if (held === null || cell === null || cell === held.cell) continue;
      if (!held.isBegun && !begin(held.cell, isMore(event))) return;
      held.cell = cell;
      heard.hold(cell, false);
    }
  });
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => {
      clearTimeout(holding);
      held = null;
    });
  }

  function begin(cell, isMore) {
    if (!heard.hold(cell, !isMore)) return void (held = null);
    held.isBegun = true;
    wasHeld = true;
    return true;
  }
  grid.addEventListener("focusin", (event) => {
    // Only a keyboard chooses by focus alone; a tap tells itself.
    if (event.target.matches(":focus-visible")) heard.focus(Number(event.target.dataset.cell));
  });

  return {
    draw(board, faces, colours, over, { fresh, selected, chosen, marks, part }) {
      const width = Math.round(Math.sqrt(faces.length));
      build(width, faces.flatMap((face, cell) => (face.isHole ? [cell] : [])));
      lookAt(part, width);
      const [rules, shapes] = [paintRules(board, lattice, colours), paintBoard(faces, lattice, colours, over)];
      showShapes(tints, [...rules.tints, ...shapes.tints]);
      showShapes(digits, shapes.inks, fresh);
      showShapes(lines, rules.inks);
      selection.replaceChildren(
        ...chosen.map((cell) => makeSvg("path", { d: cellOutline(lattice, cell), class: "ring" })),
      );
      faces.forEach((face, cell) => face.isHole || describe(cells[cell], nameOf(cell), face, over.digits?.[cell], marks[cell], chosen.includes(cell)));
      if (selected !== null) for (const [number, cell] of cells.entries()) if (cell.dataset.cell) cell.tabIndex = number === selected ? 0 : -1;
    },
    focus: (cell) => cells[cell].focus({ preventScroll: true }),
  };
}

function describe(element, name, face, put, mark, isSelected) {
  const shown = put || face.solution;
  const inPrint = (digit) => symbolOf(face, digit);
  let text = t("cellEmpty", { cell: name });
  if (shown) text = t("cellSolved", { cell: name, digit: inPrint(shown) });
  if (face.entry) text = t("cellWritten", { cell: name, digit: inPrint(face.entry) });
  if (face.clue) text = t("cellPrinted", { cell: name, digit: inPrint(face.clue) });
  const notes = [...(face.corner ?? []), ...(face.centre ?? [])].map(inPrint);
  const own = [notes.length && t("cellNotes", { digits: notes.join(" ") }), face.colour && t("cellColour", { number: face.colour })];
  if (face.cageSum) own.push(t("cellSum", { sum: face.cageSum }));
  const doubt = { unsure: "cellUnsure", overruled: "cellOverruled", conflict: "cellConflict" }[face.doubt];
  const judged = { good: "cellRight", bad: "cellWrong", unsure: "cellUnsure" }[mark];
  element.setAttribute("aria-label", [text, ...own, doubt && t(doubt), judged && t(judged)].filter(Boolean).join(", "));
  element.setAttribute("aria-selected", String(isSelected));
}

// The puzzle on a sheet of paper, as newspapers print it: its clues and its rules, and nothing else.

const PRINT_LENGTH = 900; // of the board, in units of the drawing
const PRINT_ROOM = 4;
const PRINT_BOLD = 4.5; // of lines between regions

// The pictures that are printed: that of the chosen board, or none.
export function printedBoards({ board }) {
  if (!board) return [];
  const blank = { ...board, entries: ".".repeat(board.clues.length), marks: null };
  const faces = facesOf(blank, new Set()).map((face) => ({ ...face, doubt: null }));
  const lattice = flatLattice(widthOf(board), PRINT_LENGTH);
  const [rules, shapes] = [paintRules(board, lattice, PRINTED, PRINT_BOLD), paintBoard(faces, lattice, PRINTED)];
  const edge = PRINT_LENGTH + 2 * PRINT_ROOM;
  const drawing = makeSvg("svg", { viewBox: `${-PRINT_ROOM} ${-PRINT_ROOM} ${edge} ${edge}` });
  showShapes(drawing, [...rules.tints, ...rules.inks, ...shapes.inks]);
  return [drawing];
}
