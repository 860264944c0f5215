// The pad under the thumb: what stands in the chosen cell.

import { digitAt } from "./board.js";
import { makeSvg } from "./drawing.js";
import { GLYPHS } from "./glyphs.js";
import { cellName, listed, t } from "./words.js";

const $ = (id) => document.getElementById(id);

export function makePad(puzzle, { done }) {
  const buttons = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.digit = digit;
    button.append(digit ? glyph(digit) : icon("i-erase"));
    button.addEventListener("click", () => {
      if (puzzle.selected !== null) puzzle.setDigit(puzzle.selected, digit);
    });
    return button;
  });
  $("digits").append(...buttons);
  $("undo").addEventListener("click", () => puzzle.undo());
  $("redo").addEventListener("click", () => puzzle.redo());
  $("hand").addEventListener("click", () => puzzle.selected !== null && puzzle.changeHand(puzzle.selected));
  $("reveal").addEventListener("click", () => {
    if (puzzle.selected === null) return;
    puzzle.revealCell(puzzle.selected);
    done();
  });

  return {
    focus: () => buttons[0].focus({ preventScroll: true }),
    render() {
      const { board, selected } = puzzle;
      if (!board || selected === null) return;
      const clue = digitAt(board.clues, selected);
      const entry = digitAt(board.entries, selected);
      const value = clue || entry;
      $("pad-title").textContent = t("padHint");
      $("pad-title").setAttribute("aria-label", t("pad", { cell: cellName(selected) }));
      $("pad-read").textContent = said(board, selected);
      for (const button of buttons) {
        const digit = Number(button.dataset.digit);
        button.setAttribute("aria-pressed", String(digit === value));
        button.setAttribute("aria-label", digit ? t("digit", { digit }) : t("erase"));
      }
      $("undo").disabled = !puzzle.canUndo;
      $("redo").disabled = !puzzle.canRedo;
      $("reveal").disabled = board.solution === null || value > 0;
      $("reveal").setAttribute("aria-pressed", String(puzzle.shown.has(selected)));
      $("hand").disabled = !value;
      $("hand-text").textContent = t(entry ? "isPrinted" : "isWritten");
    },
  };
}

// The cell's name, and what may stand there where it was not read for sure.
function said(board, cell) {
  const unsure = board.unsure.find((one) => one.cell === cell);
  if (!unsure || board.byHand.includes(cell)) return cellName(cell);
  const digits = unsure.digits.map((digit) => (digit ? String(digit) : t("empty")));
  return `${cellName(cell)}: ${listed(digits, "or")}?`;
}

export function glyph(digit) {
  const drawing = makeSvg("svg", { viewBox: "-520 -620 1040 1240", class: "glyph", "aria-hidden": "true" });
  drawing.append(makeSvg("path", { d: GLYPHS[digit] }));
  return drawing;
}

export function icon(name) {
  const drawing = makeSvg("svg", { "aria-hidden": "true" });
  drawing.append(makeSvg("use", { href: `#${name}` }));
  return drawing;
}
