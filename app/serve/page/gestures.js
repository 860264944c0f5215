// Fingers, mouse and wheel on a surface, told as what is meant: move, zoom, tap, double tap, hold.

const TAP_PX = 9;
const TAP_MS = 450;
export const HOLD_MS = 380;
const DOUBLE_MS = 320;
const DOUBLE_PX = 28; // less than a cell, so that two cells can be tapped fast
const WHEEL = 0.0016;

// `heard` has {move(dx, dy), zoom(factor, x, y), tap(x, y, isMore), doubleTap(x, y), hold(x, y),
// draw(x, y), rest()}; points are in pixels of the surface. `rest` follows each movement. What
// `hold` takes, by returning true, goes on with `draw` instead of moving; a tap is for one more
// with Ctrl, Shift or ⌘.
export function listenToGestures(surface, heard) {
  const fingers = new Map();
  let first = null; // where and when a tap began; null once it is none
  let holding = 0;
  let isDrawing = false;
  let last = { time: -Infinity, x: 0, y: 0 };

  const pointOf = (event) => {
    const { left, top } = surface.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };

  surface.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button") || event.button > 0) return;
    const at = pointOf(event);
    fingers.set(event.pointerId, at);
    first = fingers.size === 1 ? { ...at, time: event.timeStamp } : null;
    clearTimeout(holding);
    isDrawing = false;
    if (first) holding = setTimeout(() => first && (isDrawing = heard.hold(at.x, at.y)), HOLD_MS);
    surface.setPointerCapture?.(event.pointerId);
  });

  surface.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const at = pointOf(event);
    if (first && Math.hypot(at.x - first.x, at.y - first.y) < TAP_PX) return;
    first = null;
    clearTimeout(holding);
    if (isDrawing) heard.draw(at.x, at.y);
    else if (fingers.size === 1) heard.move(at.x - before.x, at.y - before.y);
    else pinch(event.pointerId, before, at);
    fingers.set(event.pointerId, at);
  });

  function pinch(moving, before, at) {
    const [, other] = [...fingers].find(([id]) => id !== moving);
    const apart = (one) => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 1);
    heard.move((at.x - before.x) / 2, (at.y - before.y) / 2);
    heard.zoom(apart(at) / apart(before), (at.x + other.x) / 2, (at.y + other.y) / 2);
  }

  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size) return;
    clearTimeout(holding);
    const isTap = first && !isDrawing && event.type === "pointerup" && event.timeStamp - first.time < TAP_MS;
    if (isTap) tell(first, event.timeStamp, isMore(event));
    else heard.rest();
    first = null;
    isDrawing = false;
  };
  surface.addEventListener("pointerup", lift);
  surface.addEventListener("pointercancel", lift);

  function tell({ x, y }, time, isMore) {
    const isSecond = !isMore && time - last.time < DOUBLE_MS && Math.hypot(x - last.x, y - last.y) < DOUBLE_PX;
    last = isSecond ? { time: -Infinity, x, y } : { time, x, y };
    if (isSecond) heard.doubleTap(x, y);
    else heard.tap(x, y, isMore);
  }

  // Two taps with something else between them are not one double tap.
  const forget = (event) => {
    if (!surface.contains(event.target)) last = { time: -Infinity, x: 0, y: 0 };
  };
  document.addEventListener("pointerdown", forget, true);

  surface.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, y } = pointOf(event);
      const lines = event.deltaMode === 1 ? 16 : 1;
      heard.zoom(Math.exp(-event.deltaY * lines * WHEEL * (event.ctrlKey ? 4 : 1)), x, y);
      heard.rest();
    },
    { passive: false },
  );
}

// Whether a press is for one more, beside what was chosen.
export const isMore = (event) => event.ctrlKey || event.metaKey || event.shiftKey;
