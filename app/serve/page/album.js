// Puts the opened puzzle among those of late, smaller than it came, and opens it from there.

import { boardKept, countDigits } from "./board.js";
import { scaleLattice } from "./perspective.js";
import { canvasOf, keptPicture, thumbnail } from "./picture.js";
import { keepPuzzle } from "./recent.js";
import { typedThumbnail } from "./typing.js";

const PAUSE_MS = 500; // after the last change

export function makeAlbum(puzzle) {
  let timer = 0;
  let kept = Promise.resolve(); // once all that was begun is kept
  // A puzzle that could not be kept holds up no other.
  const queue = (act) => (kept = kept.then(act, act));

  function keepNow() {
    const { photo, boards, number } = puzzle;
    const isDue = timer !== 0 && photo?.id && (photo.canvas || photo.isTyped) && boards.length;
    clearTimeout(timer);
    timer = 0;
    if (isDue) queue(() => keep(photo, boards, number));
    return kept;
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
    const thumb = await typedThumbnail(board.clues);
    if (countDigits(board.clues)) await keepPuzzle({ id, time, picture: null, thumb, boards: [board], chosen: 0 });
  }

  return {
    // Keeps at once what is to be kept, as where it is left.
    keepNow,
    // Keeps a photo as it would have been sent, for later.
    keepUnsent(photo, blob) {
      queue(() => keep({ ...photo, kept: Promise.resolve({ blob, factor: 1 }) }, [], 0));
    },
    keepSoon() {
      clearTimeout(timer);
      timer = setTimeout(keepNow, PAUSE_MS);
    },
    // {photo, boards, number} of a kept puzzle, null where its picture cannot be opened. What was
    // not sent may have none that this browser can open.
    async load({ id, time, picture, boards, chosen }) {
      if (picture === null) {
        const photo = { id, time, canvas: null, isSeen: false, isTyped: true, width: 0, height: 0 };
        return { photo, boards: boards.map(boardKept), number: chosen };
      }
      const canvas = await canvasOf(picture);
      if (canvas === null && boards.length) return null;
      const { width, height } = canvas ?? { width: 0, height: 0 };
      // What was not sent is made smaller once it has been.
      const kept = boards.length ? Promise.resolve({ blob: picture, factor: 1 }) : undefined;
      return { photo: { id, time, kept, canvas, isSeen: canvas !== null, width, height }, boards: boards.map(boardKept), number: chosen };
    },
  };
}
