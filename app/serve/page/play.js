// The pad of who solves the puzzle here: digits, notes and colours, and the clock beside them.

import { digitAt, symbolOf, widthOf } from "./board.js";
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

  // Puts what the mode says into the chosen cells, or takes it out; 0 erases.
  function press(digit) {
    if (!puzzle.cells.length || isPaused || !puzzle.play.isOn) return;
    count();
    if (digit === 0) puzzle.erase();
    else if (mode === "digit") puzzle.write(digit);
    else if (mode !== "colour" || digit <= PLAYER_COLOURS.length) puzzle.mark(mode, digit);
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
      const { board, cells } = puzzle;
      if (!board) return;
      const areEntries = cells.every((cell) => digitAt(board.clues, cell) || digitAt(board.entries, cell));
      const areClues = cells.every((cell) => digitAt(board.clues, cell));
      const name = cells.length === 1 ? cellName(cells[0], widthOf(board)) : t("playCells", { count: cells.length });
      $("play-cell").textContent = cells.length ? name : t("playChoose");
      for (const name of MODES) $(`play-${name}`).setAttribute("aria-pressed", String(name === mode));
      keys.fit(board);
      for (const button of keys.buttons) {
        const digit = Number(button.dataset.digit);
        const isFree = cells.length > 0 && !isPaused;
        const fits = mode === "colour" ? digit <= PLAYER_COLOURS.length : !areClues && (mode === "digit" || digit === 0 || !areEntries);
        button.disabled = !isFree || !fits;
        button.setAttribute("aria-pressed", String(digit > 0 && cells.length > 0 && stands(board, cells, digit)));
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

  // Whether a digit stands in all of the cells.
  function stands(board, cells, digit) {
    if (mode === "digit") return cells.every((cell) => digitAt(board.entries, cell) === digit);
    const held = cells.map((cell) => board.marks?.[mode][cell] ?? 0);
    return held.every((one) => (mode === "colour" ? one === digit : Boolean(one & (1 << digit))));
  }
}

const LABELS = { digit: "digit", corner: "playCornerNote", centre: "playCentreNote", colour: "playColourNote" };
