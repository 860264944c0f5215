// What the live view is made of: the picture, what is said above it, and the controls below.

import { makeSvg } from "./drawing.js";
import { t } from "./words.js";

const ICONS = {
  close: "M6 6L18 18M18 6L6 18",
  freeze: "M9 5V19M15 5V19",
  goOn: "M8 5L19 12L8 19Z",
  torch: "M13 3L6 13H11L10 21L18 10H12.5Z",
  shutter: "",
};

// The elements of a view by their names; `root` holds all others.
export function makeParts(view) {
  const root = make("section", "live-view", { role: "dialog", "aria-modal": "true" });
  root.setAttribute("aria-label", t("live"));
  root.dataset.state = "starting";
  const video = make("video", "live-source", { "aria-hidden": "true", tabindex: "-1" });
  const picture = make("canvas", "live-picture", { role: "img" });
  picture.setAttribute("aria-label", t("livePicture"));
  const status = make("p", "live-status", { role: "status" });
  const words = make("span", "live-words");
  status.append(make("span", "live-sign", { "aria-hidden": "true" }), words);
  const close = button("live-close", "close", "close", () => view.close());
  const freeze = button("live-freeze", "liveFreeze", "freeze", () => view.freeze());
  freeze.setAttribute("aria-pressed", "false");
  const shutter = button("live-shutter", "liveShutter", "shutter", () => view.takePhoto());
  const torch = button("live-torch", "liveTorch", "torch", () => view.turnTorch());
  torch.setAttribute("aria-pressed", "false");
  torch.hidden = true;
  const bar = make("div", "live-bar");
  bar.append(freeze, shutter, torch);
  const trouble = make("div", "live-trouble", { role: "alert" });
  trouble.hidden = true;
  const headline = make("h2", "live-headline");
  const advice = make("p", "live-advice");
  const instead = wordy("live-instead", "liveInstead", () => view.takeOtherPhoto());
  const again = wordy("live-again", "tryAgain", () => view.start());
  trouble.append(headline, advice, instead, again);
  root.append(video, picture, status, trouble, bar, close);
  return { root, video, picture, status, words, freeze, shutter, torch, trouble, headline, advice, instead, again };
}

function make(tag, name, attributes = {}) {
  const element = document.createElement(tag);
  element.className = name;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function button(name, text, icon, act) {
  const element = make("button", `live-button ${name}`, { type: "button" });
  element.addEventListener("click", act);
  label(element, text, icon);
  return element;
}

function wordy(name, text, act) {
  const element = make("button", name, { type: "button" });
  element.textContent = t(text);
  element.addEventListener("click", act);
  return element;
}

// Names a button and draws its icon.
export function label(element, text, icon) {
  element.setAttribute("aria-label", t(text));
  element.title = t(text);
  const svg = makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  svg.append(makeSvg("path", { d: ICONS[icon] }));
  element.replaceChildren(svg);
}
