// How a photo lies in its view: {scale, x, y}, where a point p of the photo is seen at
// p * scale + (x, y). Sizes are {width, height}, rectangles {x, y, width, height}.

const MOST = 8; // screen pixels for one of the photo, at most

// The view that shows a rectangle of the photo as large as possible.
export function fit(rectangle, size) {
  const width = Math.max(size.width, 1);
  const height = Math.max(size.height, 1);
  const scale = Math.min(width / rectangle.width, height / rectangle.height, MOST);
  return {
    scale,
    x: size.width / 2 - (rectangle.x + rectangle.width / 2) * scale,
    y: size.height / 2 - (rectangle.y + rectangle.height / 2) * scale,
  };
}

// The view with the photo so near that it is never lost: it covers the view, or lies amid it.
// `slack` is the height of what covers the view's lower part for a while, without moving the photo.
export function hold(view, photo, size, slack = 0) {
  const whole = fit({ x: 0, y: 0, ...photo }, size);
  const scale = Math.min(Math.max(view.scale, whole.scale * 0.8), Math.max(MOST, whole.scale));
  const about = scale === view.scale ? view : zoomed(view, scale, size.width / 2, size.height / 2);
  return {
    scale,
    x: heldAt(about.x, photo.width * scale, size.width),
    y: heldAt(about.y, photo.height * scale, size.height, slack),
  };
}

function heldAt(at, length, room, slack = 0) {
  const least = length <= room ? (room - length) / 2 : room - length;
  const most = Math.max((room + slack - length) / 2, 0);
  return Math.min(Math.max(at, least), most);
}

// The view with another scale, and the same point of the photo under (x, y).
export function zoomed(view, scale, x, y) {
  const factor = scale / view.scale;
  return { scale, x: x - (x - view.x) * factor, y: y - (y - view.y) * factor };
}

export const moved = (view, dx, dy) => ({ ...view, x: view.x + dx, y: view.y + dy });

export const toPhoto = (view, x, y) => [(x - view.x) / view.scale, (y - view.y) / view.scale];

export const toScreen = (view, x, y) => [x * view.scale + view.x, y * view.scale + view.y];

// The view moved just so far that a rectangle of the photo is seen.
export function revealed(view, rectangle, size, margin = 16) {
  const [left, top] = toScreen(view, rectangle.x, rectangle.y);
  const right = left + rectangle.width * view.scale;
  const bottom = top + rectangle.height * view.scale;
  const shift = (low, high, room) => {
    if (low < margin) return margin - low;
    return high > room - margin ? room - margin - high : 0;
  };
  return moved(view, shift(left, right, size.width), shift(top, bottom, size.height));
}

// A rectangle with a margin around it, in parts of its own size.
export function grown({ x, y, width, height }, share) {
  return {
    x: x - width * share,
    y: y - height * share,
    width: width * (1 + 2 * share),
    height: height * (1 + 2 * share),
  };
}
