// A puzzle without a photo: typed on an empty board, or pasted as text.

import { EMPTY_GRID, boardFrom } from "./board.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const THUMB_PX = 240;

// {clues} of a text of 81 cells, in a line or in rows, or {count} of those that it has. Empty cells
// are points, zeros, stars or underscores; lines between boxes, spaces and commas say nothing.
export function cluesOf(text) {
  const signs = text.replace(/[0*_]/g, ".").replace(/[^1-9.]/g, "");
  return signs.length === 81 ? { clues: signs } : { count: signs.length };
}

// The board of typed clues, to be solved; an empty one has nothing to solve yet.
export function typedBoard(clues) {
  const byHand = [...clues].flatMap((sign, cell) => (sign === "." ? [] : [cell]));
  const board = boardFrom({ outcome: "ambiguous", clues });
  return { ...board, byHand, isPending: clues !== EMPTY_GRID };
}

// A small picture of a board that has no photo.
export function typedThumbnail(clues) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = THUMB_PX;
  const context = canvas.getContext("2d", { alpha: false });
  const [margin, cell] = [12, (THUMB_PX - 24) / 9];
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, THUMB_PX, THUMB_PX);
  context.fillStyle = context.strokeStyle = "#3a3d42";
  for (let line = 0; line <= 9; line += 1) {
    context.lineWidth = line % 3 ? 0.8 : 2.4;
    const at = margin + line * cell;
    context.beginPath();
    context.moveTo(margin, at);
    context.lineTo(THUMB_PX - margin, at);
    context.moveTo(at, margin);
    context.lineTo(at, THUMB_PX - margin);
    context.stroke();
  }
  context.font = "17px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  [...clues].forEach((sign, number) => {
    const [x, y] = [number % 9, Math.floor(number / 9)].map((one) => margin + (one + 0.5) * cell);
    if (sign !== ".") context.fillText(sign, x, y);
  });
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// The dialog that takes a text. `opened(clues)` gets a puzzle; `covered(close)` and
// `uncovered(close)` hear what lies on top.
export function makeTyping({ opened, covered, uncovered }) {
  const dialog = $("typing");
  const close = () => dialog.close();

  function open(clues) {
    close();
    opened(clues);
  }

  $("open-typing").addEventListener("click", () => {
    $("typed").value = "";
    say("");
    dialog.showModal();
    covered(close);
  });
  dialog.addEventListener("close", () => uncovered(close));
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  $("typed").addEventListener("input", () => say(""));
  $("type-empty").addEventListener("click", () => open(EMPTY_GRID));
  $("type-open").addEventListener("click", () => {
    const { clues, count } = cluesOf($("typed").value);
    if (clues) open(clues);
    else say(t("typedWrong", { number: count }));
  });

  function say(text) {
    $("typed-wrong").textContent = text;
    $("typed").setAttribute("aria-invalid", String(Boolean(text)));
  }
}
