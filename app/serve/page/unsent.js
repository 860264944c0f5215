// The photos that were left before they were sent: they are sent while the start is seen.

import { boardsOf } from "./album.js";
import { askPicture, deliver, isAborted, persist, Problem } from "./api.js";
import { canvasOf } from "./picture.js";
import { findPuzzle, isUnsent, keepPuzzle, listPuzzles } from "./recent.js";

// `changed` is called when one of them has been sent.
export function makeUnsent(album, changed) {
  let mine = null;

  async function send({ id, time, picture }, signal) {
    let blob = picture;
    let canvas = await canvasOf(blob);
    if (canvas === null) {
      blob = await persist(() => askPicture(picture, signal), { signal, onWait() {} });
      canvas = await canvasOf(blob);
    }
    const report = await deliver(blob, { signal, corners: null, onStage() {} });
    const boards = canvas ? boardsOf(report, canvas) : [];
    if (signal.aborted || !(await findPuzzle(id))) return;
    if (boards.length) await album.keep({ id, time, canvas }, boards, 0);
    else await giveUp(id);
  }

  // What came of it is told once it is opened, which sends it again.
  async function giveUp(id) {
    const kept = await findPuzzle(id);
    if (kept) await keepPuzzle({ ...kept, isTried: true });
  }

  function stop() {
    mine?.abort();
    mine = null;
  }

  return {
    stop,
    // Sends one after the other, each for as long as it takes.
    async begin() {
      stop();
      mine = new AbortController();
      const { signal } = mine;
      for (const kept of (await listPuzzles()).filter(isUnsent)) {
        try {
          await send(kept, signal);
        } catch (error) {
          if (isAborted(error) || error.status === 401) return;
          if (!(error instanceof Problem)) throw error;
          await giveUp(kept.id);
        }
        if (signal.aborted) return;
        changed();
      }
    },
  };
}
