// A photo on its way to the computer: prepared, kept until it has arrived, sent, and called off.

import { isAborted, Problem } from "./api.js";
import { preparePicture } from "./picture.js";
import { dropWaiting, keepWaiting } from "./recent.js";
import { deliver } from "./sending.js";

// `told` has {stage(stage), picture(picture),
// arrived(report, picture, corners, place), failed(code), cancelled()}; a picture is {blob, canvas}.
export function makeJourney(told) {
  let mine = null;
  let last = null; // what "try again" sends
  const nudge = new EventTarget();

  // `place` is the number of the board whose corners these are.
  async function send(picture, corners, place = 0) {
    end();
    const controller = new AbortController();
    mine = controller;
    last = () => send(picture, corners, place);
    try {
      await keepWaiting({ blob: picture.blob, corners });
      const report = await deliver(picture.blob, {
        corners,
        signal: controller.signal,
        nudge,
        onStage: (stage) => mine === controller && told.stage(stage),
      });
      if (mine !== controller) return;
      mine = null;
      await dropWaiting();
      await told.arrived(report, picture, corners, place);
    } catch (error) {
      if (mine !== controller || isAborted(error)) return;
      mine = null;
      if (!(error instanceof Problem)) throw error;
      // Kept where the code has to be scanned again: then it is sent.
      if (error.status !== 401) await dropWaiting();
      told.failed(error.code);
    }
  }

  function end() {
    mine?.abort();
    mine = null;
  }

  // Prepares a chosen file and sends it.
  async function begin(file) {
    end();
    const controller = new AbortController();
    mine = controller;
    last = () => begin(file);
    told.stage({ kind: "preparing" });
    const picture = await preparePicture(file);
    if (mine !== controller) return;
    await told.picture(picture);
    if (mine === controller) await send(picture, null);
  }

  return {
    begin,
    send,
    again: () => last?.(),
    now: () => nudge.dispatchEvent(new Event("now")),
    async cancel() {
      end();
      await dropWaiting();
      told.cancelled();
    },
    stop() {
      if (mine) dropWaiting();
      end();
    },
    get isOn() {
      return mine !== null;
    },
  };
}
