// The puzzle on a sheet of paper, as newspapers print it: its clues and its rules, and nothing else.

import { facesOf, widthOf } from "./board.js";
import { PRINTED } from "./colours.js";
import { makeSvg, showShapes } from "./drawing.js";
import { paintBoard, paintRules } from "./painting.js";
import { flatLattice } from "./perspective.js";

const LENGTH = 900; // of the board, in units of the drawing
const ROOM = 4;
const BOLD = 4.5; // of lines between regions

// The pictures that are printed: that of the chosen board, or none.
export function printedBoards({ board }) {
  if (!board) return [];
  const blank = { ...board, entries: ".".repeat(board.clues.length), marks: null };
  const faces = facesOf(blank, new Set()).map((face) => ({ ...face, doubt: null }));
  const lattice = flatLattice(widthOf(board), LENGTH);
  const [rules, shapes] = [paintRules(board, lattice, PRINTED, BOLD), paintBoard(faces, lattice, PRINTED)];
  const drawing = makeSvg("svg", { viewBox: `${-ROOM} ${-ROOM} ${LENGTH + 2 * ROOM} ${LENGTH + 2 * ROOM}` });
  showShapes(drawing, [...rules.tints, ...rules.inks, ...shapes.inks]);
  return [drawing];
}
