// A photo on its way to the computer: prepared, kept until it has arrived, sent, and called off.

import { askPicture, deliver, isAborted, persist, Problem } from "./api.js";
import { canvasOf, preparePicture } from "./picture.js";
import { dropWaiting, keepWaiting } from "./recent.js";

// `told` has {stage(stage, id), picture(picture), arrived(report, picture, corners, place), who drops
// the waiting photo once its puzzle is kept, failed(code), cancelled()}; a picture is
// {id, blob, canvas}.
export function makeJourney(told) {
  let mine = null;
  let last = null; // what "try again" sends
  const nudge = new EventTarget();

  // `place` is the number of the board whose corners these are.
  async function send(given, corners, place = 0) {
    let picture = given;
    end();
    const controller = new AbortController();
    mine = controller;
    last = () => send(picture, corners, place);
    const onStage = (stage) => mine === controller && told.stage(stage, picture.id);
    const manner = { signal: controller.signal, nudge };
    try {
      await keepWaiting({ blob: picture.blob, corners, puzzle: picture.id });
      if (picture.canvas === null) picture = await readable(picture, { ...manner, onWait: onStage });
      const report = await deliver(picture.blob, {
        ...manner,
        corners,
        onStage,
      });
      if (mine !== controller) return;
      mine = null;
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

  // What this browser cannot open, such as HEIC, the computer makes a JPEG of.
  async function readable(picture, manner) {
    manner.onWait({ kind: "preparing" });
    const blob = await persist(() => askPicture(picture.blob, manner.signal), manner);
    const canvas = await canvasOf(blob);
    if (canvas === null || manner.signal.aborted) return picture;
    const made = { ...picture, blob, canvas };
    await told.picture(made);
    return made;
  }

  function end() {
    mine?.abort();
    mine = null;
  }

  // Prepares a chosen file and sends it.
  async function begin(file, id) {
    end();
    const controller = new AbortController();
    mine = controller;
    last = () => begin(file, id);
    told.stage({ kind: "preparing" }, id);
    const picture = { id, ...(await preparePicture(file)) };
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
