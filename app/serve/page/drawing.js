// Makes elements, and puts shapes of `painting.js` on the page as SVG, or into a picture.

const SVG = "http://www.w3.org/2000/svg";
const WAVE_MS = 26; // between a cell and its neighbour, when digits appear

// An element with properties, or attributes where it has no such property, and what is inside.
export function makeElement(name, properties = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...inside);
  return element;
}

export function makeSvg(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// Replaces what a group shows; `fresh` holds the cells whose solution appears just now.
export function showShapes(group, shapes, fresh = new Set()) {
  group.replaceChildren(...shapes.map((shape) => asElement(shape, fresh)));
}

function asElement({ d, fill, opacity, stroke, width, kind, cell, step }, fresh) {
  const path = makeSvg("path", { d, fill: fill ?? "none", class: kind });
  if (cell !== undefined) path.dataset.cell = cell;
  if (opacity !== undefined) path.setAttribute("fill-opacity", opacity);
  if (stroke) {
    path.setAttribute("stroke", stroke);
    path.setAttribute("stroke-width", width.toFixed(2));
  }
  if (kind === "solution" && fresh.has(cell)) {
    path.classList.add("fresh");
    path.style.animationDelay = `${step * WAVE_MS}ms`;
  }
  return path;
}

// Draws the same shapes over a picture.
export function drawShapes(context, { tints, inks }) {
  context.lineJoin = "round";
  context.lineCap = "round";
  context.globalCompositeOperation = "multiply";
  for (const tint of tints) fillShape(context, tint);
  context.globalCompositeOperation = "source-over";
  for (const ink of inks) fillShape(context, ink);
}

// Draws one of them, at the picture's own opacity.
export function fillShape(context, { d, fill, opacity, stroke, width }) {
  const path = new Path2D(d);
  if (stroke) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.stroke(path);
  }
  if (fill) {
    const { globalAlpha } = context;
    context.globalAlpha = globalAlpha * (opacity ?? 1);
    context.fillStyle = fill;
    context.fill(path);
    context.globalAlpha = globalAlpha;
  }
}
