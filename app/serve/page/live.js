// The live view: the phone's camera, with the solution lying on every frame that shows its board.
//
//   const view = openLive(place, {onPhoto, onTakePhoto, onClose, onExpired});
//
// fills an element with it. `onPhoto(blob)` gets the frame that is seen, as a photo; `onTakePhoto()`
// is for who has no camera here, and takes one the usual way; `onClose()` follows every end, once;
// `onExpired()` where the code has to be scanned again. `view.close()` ends it from outside.

import { makeElement, makeSvg } from "./drawing.js";
import { openCamera, openLink, pause } from "./live_camera.js";
import { drawFrame, FrameSize, isDrawn, Shot } from "./live_picture.js";
import { t } from "./words.js";

const STALE_MS = 450; // after which the camera is shown bare, as its answers are late
const SAID_MS = 400; // what lasts less is not said, except a solution
const FROZEN_MS = 4000; // a frozen frame is asked about so long, until its digits are there
const FROZEN_PAUSE_MS = 60;
const RETRY_MS = [500, 1000, 2000, 4000];

const SAYINGS = {
  searching: ["busy", "liveSearching"],
  lost: ["busy", "liveSearching"],
  reading: ["busy", "liveReading"],
  solved: ["good", "liveSolved"],
  ambiguous: ["doubtful", "ambiguous"],
  no_solution: ["bad", "noSolution"],
  unreadable: ["doubtful", "liveUnreadable"],
};

export function openLive(place, callbacks) {
  const view = new LiveView(place, callbacks);
  view.start();
  return view;
}

class LiveView {
  constructor(place, { onPhoto, onTakePhoto, onClose, onExpired }) {
    this.tell = { onPhoto, onTakePhoto, onClose, onExpired };
    this.parts = makeParts(this);
    this.camera = null;
    this.run = null; // ends what is going on
    this.isFrozen = false;
    this.isClosed = false;
    this.shown = null; // the shot that is seen
    this.shownAt = 0;
    this.said = { key: null, wanted: null, since: 0 };
    place.replaceChildren(this.parts.root);
    // What lies behind the view is reached by no key and told by no screen reader.
    this.behind = [...document.body.children].filter((one) => !one.contains(place) && !one.inert);
    for (const one of this.behind) one.inert = true;
    this.whenKey = (event) => this.press(event);
    this.whenSeen = () => this.follow();
    document.addEventListener("keydown", this.whenKey);
    document.addEventListener("visibilitychange", this.whenSeen);
    this.parts.root.focus({ preventScroll: true });
  }

  // Opens the camera, and follows what it sees until the view is closed or hidden.
  async start() {
    const run = new AbortController();
    this.run = run;
    this.parts.trouble.hidden = true;
    this.say("busy", "liveStarting");
    let camera;
    try {
      camera = await openCamera(this.parts.video);
    } catch (error) {
      if (!run.signal.aborted) this.showTrouble(error.reason ?? "unsupported");
      return;
    }
    if (run.signal.aborted) {
      camera.close();
      return;
    }
    this.camera = camera;
    camera.whenEnded(() => this.end(run, "ended"));
    this.parts.torch.hidden = !camera.hasTorch;
    this.parts.root.dataset.state = "open";
    stayAwake(run.signal);
    this.showBare(run.signal);
    await this.keepAsking(run);
  }

