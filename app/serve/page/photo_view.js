// The photo with what lies over it: zoomed and moved by fingers, and asked for the cell at a point.

import { makeElement, makeSvg, showShapes } from "./drawing.js";
import { listenToGestures } from "./gestures.js";
import { cellOutline, outlineOf } from "./painting.js";
import { boardOutline, boundsOf, cellAt, cellQuad, isInside } from "./perspective.js";
import { fit, grown, hold, moved, revealed, toPhoto, zoomed } from "./viewport.js";

const AROUND_BOARD = 0.05;
const KEY_STEP_PX = 60;

// Makes the view inside an element. `heard` has {cell(cell, isMore), hold(cell), board(number),
// nothing(), viewed()}; a hold that is taken, by returning true, goes on over the next cells.
export function makePhotoView(stage, heard) {
  const image = makeElement("img", { alt: "", draggable: false });
  const tints = makeSvg("svg", { class: "tints", "aria-hidden": "true" });
  const inks = makeSvg("svg", { class: "inks", "aria-hidden": "true" });
  const [outlines, digits, selection] = ["outlines", "digits", "selection"].map((name) =>
    makeSvg("g", { class: name }),
  );
  inks.append(outlines, digits, selection);
  const plane = makeElement("div", { className: "plane" }, image, tints, inks);
  stage.prepend(plane);

  let photo = null; // {width, height}
  let lattices = [];
  let chosen = 0;
  let part = null;
  let view = { scale: 1, x: 0, y: 0 };
  let isOwnView = false; // whether a person chose the view, which is then kept
  let around = AROUND_BOARD; // the margin around the board; null shows the whole photo
  let address = null;
  let stillHeight = null; // of the stage before something covered a part of it

  const size = () => ({ width: stage.clientWidth, height: stage.clientHeight });

  function look(next, isSmooth = false) {
    if (!photo || !stage.clientWidth) return;
    const slack = stillHeight === null ? 0 : Math.max(stillHeight - stage.clientHeight, 0);
    view = hold(next, photo, size(), slack);
    plane.classList.toggle("smooth", isSmooth);
    plane.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
    plane.style.setProperty("--px", `${1 / view.scale}px`);
    heard.viewed();
  }

  function fitting() {
    const whole = { x: 0, y: 0, width: photo.width, height: photo.height };
    const lattice = part ?? lattices[chosen];
    if (around === null || !lattice) return fit(whole, size());
    return fit(grown(boundsOf(boardOutline(lattice)), around), size());
  }

  function refit(isSmooth = false) {
    if (photo) look(fitting(), isSmooth);
  }

  const chosenAt = ([x, y]) => (lattices[chosen] ? cellAt(lattices[chosen], x, y) : null);

  listenToGestures(stage, {
    move(dx, dy) {
      isOwnView = true;
      plane.classList.add("moving");
      look(moved(view, dx, dy));
    },
    zoom(factor, x, y) {
      isOwnView = true;
      plane.classList.add("moving");
      look(zoomed(view, view.scale * factor, x, y));
    },
    rest: () => plane.classList.remove("moving"),
    hold(x, y) {
      const cell = chosenAt(toPhoto(view, x, y));
      return cell !== null && heard.hold(cell);
    },
    draw(x, y) {
      const cell = chosenAt(toPhoto(view, x, y));
      if (cell !== null) heard.hold(cell);
    },
    tap(x, y, isMore) {
      const [px, py] = toPhoto(view, x, y);
      const cell = chosenAt([px, py]);
      if (cell !== null) return heard.cell(cell, isMore);
      const other = lattices.findIndex((one) => one && isInside(boardOutline(one), px, py));
      return other >= 0 ? heard.board(other) : heard.nothing();
    },
    doubleTap(x, y) {
      const near = fitting().scale * 2.2;
      if (view.scale < near * 0.9) {
        isOwnView = true;
        look(zoomed(view, near, x, y), true);
      } else {
        isOwnView = false;
        refit(true);
      }
    },
  });

  new ResizeObserver(() => {
    if (!photo || stillHeight !== null) return;
    if (isOwnView) look(view);
    else refit();
  }).observe(stage);

  return {
    // Shows another photo: a blob that browsers can open, and its size.
    async show(blob, width, height) {
      if (address) URL.revokeObjectURL(address);
      address = URL.createObjectURL(blob);
      photo = { width, height };
      lattices = [];
      part = null;
      isOwnView = false;
      around = AROUND_BOARD;
      plane.hidden = false;
      plane.style.width = `${width}px`;
      plane.style.height = `${height}px`;
      for (const layer of [tints, inks]) {
        layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
        layer.setAttribute("width", width);
        layer.setAttribute("height", height);
        if (layer === tints) layer.replaceChildren();
      }
      for (const group of [outlines, digits, selection]) group.replaceChildren();
      image.src = address;
      refit();
      await image.decode().catch(() => {});
      refit();
    },
    clear() {
      photo = null;
      plane.hidden = true;
    },
    // Says which boards there are; a new choice moves the view to it.
    // `near` is the lattice of what is to be seen of the chosen one, if that is not all of it.
    setBoards(next, number, near = null) {
      const isOther = number !== chosen || next[number] !== lattices[chosen] || near?.[0][0] !== part?.[0][0];
      lattices = next;
      chosen = number;
      part = near;
      if (isOther && photo) {
        isOwnView = false;
        around = AROUND_BOARD;
        refit(true);
      }
    },
    // Draws {tints, inks} of the chosen board; `frame` is "good", "doubtful" or "none".
    draw(shapes, { fresh, frame, selected = [] }) {
      showShapes(tints, shapes.tints);
      showShapes(digits, shapes.inks, fresh);
      outlines.replaceChildren(
        ...lattices.flatMap((lattice, number) => {
          if (!lattice || (number === chosen && frame === "none")) return [];
          const name = number === chosen ? frame : "other";
          return [makeSvg("path", { d: outlineOf(lattice), class: `outline ${name}` })];
        }),
      );
      const ringed = lattices[chosen] ? selected.map((cell) => cellOutline(lattices[chosen], cell)) : [];
      selection.replaceChildren(
        ...["halo", "ring"].flatMap((name) => ringed.map((d) => makeSvg("path", { d, class: name }))),
      );
    },
    // Whether the photo stays where it is while the stage becomes lower or higher: a finger may
    // be on it.
    keepStill(isWanted) {
      if (!isWanted) stillHeight = null;
      else stillHeight ??= stage.clientHeight;
    },
    // Moves the view so that cells are seen.
    reveal(cells) {
      const lattice = lattices[chosen];
      if (!photo || !lattice || !cells.length) return;
      look(revealed(view, boundsOf(cells.flatMap((cell) => cellQuad(lattice, cell))), size()), true);
    },
    // Shows the board with a margin around it, or with null the whole photo.
    step(margin = AROUND_BOARD) {
      around = margin;
      isOwnView = false;
      refit(true);
    },
    // Shows the whole photo, or the board again.
    toggleWhole() {
      this.step(around === null ? AROUND_BOARD : null);
    },
    pan: (dx, dy) => look(moved(view, -dx * KEY_STEP_PX, -dy * KEY_STEP_PX), true),
    zoomBy: (factor) => look(zoomed(view, view.scale * factor, stage.clientWidth / 2, stage.clientHeight / 2), true),
    get view() {
      return view;
    },
    get image() {
      return image;
    },
    get photo() {
      return photo;
    },
  };
}
