// Keys, for whoever has some: on the puzzle's screen they do what the buttons do.

import { isHole, sideOf, widthOf } from "./board.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

const PLAY_MODES = { z: "digit", x: "corner", c: "centre", v: "colour" };

export function listenToKeys(puzzle, screen) {
  document.addEventListener("keydown", (event) => {
    if (document.body.dataset.screen !== "puzzle" || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, select, textarea, .handle")) return;
    const isDone = event.ctrlKey || event.metaKey ? pressWithControl(event) : press(event);
    if (isDone) event.preventDefault();
  });

  function pressWithControl(event) {
    const key = event.key.toLowerCase();
    if (key === "z") return done(event.shiftKey ? puzzle.redo : puzzle.undo);
    return key === "y" && done(puzzle.redo);
  }

  function press(event) {
    if (event.altKey) return false;
    const { key } = event;
    if (key in ARROWS) return move(...ARROWS[key], event.shiftKey);
    if (/^[0-9]$/.test(key)) return type(Number(key));
    if (key === "Backspace" || key === "Delete") return type(0);
    // A button that has the focus is pressed by these.
    const isOnButton = event.target.closest("button, label");
    const isRules = screen.panel === "rules";
    if (isRules && [" ", "Enter"].includes(key) && !isOnButton && puzzle.selected !== null) {
      return done(() => screen.tapCell(puzzle.selected));
    }
    if (key === " " && !isOnButton) return reveal();
    if (key === "Enter" && !isOnButton && puzzle.selected !== null) return done(screen.openPad);
    if (key === "Escape" && puzzle.cells.length > 1) return done(() => puzzle.select(puzzle.selected));
    if (key === "Escape") return done(screen.panel ? screen.closePanel : () => puzzle.select(null));
    const acts = {
      s: screen.toggleSolution,
      h: screen.hint,
      k: screen.check,
      p: screen.placeCorners,
      e: screen.correctRules,
      f: () => screen.photoView.toggleWhole(),
      n: () => screen.nextBoard(1),
      r: screen.toggleRead,
      "+": () => screen.photoView.zoomBy(1.25),
      "-": () => screen.photoView.zoomBy(0.8),
    };
    const mode = PLAY_MODES[key.toLowerCase()];
    if (mode && puzzle.play.isOn) return done(() => screen.play.choose(mode));
    const act = acts[key.toLowerCase()];
    return act ? done(act) : false;
  }

  // Chooses the neighbour of the chosen cell; while playing, with Shift also what was chosen.
  function move(down, right, isMore) {
    if (!puzzle.board) return false;
    const width = widthOf(puzzle.board);
    const from = puzzle.selected;
    let cell = from ?? Math.floor(width / 2) * (width + 1);
    if (from !== null) {
      const isOn = (at) => at >= 0 && at < width;
      let [row, column] = [Math.floor(from / width) + down, (from % width) + right];
      // Over what is no cell to the next grid of a samurai.
      while (isOn(row) && isOn(column) && isHole(puzzle.board, width * row + column)) [row, column] = [row + down, column + right];
      if (isOn(row) && isOn(column)) cell = width * row + column;
    } else if (isHole(puzzle.board, cell)) cell = puzzle.board.clues.search(/[^-]/);
    if (isMore && puzzle.play.isOn) puzzle.selectAlso(cell);
    else puzzle.select(cell);
    screen.clean.focus(cell);
    screen.photoView.reveal([cell]);
    return true;
  }

  function type(digit) {
    if (!puzzle.board || puzzle.selected === null || digit > sideOf(puzzle.board)) return false;
    if (puzzle.play.isOn) return done(() => screen.play.press(digit));
    if (screen.panel === "rules") return done(() => screen.typeSum(digit));
    puzzle.setDigit(puzzle.selected, digit);
    return true;
  }

  function reveal() {
    if (puzzle.selected === null) return false;
    puzzle.revealCell(puzzle.selected);
    return true;
  }
}

function done(act) {
  act();
  return true;
}