  // Asks about frames, over a new link where one is lost.
  async keepAsking(run) {
    const { signal } = run;
    for (let failures = 0; !signal.aborted; failures += 1) {
      let link = null;
      try {
        link = openLink();
        await this.ask(link, signal, () => (failures = 0));
      } catch (error) {
        if (signal.aborted) break;
        if (error.reason === "expired") {
          this.tell.onExpired?.();
          this.close();
          return;
        }
        if (error.reason === undefined) throw error;
        this.say("doubtful", error.reason === "busy" ? "liveBusy" : "liveLost");
      } finally {
        link?.close();
      }
      await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)], signal);
    }
  }

  // Sends frame after frame, each once the answer about the last one is there.
  async ask(link, signal, succeed) {
    const size = new FrameSize();
    let [next, spare] = [new Shot(), new Shot()];
    while (!signal.aborted) {
      const isAgain = this.isFrozen && this.shown !== null;
      if (isAgain && !this.wantsAgain()) {
        await pause(FROZEN_PAUSE_MS, signal);
        continue;
      }
      const shot = isAgain ? this.shown : next;
      if (!isAgain) {
        await this.camera.nextFrame(signal);
        if (signal.aborted) return;
        await shot.take(this.parts.video, size.side);
      }
      if (shot.blob === null) continue;
      const start = performance.now();
      const reply = await link.send(shot.blob);
      if (signal.aborted) return;
      succeed();
      size.note(performance.now() - start);
      if (isAgain) await pause(FROZEN_PAUSE_MS, signal);
      else if (this.isFrozen && this.shown !== null) continue; // frozen meanwhile: that is seen
      this.show(shot, reply);
      if (!isAgain) [next, spare] = [spare, next];
    }
  }

  // Whether a frozen frame may look otherwise a moment later.
  wantsAgain() {
    const isDone = this.reply !== undefined && this.reply.opacity >= 1;
    return !isDone && performance.now() - this.frozenAt < FROZEN_MS;
  }

  show(shot, reply) {
    this.shown = shot;
    this.reply = reply;
    this.shownAt = performance.now();
    const { canvas } = shot;
    drawFrame(this.parts.picture, canvas, canvas.width, canvas.height, reply);
    this.parts.root.dataset.live = reply.state;
    this.parts.root.dataset.solution = isDrawn(reply) ? reply.solution : "";
    this.sayState(reply);
  }

  // Shows the camera itself, without a digit, as long as no answer tells where they belong.
  async showBare(signal) {
    while (!signal.aborted) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const isLate = performance.now() - this.shownAt > STALE_MS;
      if (!isLate || this.isFrozen || signal.aborted || !this.camera?.hasPicture) continue;
      const { video, picture, root } = this.parts;
      drawFrame(picture, video, video.videoWidth, video.videoHeight, null);
      root.dataset.solution = "";
    }
  }

  sayState(reply) {
    const isSolved = isDrawn(reply);
    const state = reply.state === "solved" && !isSolved ? "reading" : reply.state;
    const now = performance.now();
    if (this.said.wanted !== state) this.said = { ...this.said, wanted: state, since: now };
    if (isSolved || now - this.said.since >= SAID_MS) this.say(...(SAYINGS[state] ?? SAYINGS.reading));
  }

  say(severity, key) {
    if (this.said.key === key) return;
    this.said.key = key;
    this.parts.status.dataset.severity = severity;
    this.parts.words.textContent = t(key);
  }

  // Ends the camera for good reason, and says which.
  end(run, reason) {
    if (run !== this.run || run.signal.aborted) return;
    this.stop();
    this.showTrouble(reason);
  }

  showTrouble(reason) {
    const { root, trouble, headline, advice, again, words } = this.parts;
    root.dataset.state = "trouble";
    trouble.hidden = false;
    trouble.dataset.reason = reason;
    headline.textContent = t("liveNoCamera");
    advice.textContent = t(`live_${reason}`);
    words.textContent = "";
    this.said.key = null;
    again.hidden = reason === "insecure" || reason === "unsupported";
    this.parts.instead.focus({ preventScroll: true });
  }

  freeze(isFrozen = !this.isFrozen) {
    if (isFrozen && this.shown === null) return;
    this.isFrozen = isFrozen;
    this.frozenAt = performance.now();
    const { freeze, root } = this.parts;
    freeze.setAttribute("aria-pressed", String(isFrozen));
    label(freeze, isFrozen ? "liveGoOn" : "liveFreeze", isFrozen ? "goOn" : "freeze");
    root.dataset.frozen = String(isFrozen);
    if (!isFrozen) return;
    // Where answers were late, the bare camera is seen: the frame that digits belong to is kept.
    const { canvas } = this.shown;
    drawFrame(this.parts.picture, canvas, canvas.width, canvas.height, this.reply);
  }

  async turnTorch() {
    const { torch } = this.parts;
    const isOn = torch.getAttribute("aria-pressed") !== "true";
    try {
      await this.camera.setTorch(isOn);
      torch.setAttribute("aria-pressed", String(isOn));
    } catch {
      torch.hidden = true; // the camera has said more than it can do
    }
  }

  // Hands on what is seen as a photo: the frame of the last answer, or the camera's first.
  async takePhoto() {
    let shot = this.shown;
    if (shot === null) {
      if (!this.camera?.hasPicture) return;
      shot = new Shot();
      await shot.take(this.parts.video, 1);
    }
    const photo = await shot.photo();
    // Told first, so that whoever hears of the end knows already where the page goes on.
    if (!this.isClosed) this.tell.onPhoto(photo);
    this.close();
  }

  takeOtherPhoto() {
    this.tell.onTakePhoto();
    this.close();
  }

  press(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    } else if (event.key === " " && event.target.closest?.("button") === null) {
      event.preventDefault();
      this.freeze();
    }
  }

  // Nobody is filmed behind a page that nobody looks at.
  follow() {
    if (this.isClosed) return;
    if (document.hidden) this.stop();
    else if (this.run.signal.aborted && this.parts.trouble.hidden) this.start();
  }

  stop() {
    this.run.abort();
    this.camera?.close();
    this.camera = null;
    this.parts.torch.setAttribute("aria-pressed", "false");
    if (this.isFrozen) this.freeze(false);
  }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.stop();
    document.removeEventListener("keydown", this.whenKey);
    document.removeEventListener("visibilitychange", this.whenSeen);
    this.parts.root.remove();
    for (const one of this.behind) one.inert = false;
    this.tell.onClose?.();
  }
}

