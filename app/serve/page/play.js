// The pad of who solves the puzzle here: digits, notes and colours, and the clock beside them.

import { digitAt, sideOf, symbolOf } from "./board.js";
import { makeDigits } from "./pad.js";
import { PLAYER_COLOURS } from "./painting.js";
import { prefer, preference } from "./preferences.js";
import { sayTime } from "./status.js";
import { cellName, t } from "./words.js";

const $ = (id) => document.getElementById(id);
const MODES = ["digit", "corner", "centre", "colour"];
const TICK_MS = 1000;

// `puzzle` is of `puzzle.js`; `changed` is called when something else is to be shown.
export function makePlay(puzzle, { changed }) {
  let mode = "digit";
  let isPaused = false;
  let since = null; // when time was last counted, null while it stands
  const keys = makeDigits($("play-digits"), press);
  for (const name of MODES) $(`play-${name}`).addEventListener("click", () => choose(name));
  $("play-undo").addEventListener("click", () => puzzle.undo());
  $("play-redo").addEventListener("click", () => puzzle.redo());
  $("play-pause").addEventListener("click", () => pause(!isPaused));
  $("play-conflicts").addEventListener("click", () => {
    prefer("conflicts", preference("conflicts") === "yes" ? "no" : "yes");
    changed();
  });

  // Puts what the mode says into the chosen cell, or takes it out; 0 erases.
  function press(digit) {
    const { selected } = puzzle;
    if (selected === null || isPaused || !puzzle.play.isOn) return;
    count();
    if (digit === 0) puzzle.erase(selected);
    else if (mode === "digit") puzzle.write(selected, digit);
    else if (mode !== "colour" || digit <= PLAYER_COLOURS.length) puzzle.mark(selected, mode, digit);
  }

  function choose(name) {
    mode = name;
    changed();
  }

  function pause(isWanted) {
    count();
    isPaused = isWanted;
    since = null;
    changed();
  }

  // Adds the time since it was last counted. It stands while the board is paused or not seen.
  function count(now = performance.now()) {
    const isRunning = puzzle.play.isOn && !isPaused && document.visibilityState === "visible";
    if (since !== null && puzzle.play.isOn && !isPaused) puzzle.addSeconds((now - since) / 1000);
    since = isRunning ? now : null;
    if (!puzzle.play.isOn) isPaused = false;
    $("play-time").textContent = sayTime(puzzle.play.seconds);
    document.body.toggleAttribute("data-paused", isPaused);
  }

  setInterval(count, TICK_MS);
  document.addEventListener("visibilitychange", () => count());

  return {
    press,
    choose,
    render() {
      count();
      const { board, selected } = puzzle;
      if (!board) return;
      const entry = selected === null ? 0 : digitAt(board.entries, selected);
      const isClue = selected !== null && digitAt(board.clues, selected) > 0;
      $("play-cell").textContent = selected === null ? t("playChoose") : cellName(selected, sideOf(board));
      for (const name of MODES) $(`play-${name}`).setAttribute("aria-pressed", String(name === mode));
      keys.fit(board);
      for (const button of keys.buttons) {
        const digit = Number(button.dataset.digit);
        const isFree = selected !== null && !isPaused;
        const fits = mode === "colour" ? digit <= PLAYER_COLOURS.length : !isClue && (mode === "digit" || digit === 0 || !entry);
        button.disabled = !isFree || !fits;
        button.setAttribute("aria-pressed", String(digit > 0 && stands(board, selected, digit)));
        button.setAttribute("aria-label", digit ? t(LABELS[mode], { digit: mode === "colour" ? digit : symbolOf(board, digit) }) : t("erase"));
        const colour = mode === "colour" && PLAYER_COLOURS[digit - 1];
        button.style.background = colour ? `${colour}80` : "";
      }
      $("play-undo").disabled = !puzzle.canUndo || isPaused;
      $("play-redo").disabled = !puzzle.canRedo || isPaused;
      $("play-conflicts").setAttribute("aria-pressed", String(preference("conflicts") === "yes"));
      $("play-pause").setAttribute("aria-pressed", String(isPaused));
      $("play-pause").setAttribute("aria-label", t(isPaused ? "playGoOn" : "playPause"));
      $("play-pause").querySelector("use").setAttribute("href", isPaused ? "#i-next" : "#i-pause");
    },
  };

  function stands(board, cell, digit) {
    if (cell === null) return false;
    if (mode === "digit") return digitAt(board.entries, cell) === digit;
    const held = board.marks?.[mode][cell] ?? 0;
    return mode === "colour" ? held === digit : Boolean(held & (1 << digit));
  }
}

const LABELS = { digit: "digit", corner: "playCornerNote", centre: "playCentreNote", colour: "playColourNote" };
