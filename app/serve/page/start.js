// The first screen: where a photo comes from, and the puzzles of late.

import { deleteAllPuzzles, deletePuzzle, isUnsent, listPlays, listPuzzles } from "./recent.js";
import { icon } from "./pad.js";
import { makeElement, makeSvg } from "./drawing.js";
import { GLYPHS } from "./glyphs.js";
import { sayTime } from "./status.js";
import { currentLanguage, t } from "./words.js";

const $ = (id) => document.getElementById(id);

const MOTIF = [[22, 22, 5], [102, 22, 7], [22, 62, 6], [62, 62, 3, "green"], [62, 102, 9]];

// `open` gets the kept puzzle that was chosen.
export function makeStart(open) {
  let isEditing = false;
  let addresses = [];

  for (const [x, y, digit, name = "dark"] of MOTIF) {
    const transform = `translate(${x} ${y}) scale(0.0225)`;
    $("motif-digits").append(makeSvg("path", { d: GLYPHS[digit], transform, class: name }));
  }
  $("edit-recent").addEventListener("click", () => edit(!isEditing));
  $("delete-all").addEventListener("click", async () => {
    const all = await listPuzzles();
    if (!window.confirm(t("deleteAllSure", { count: all.length }))) return;
    await deleteAllPuzzles();
    edit(false);
  });

  function edit(wanted) {
    isEditing = wanted;
    render();
  }

  async function render() {
    const puzzles = await listPuzzles();
    const plays = new Map((await listPlays()).map((play) => [play.id, play.plays]));
    for (const address of addresses) URL.revokeObjectURL(address);
    addresses = [];
    if (!puzzles.length) isEditing = false;
    $("recent").hidden = !puzzles.length;
    $("edit-recent").textContent = t(isEditing ? "done" : "edit");
    $("edit-recent").setAttribute("aria-pressed", String(isEditing));
    $("delete-all").hidden = !isEditing;
    $("recent-list").replaceChildren(...puzzles.map((puzzle) => makeItem(puzzle, plays.get(puzzle.id) ?? [])));
  }

  // `plays` says of each board how far a person has solved it.
  function makeItem(puzzle, plays) {
    const isSolved = puzzle.boards.some((board) => board.solution);
    const isSent = !isUnsent(puzzle);
    const played = plays.find((play) => play.isDone) ?? plays.find((play) => play.seconds);
    const time = sayTime(played?.seconds ?? 0);
    let status = t(isSolved ? "solved" : isSent ? "unreadable" : "unsent");
    if (played) status = t(played.isDone ? "playDone" : "playSince", { time });
    const when = formatTime(puzzle.time);
    const said = isSent ? [when, played && time].filter(Boolean).join(" · ") : status;
    const line = makeElement("span", { className: "when" }, makeElement("i", { className: isSolved ? "good" : "" }), said);
    const name = t("openRecent", { when, status });
    const button = makeElement("button", { type: "button", className: "open", "aria-label": name }, makeThumb(puzzle), line);
    button.addEventListener("click", () => open(puzzle));
    return makeElement("li", {}, button, ...(isEditing ? [makeDelete(puzzle)] : []));
  }

  function makeThumb({ thumb }) {
    if (!thumb) return makeElement("div", { className: "thumb" }, icon("i-picture"));
    const src = URL.createObjectURL(thumb);
    addresses.push(src);
    return makeElement("img", { className: "thumb", alt: "", src });
  }

  function makeDelete(puzzle) {
    const button = makeElement("button", { type: "button", className: "delete", "aria-label": t("deleteOne") }, icon("i-close"));
    button.addEventListener("click", async () => {
      await deletePuzzle(puzzle.id);
      await render();
    });
    return button;
  }

  return { render };
}

function formatTime(time, now = new Date()) {
  const date = new Date(time);
  const isToday = date.toDateString() === now.toDateString();
  const style = isToday ? { hour: "numeric", minute: "2-digit" } : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(currentLanguage(), style).format(date);
}
