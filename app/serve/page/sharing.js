// The puzzle goes elsewhere: as a picture, as text, as a file. Where a page is not encrypted,
// browsers neither share nor copy by the usual ways; then it is downloaded, and copied the old way.

import { isAborted, post } from "./api.js";
import { countDigits, facesOf, isClassic } from "./board.js";
import { drawShapes, makeElement } from "./drawing.js";
import { ON_DARK, ON_PAPER, paintBoard } from "./painting.js";
import { encoded } from "./picture.js";
import { statusOfFailure } from "./status.js";
import { t } from "./words.js";

const FORMS = ["line", "sdm", "sdk", "ss", "opensudoku", "fpuzzles", "sudokupad", "sudokuwiki"];
const FORMS_OF_KINDS = ["line", "fpuzzles", "sudokupad"];

// The forms that hold a board; no link holds a samurai.
export function formsOf(board) {
  if (!board || board.ruleFault || (!board.cages && countDigits(board.clues) === 0)) return [];
  if (board.kind === "samurai") return ["line"];
  return isClassic(board) ? FORMS : FORMS_OF_KINDS;
}

// The photo with every verified solution on it, as JPEG; null where there is none.
async function solvedPicture(photo, boards) {
  const solved = boards.filter((board) => board.solution !== null && board.lattice);
  if (!photo.canvas || !solved.length) return null;
  const { width, height } = photo.canvas;
  const canvas = makeElement("canvas", { width, height });
  const context = canvas.getContext("2d", { alpha: false });
  context.drawImage(photo.canvas, 0, 0);
  for (const board of solved) {
    const all = new Set(Array(board.clues.length).keys());
    const faces = facesOf(board, all).map((face) => ({ ...face, doubt: null, isByHand: false }));
    drawShapes(context, paintBoard(faces, board.lattice, board.isDark ? ON_DARK : ON_PAPER));
  }
  return encoded(canvas, 0.9);
}

const pictureName = (now = new Date()) => `sudoku-${now.toISOString().slice(0, 10)}.jpg`;

// Whether this browser can pass a picture on to other apps.
function canSharePicture() {
  try {
    const file = new File([new Uint8Array(1)], "a.jpg", { type: "image/jpeg" });
    return Boolean(navigator.canShare?.({ files: [file] }));
  } catch {
    return false;
  }
}

// Shares a picture, and downloads it where that fails, unless the person changed their mind.
async function sharePicture(blob, name, title) {
  try {
    await navigator.share({ files: [new File([blob], name, { type: "image/jpeg" })], title });
  } catch (error) {
    if (!isAborted(error)) download(blob, name);
  }
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = makeElement("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Safari reads it only later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Copies text; false where the browser does not let the page.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByHand(text);
  }
}

function copyByHand(text) {
  const area = makeElement("textarea", { value: text, className: "away", readOnly: true });
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  area.setSelectionRange(0, text.length);
  let isCopied = false;
  try {
    isCopied = document.execCommand("copy");
  } catch {
    isCopied = false;
  }
  area.remove();
  focused?.focus?.({ preventScroll: true });
  return isCopied;
}

// The puzzle in a form that other programs read: {text, name}; a link has no name.
async function exported({ clues, kind, regions, cages }, form) {
  const { text, suffix, error } = await post("/api/exports", { clues, kind, regions, cages, form });
  if (text === null) throw new Error(error); // of a form that `formsOf` does not name
  return { text, name: /^https?:/.test(text) ? null : `sudoku${suffix}` };
}

// The panel that sends the puzzle elsewhere.

const $ = (id) => document.getElementById(id);

export function makeSharePanel(puzzle) {
  async function withPicture(act) {
    const blob = await solvedPicture(puzzle.photo, puzzle.boards);
    if (blob) await act(blob, pictureName());
  }

  async function copied(text, key) {
    const isCopied = await copy(text);
    say(t(isCopied ? key : "copyFailed"));
    if (isCopied) return;
    $("share-manual").value = text;
    $("share-manual").hidden = false;
    $("share-manual").select();
  }

  function say(text) {
    $("share-text").textContent = text;
    $("share-manual").hidden = true;
  }

  $("share-picture").addEventListener("click", () =>
    withPicture((blob, name) => sharePicture(blob, name, t("shareTitle"))),
  );
  $("save-picture").addEventListener("click", () =>
    withPicture((blob, name) => {
      download(blob, name);
      say(t("savedAs", { name }));
    }),
  );
  $("copy-puzzle").addEventListener("click", () => {
    const { board } = puzzle;
    if (isClassic(board)) return copied(board.clues, "copiedPuzzle");
    // With its rules.
    return orSaid(async () => copied((await exported(board, "line")).text.trim(), "copiedPuzzle"));
  });
  $("print-puzzle").addEventListener("click", () => window.print());
  $("copy-solution").addEventListener("click", () => copied(puzzle.board.solution, "copiedSolution"));
  $("save-form").addEventListener("click", () =>
    orSaid(async () => {
      const { text, name } = await exported(puzzle.board, $("form").value);
      if (name === null) return void (await copied(text, "copiedLink"));
      download(new Blob([text], { type: "application/octet-stream" }), name);
      say(t("savedAs", { name }));
    }),
  );

  // Does something, and says why where it fails.
  async function orSaid(act) {
    try {
      await act();
    } catch (error) {
      say(statusOfFailure(error).headline);
    }
  }

  return {
    render() {
      const { board } = puzzle;
      const hasSolution = Boolean(board?.solution);
      const hasPicture = Boolean(puzzle.photo?.canvas) && puzzle.boards.some((one) => one.solution && one.lattice);
      $("share-picture").hidden = !canSharePicture();
      $("share-picture").disabled = !hasPicture;
      $("save-picture").disabled = !hasPicture;
      $("copy-solution").disabled = !hasSolution;
      const known = formsOf(board);
      $("copy-puzzle").disabled = !known.length;
      $("save-form").disabled = !known.length;
      const forms = known.map((form) => {
        const text = t(`form${form[0].toUpperCase()}${form.slice(1)}`);
        return new Option(text, form, false, form === $("form").value);
      });
      $("form").replaceChildren(...forms);
    },
    // What was said is of another puzzle.
    outdate: () => say(""),
  };
}
