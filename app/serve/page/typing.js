// A puzzle without a photo: typed on an empty board, or pasted as text.

import { post } from "./api.js";
import { EMPTY_GRID, boardFrom, facesOf, widthOf } from "./board.js";
import { drawShapes, makeElement } from "./drawing.js";
import { paintBoard, paintRules, PRINTED } from "./painting.js";
import { flatLattice } from "./perspective.js";
import { statusOfFailure } from "./status.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const THUMB_PX = 240;
const THUMB_ROOM_PX = 12; // around it
const SAMURAI_PLACES = [225, 441]; // of their square papers

// {clues} of a text of 81 cells, in a line or in rows, or {count} of those that it has. Empty cells
// are points, zeros, stars or underscores; lines between boxes, spaces and commas say nothing.
export function cluesOf(text) {
  const signs = text.replace(/[0*_]/g, ".").replace(/[^1-9.]/g, "");
  return signs.length === 81 ? { clues: signs } : { count: signs.length };
}

// Whether a text is a link or an object, whose signs are no cells.
export const tellsRules = (text) => /^\s*(\{|\S+:\/\/|www\.|[\w.-]+\.[a-z]{2,6}\/)/i.test(text);

// {clues, kind, regions, cages} of a text in any format, as far as the computer can read it, or
// {error} to be shown.
export async function readPuzzle(text) {
  const isTold = tellsRules(text);
  const { clues, count } = isTold ? {} : cluesOf(text);
  if (clues) return { clues };
  try {
    // Only a samurai has places that are no cells.
    const places = text.replace(/[^-1-9.0*_]/g, "").replace(/[0*_]/g, ".");
    const isSamurai = !isTold && SAMURAI_PLACES.includes(places.length) && places.includes("-");
    const puzzle = await post("/api/imports", { text: isSamurai ? JSON.stringify({ kind: "samurai", clues: places }) : text });
    if (puzzle.clues) return puzzle;
    // Why is known in English alone.
    const { error } = puzzle;
    return { error: isTold ? `${t("typedRefused")} ${error[0].toUpperCase()}${error.slice(1)}.` : t("typedWrong", { number: count }) };
  } catch (error) {
    return { error: statusOfFailure(error).headline };
  }
}

// The board of a typed puzzle, to be solved; an empty one has nothing to solve yet.
export function typedBoard(puzzle) {
  const byHand = [...puzzle.clues].flatMap((sign, cell) => (sign === "." || sign === "-" ? [] : [cell]));
  const board = boardFrom({ outcome: "ambiguous", ...puzzle });
  return { ...board, byHand, isPending: byHand.length > 0 || board.cages !== null };
}

// A small picture of a board that has no photo.
export function typedThumbnail(board) {
  const canvas = makeElement("canvas", { width: THUMB_PX, height: THUMB_PX });
  const context = canvas.getContext("2d", { alpha: false });
  context.fillStyle = PRINTED.paper;
  context.fillRect(0, 0, THUMB_PX, THUMB_PX);
  context.translate(THUMB_ROOM_PX, THUMB_ROOM_PX);
  const lattice = flatLattice(widthOf(board), THUMB_PX - 2 * THUMB_ROOM_PX);
  for (const shapes of [paintRules(board, lattice, PRINTED), paintBoard(facesOf(board, new Set()), lattice, PRINTED)]) {
    drawShapes(context, shapes);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// The dialog that takes a text; returns how to open it. `opened(puzzle)` gets {clues, …};
// `covered(close)` and `uncovered(close)` hear what lies on top.
export function makeTyping({ opened, covered, uncovered }) {
  const dialog = $("typing");
  const close = () => dialog.close();

  function open(puzzle) {
    close();
    opened(puzzle);
  }

  $("typing-close").addEventListener("click", close);
  dialog.addEventListener("close", () => uncovered(close));
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  $("typed").addEventListener("input", () => say(""));
  $("type-empty").addEventListener("click", () => open({ clues: EMPTY_GRID }));
  $("type-open").addEventListener("click", async () => {
    const text = $("typed").value;
    const puzzle = await readPuzzle(text);
    if (!dialog.open || text !== $("typed").value) return; // it is no longer wanted
    if (puzzle.clues) open(puzzle);
    else say(puzzle.error);
  });

  function begin() {
    $("typed").value = "";
    say("");
    dialog.showModal();
    covered(close);
  }

  function say(text) {
    $("typed-wrong").textContent = text;
    $("typed").setAttribute("aria-invalid", String(Boolean(text)));
  }

  return begin;
}
