// Puts the opened puzzle among those of late, smaller than it came, and opens it from there.

import { boardFrom, boardKept, countDigits, withPlay } from "./board.js";
import { scaleLattice } from "./perspective.js";
import { canvasOf, isDarkPaper, keptPicture, thumbnail } from "./picture.js";
import { findPlay, keepPuzzle, putPlay } from "./recent.js";

const PAUSE_MS = 500; // after the first change that is not kept

// The boards of a report; `canvas` is the picture that was sent, null where it cannot be seen here.
export function boardsOf(report, canvas) {
  return report.boards.map((reported) => {
    const board = boardFrom(reported);
    return { ...board, isDark: Boolean(canvas && board.lattice && isDarkPaper(canvas, board.lattice)) };
  });
}

export function makeAlbum(puzzle) {
  let timer = 0;
  let kept = Promise.resolve(); // once all that was begun is kept
  // A puzzle that could not be kept holds up no other.
  const queue = (act) => (kept = kept.then(act, act));

  function keepNow() {
    const { photo, boards, number } = puzzle;
    keepSteps();
    const isDue = timer !== 0 && photo?.id && (photo.canvas || photo.isTyped) && boards.length;
    clearTimeout(timer);
    timer = 0;
    if (isDue) queue(() => keep(photo, boards, number));
    return kept;
  }

  // Keeps how the boards are now, at every step and at once: no picture that is still made small
  // holds it up, for the page may be closed any moment.
  function keepSteps() {
    const { photo, boards, plays } = puzzle;
    if (!photo?.id || !boards.length || (photo.isTyped && !isBegun(boards[0]))) return;
    const isPut = putPlay({ id: photo.id, width: photo.width, boards, plays: [...plays] });
    queue(() => isPut);
  }

  async function keep(photo, boards, number) {
    if (photo.isTyped) return void (await keepTyped(photo, boards[0]));
    photo.kept ??= keptPicture(photo.canvas);
    const { blob, factor } = await photo.kept;
    const thumb = photo.canvas && (await thumbnail(photo.canvas, boards[number]?.lattice));
    if (!blob || (photo.canvas && !thumb)) return;
    await keepPuzzle({
      id: photo.id,
      time: photo.time,
      picture: blob,
      thumb,
      boards: boards.map((board) => ({ ...board, lattice: board.lattice && scaleLattice(board.lattice, factor) })),
      chosen: number,
    });
  }

  async function keepTyped({ id, time }, board) {
    const { typedThumbnail } = await import("./typing.js");
    const thumb = await typedThumbnail(board);
    if (isBegun(board)) await keepPuzzle({ id, time, picture: null, thumb, boards: [board], chosen: 0 });
  }

  return {
    // Keeps at once what is to be kept, as where it is left.
    keepNow,
    keepSteps,
    keep,
    // Keeps a photo as it would have been sent, for later.
    keepUnsent(photo, blob) {
      queue(() => keep({ ...photo, kept: Promise.resolve({ blob, factor: 1 }) }, [], 0));
    },
    keepSoon() {
      // Whoever goes on and on must not put it off for ever.
      timer ||= setTimeout(keepNow, PAUSE_MS);
    },
    // {photo, boards, number} of a kept puzzle, null where its picture cannot be opened. What was
    // not sent may have none that this browser can open.
    async load({ id, time, picture, boards, chosen }) {
      if (picture === null) {
        const own = await takeUp(id, boards, 0);
        const photo = { id, time, canvas: null, isSeen: false, isTyped: true, width: 0, height: 0 };
        return { photo, number: chosen, ...own };
      }
      const canvas = await canvasOf(picture);
      if (canvas === null && boards.length) return null;
      const { width, height } = canvas ?? { width: 0, height: 0 };
      const own = await takeUp(id, boards, width);
      // What was not sent is made smaller once it has been.
      const kept = boards.length ? Promise.resolve({ blob: picture, factor: 1 }) : undefined;
      const photo = { id, time, kept, canvas, isSeen: canvas !== null, width, height };
      return { photo, number: chosen, ...own };
    },
  };
}

// Whether there is something on a typed board to be kept.
const isBegun = (board) => countDigits(board.clues) > 0 || Boolean(board.cages?.length);

// Kept boards with the steps that came after them, and how far each was played; `width` is that of
// the picture they lie on.
async function takeUp(id, boards, width) {
  const steps = await findPlay(id);
  const isOfThese = steps?.boards.length === boards.length && steps.boards.every((one, at) => isLater(one, boards[at]));
  if (!isOfThese) return { boards: boards.map(boardKept), plays: [] };
  const own = steps.boards.map((one, at) => {
    if (!one.outcome) return withPlay(boardKept(boards[at]), one);
    return boardKept({ ...one, lattice: one.lattice && scaleLattice(one.lattice, width / steps.width) });
  });
  return { boards: own, plays: steps.plays };
}

// Strokes that an older page kept have digits alone, which are of these clues or of no use.
const isLater = (one, board) => Boolean(one.outcome) || one.clues === board.clues;
