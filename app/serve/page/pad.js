// The pad under the thumb: what stands in the chosen cell.

import { digitAt, sideOf, symbolOf, widthOf } from "./board.js";
import { makeElement, makeSvg } from "./drawing.js";
import { GLYPHS } from "./glyphs.js";
import { cellName, listed, t } from "./words.js";

const $ = (id) => document.getElementById(id);

export function makePad(puzzle, { done }) {
  const keys = makeDigits($("digits"), (digit) => {
    if (puzzle.selected !== null) puzzle.setDigit(puzzle.selected, digit);
  });
  $("undo").addEventListener("click", () => puzzle.undo());
  $("redo").addEventListener("click", () => puzzle.redo());
  $("hand").addEventListener("click", () => puzzle.selected !== null && puzzle.changeHand(puzzle.selected));
  $("reveal").addEventListener("click", () => {
    if (puzzle.selected === null) return;
    puzzle.revealCell(puzzle.selected);
    done();
  });

  return {
    focus: () => keys.buttons[0].focus({ preventScroll: true }),
    render() {
      const { board, selected } = puzzle;
      if (!board || selected === null) return;
      const clue = digitAt(board.clues, selected);
      const entry = digitAt(board.entries, selected);
      const value = clue || entry;
      $("pad-title").textContent = t("padHint");
      $("pad-title").setAttribute("aria-label", t("pad", { cell: cellName(selected, widthOf(board)) }));
      $("pad-read").textContent = said(board, selected);
      keys.fit(board);
      for (const button of keys.buttons) {
        const digit = Number(button.dataset.digit);
        button.setAttribute("aria-pressed", String(digit === value));
        button.setAttribute("aria-label", digit ? t("digit", { digit: symbolOf(board, digit) }) : t("erase"));
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
  const name = cellName(cell, widthOf(board));
  if (!unsure || board.byHand.includes(cell)) return name;
  const digits = unsure.digits.map((digit) => (digit ? symbolOf(board, digit) : t("empty")));
  return `${name}: ${listed(digits, "or")}?`;
}

// Keys of a board's digits and of none, 0, inside an element; `pressed(digit)` hears them.
export function makeDigits(root, pressed) {
  let buttons = [];
  let symbols = [];
  fit(null);

  function fit(board) {
    const wanted = [...Array(sideOf(board)).keys()].map((at) => symbolOf(board, at + 1));
    if (wanted.join() === symbols.join()) return;
    symbols = wanted;
    buttons = [...symbols.map((_, at) => makeKey(at + 1)), makeKey(0)];
    root.replaceChildren(...buttons);
    root.style.setProperty("--keys", buttons.length > 10 ? 6 : 5); // in a row
  }

  function makeKey(digit) {
    const inside = digit ? glyph(symbols[digit - 1]) : icon("i-erase");
    const button = makeElement("button", { type: "button", "data-digit": digit }, inside);
    button.addEventListener("click", () => pressed(digit));
    return button;
  }

  return {
    fit,
    get buttons() {
      return buttons;
    },
  };
}

function glyph(symbol) {
  const figures = [...symbol];
  const wide = 1040 + 760 * (figures.length - 1);
  const drawing = makeSvg("svg", { viewBox: `-520 -620 ${wide} 1240`, class: "glyph", "aria-hidden": "true" });
  figures.forEach((figure, at) =>
    drawing.append(makeSvg("path", { d: GLYPHS[figure], transform: `translate(${760 * at} 0)` })),
  );
  return drawing;
}

export function icon(name) {
  const drawing = makeSvg("svg", { "aria-hidden": "true" });
  drawing.append(makeSvg("use", { href: `#${name}` }));
  return drawing;
}
