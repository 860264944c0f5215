// Four handles on the corners of a board, set by finger with a loupe, or by the arrow keys.

import { makeElement, makeSvg } from "./drawing.js";
import { isProperQuad, project, squareToQuad } from "./perspective.js";
import { toPhoto, toScreen } from "./viewport.js";
import { sayAll, t } from "./words.js";

const LOUPE_PX = 124;
const LOUPE_ZOOM = 2.5;

// Lays handles over a photo view. Returns {start(quad), follow(), stop(), quad, isProper}; the quad
// goes clockwise from the top left, in pixels of the photo. `changed` is called after each move.
export function makeCorners(stage, photoView, changed) {
  const drawing = makeSvg("svg", { "aria-hidden": "true" });
  const outline = makeSvg("path", { class: "frame" });
  drawing.append(outline);
  const loupe = makeElement("canvas", { className: "loupe", hidden: true });
  const handles = [0, 1, 2, 3].map(makeHandle);
  const root = makeElement("div", { className: "corners", hidden: true }, drawing, ...handles, loupe);
  stage.append(root);
  sayAll(root);
  let quad = [];

  function makeHandle(number) {
    const handle = makeElement("button", { type: "button", className: "handle", "data-t-label": `corner${number}` });
    let grip = null;
    handle.addEventListener("pointerdown", (event) => {
      const [x, y] = toScreen(photoView.view, ...quad[number]);
      grip = { x: x - event.clientX, y: y - event.clientY };
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      handle.focus({ preventScroll: true });
      magnify(number);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!grip) return;
      move(number, toPhoto(photoView.view, event.clientX + grip.x, event.clientY + grip.y));
      magnify(number);
    });
    const release = () => {
      grip = null;
      loupe.hidden = true;
    };
    handle.addEventListener("pointerup", release);
    handle.addEventListener("pointercancel", release);
    handle.addEventListener("blur", release);
    handle.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const step = (event.shiftKey ? 10 : 1) / photoView.view.scale;
      const [x, y] = quad[number];
      move(number, [x + way[0] * step, y + way[1] * step]);
      magnify(number);
    });
    return handle;
  }

  function move(number, [x, y]) {
    const { width, height } = photoView.photo;
    const inside = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
    quad = quad.map((corner, at) => (at === number ? inside : corner));
    follow();
    changed();
  }

  function follow() {
    if (root.hidden) return;
    const seen = quad.map(([x, y]) => toScreen(photoView.view, x, y));
    handles.forEach((handle, number) => {
      handle.style.transform = `translate(${seen[number][0]}px, ${seen[number][1]}px)`;
      handle.setAttribute("aria-label", t(`corner${number}`));
    });
    outline.setAttribute("d", frameOf(seen));
    outline.classList.toggle("wrong", !isProperQuad(quad));
  }

  // What lies under the finger, beside it.
  function magnify(number) {
    const [x, y] = quad[number];
    const pixels = LOUPE_PX * Math.min(window.devicePixelRatio || 1, 2);
    loupe.width = pixels;
    loupe.height = pixels;
    const context = loupe.getContext("2d");
    const side = LOUPE_PX / photoView.view.scale / LOUPE_ZOOM;
    context.drawImage(photoView.image, x - side / 2, y - side / 2, side, side, 0, 0, pixels, pixels);
    const ring = getComputedStyle(loupe).color;
    context.strokeStyle = ring;
    context.lineWidth = pixels / 80;
    context.beginPath();
    context.moveTo(pixels / 2, pixels * 0.3);
    context.lineTo(pixels / 2, pixels * 0.7);
    context.moveTo(pixels * 0.3, pixels / 2);
    context.lineTo(pixels * 0.7, pixels / 2);
    context.stroke();
    const [sx, sy] = toScreen(photoView.view, x, y);
    const left = sx > stage.clientWidth / 2 ? 12 : stage.clientWidth - LOUPE_PX - 12;
    const top = sy > stage.clientHeight / 2 ? 12 : stage.clientHeight - LOUPE_PX - 12;
    loupe.style.transform = `translate(${left}px, ${top}px)`;
    loupe.hidden = false;
  }

  return {
    start(wanted) {
      quad = wanted.map(([x, y]) => [x, y]);
      root.hidden = false;
      follow();
    },
    follow,
    stop() {
      root.hidden = true;
      loupe.hidden = true;
    },
    get isOpen() {
      return !root.hidden;
    },
    get quad() {
      return quad;
    },
    get isProper() {
      return isProperQuad(quad);
    },
  };
}

// The outline with the lines between boxes, so that one sees whether it fits.
function frameOf(quad) {
  const place = squareToQuad(quad);
  const line = (points) => points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const parts = [`${line(quad)} Z`];
  if (place) {
    for (const at of [1 / 3, 2 / 3]) {
      parts.push(line([project(place, at, 0), project(place, at, 1)]));
      parts.push(line([project(place, 0, at), project(place, 1, at)]));
    }
  }
  return parts.join(" ");
}