// Keeps the screen on where the browser lets pages do so.
async function stayAwake(signal) {
  try {
    const lock = await navigator.wakeLock?.request("screen");
    if (signal.aborted) lock?.release();
    else signal.addEventListener("abort", () => lock?.release(), { once: true });
  } catch {
    // The battery is low, or it is not allowed; the screen may then go dark.
  }
}

// What the live view is made of: the picture, what is said above it, and the controls below.

const ICONS = {
  close: "M6 6L18 18M18 6L6 18",
  freeze: "M9 5V19M15 5V19",
  goOn: "M8 5L19 12L8 19Z",
  torch: "M13 3L6 13H11L10 21L18 10H12.5Z",
  shutter: "",
};

// The elements of a view by their names; `root` holds all others.
function makeParts(view) {
  const video = make("video", "live-source", { "aria-hidden": "true", tabIndex: -1 });
  const picture = make("canvas", "live-picture", { role: "img", "aria-label": t("livePicture") });
  const words = make("span", "live-words");
  const status = make("p", "live-status", { role: "status" }, make("span", "live-sign", { "aria-hidden": "true" }), words);
  const close = button("live-close", "close", "close", () => view.close());
  const freeze = button("live-freeze", "liveFreeze", "freeze", () => view.freeze());
  freeze.setAttribute("aria-pressed", "false");
  const shutter = button("live-shutter", "liveShutter", "shutter", () => view.takePhoto());
  const torch = button("live-torch", "liveTorch", "torch", () => view.turnTorch());
  torch.setAttribute("aria-pressed", "false");
  torch.hidden = true;
  const bar = make("div", "live-bar", {}, freeze, shutter, torch);
  const headline = make("h2", "live-headline");
  const advice = make("p", "live-advice");
  const instead = wordy("live-instead", "liveInstead", () => view.takeOtherPhoto());
  const again = wordy("live-again", "tryAgain", () => view.start());
  const trouble = make("div", "live-trouble", { role: "alert", hidden: true }, headline, advice, instead, again);
  const named = { role: "dialog", "aria-modal": "true", "aria-label": t("live"), "data-state": "starting", tabIndex: -1 };
  const root = make("section", "live-view", named, video, picture, status, trouble, bar, close);
  return { root, video, picture, status, words, freeze, shutter, torch, trouble, headline, advice, instead, again };
}

const make = (tag, className, properties = {}, ...inside) => makeElement(tag, { className, ...properties }, ...inside);

function button(name, text, icon, act) {
  const element = make("button", `live-button ${name}`, { type: "button" });
  element.addEventListener("click", act);
  label(element, text, icon);
  return element;
}

function wordy(name, text, act) {
  const element = make("button", name, { type: "button" }, t(text));
  element.addEventListener("click", act);
  return element;
}

// Names a button and draws its icon.
function label(element, text, icon) {
  element.setAttribute("aria-label", t(text));
  element.title = t(text);
  const svg = makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  svg.append(makeSvg("path", { d: ICONS[icon] }));
  element.replaceChildren(svg);
}
