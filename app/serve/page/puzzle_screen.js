// The screen of an opened photo: what is drawn, said and offered there.

import { facesOf, isHole, partsOf, widthOf } from "./board.js";
import { makeCleanBoard, printedBoards } from "./clean_board.js";
import { cleanColours, ON_DARK, ON_PAPER, paintBoard } from "./painting.js";
import { makeHelp } from "./help.js";
import { makePad } from "./pad.js";
import { makePlay } from "./play.js";
import { boardCorners } from "./perspective.js";
import { makePhotoView } from "./photo_view.js";
import { prefer, preference } from "./preferences.js";
import { showStatus, statusOfBoard, statusWithoutBoard } from "./status.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const PANELS = ["pad", "play", "hint", "check", "share", "corners", "rules"];
const AROUND_CORNERS = 0.3; // room around the board in which its corners are moved, in boards

// `puzzle` is of `puzzle.js`; `asked` does what leads away: {again, now, cancel, readCorners(quad),
// learn(technique), load(module)},
// and `covered(close)` and `uncovered(close)` what lies on top.
export function makePuzzleScreen(puzzle, asked) {
  let panel = null;
  let message = null; // a status that stands before the board's own
  let before = new Set(); // cells whose solution was seen
  let partNumber = null; // of the part of the board that is looked at, null for all of it
  const photoView = makePhotoView($("stage"), {
    cell: tapCell,
    hold: (cell) => holdCell(cell, false),
    board: (number) => puzzle.choose(number),
    nothing: () => (panel === "pad" ? closePanel() : undefined),
    viewed: () => corners?.follow(),
  });
  let corners = null; // once they were wanted
  const clean = makeCleanBoard($("clean"), {
    cell: tapCell,
    hold: holdCell,
    // What has been chosen by a press gets the focus, too.
    focus: (cell) => puzzle.cells.includes(cell) || puzzle.select(cell),
  });
  const help = makeHelp(puzzle, render);
  const pad = makePad(puzzle, { done: closePanel });
  let sharing = null; // once it was wanted
  const play = makePlay(puzzle, { changed: render });
  let rules = null; // once it was wanted

  // A press goes on over cells; true where they are taken. The first one may begin anew.
  function holdCell(cell, isFirst) {
    if (puzzle.board && isHole(puzzle.board, cell)) return false;
    if (panel === "rules") rules.add(cell, isFirst);
    else if (!puzzle.play.isOn) return false;
    else if (isFirst) puzzle.select(cell);
    else puzzle.selectAlso(cell);
    return true;
  }

  function tapCell(cell, isMore = false) {
    if (corners?.isOpen || !puzzle.board || isHole(puzzle.board, cell)) return;
    if (puzzle.play.isOn) {
      if (panel !== "play") closePanel();
      return isMore ? puzzle.toggleCell(cell) : puzzle.select(cell);
    }
    if (panel === "rules") return rules.tap(cell);
    if (panel === "pad" && puzzle.selected === cell) {
      closePanel();
      return;
    }
    puzzle.select(cell);
    openPanel("pad");
  }

  function openPad() {
    if (puzzle.selected === null || puzzle.play.isOn) return;
    openPanel("pad");
    pad.focus();
  }

  function openPanel(name) {
    if (panel === "corners" && name !== "corners") corners.stop();
    // Who plays wants all of the board beside the pad, wherever a finger was.
    photoView.keepStill(name !== null && name !== "play");
    if (name === null) asked.uncovered(closePanel);
    else asked.covered(closePanel);
    panel = name;
    document.body.dataset.panel = name ?? "";
    for (const one of PANELS) $(`panel-${one}`).hidden = one !== name;
    render();
    // What opened takes room from the photo.
    if (name === "pad") requestAnimationFrame(() => puzzle.selected !== null && photoView.reveal([puzzle.selected]));
  }

  // Another screen that comes ends no playing: it goes on where the puzzle is opened again.
  const leavePanel = () => closePanel({ isLeft: true });

  function closePanel({ isLeft = false } = {}) {
    const closed = panel;
    const { selected } = puzzle;
    const hadFocus = closed !== null && $(`panel-${closed}`).contains(document.activeElement);
    if (closed === "hint" || closed === "check") help.clear();
    if (closed === "pad" || closed === "play") puzzle.select(null);
    if (closed === "play" && !isLeft) puzzle.stopPlay();
    if (closed === "rules") rules.clear();
    openPanel(puzzle.play.isOn && !isLeft ? "play" : null);
    if (!hadFocus) return;
    if (closed === "pad" && selected !== null) clean.focus(selected);
    else $(`ask-${closed}`)?.focus({ preventScroll: true });
  }

  function render() {
    if (document.body.dataset.screen !== "puzzle") return;
    const { board } = puzzle;
    const hasPhoto = Boolean(puzzle.photo?.isSeen);
    document.body.toggleAttribute("data-no-photo", Boolean(puzzle.photo) && !hasPhoto);
    if (board && !hasPhoto) setView("board");
    showStatus(message ?? noted(board ? ownStatus(board, hasPhoto) : emptyStatus()));
    renderBoard(board);
    const isReady = Boolean(board) && !message?.isBlocking;
    for (const name of ["hint", "check", "share"]) {
      $(`ask-${name}`).disabled = !isReady;
      $(`ask-${name}`).setAttribute("aria-pressed", String(panel === name));
    }
    $("toggle-solution").disabled = !isReady || board.solution === null;
    $("toggle-solution").setAttribute("aria-pressed", String(isReady && board.solution !== null && puzzle.isShown));
    renderNumber();
    if (panel === "play") play.render();
    if (panel === "hint") renderHint();
    if (panel === "check") $("check-text").textContent = help.text;
    if (panel === "pad") pad.render();
    if (panel === "rules") rules.render();
    if (panel === "share") sharing?.render();
  }

  function ownStatus(board, hasPhoto) {
    const { isShown, waiting, canUndo, photo, shown } = puzzle;
    return statusOfBoard(board, { play: puzzle.play, isShown: isShown || shown.size > 0, waiting, canUndo, hasPhoto, isTyped: Boolean(photo?.isTyped), seconds: photo?.seconds });
  }

  // Says with a status that the computer was to keep the photo, and could not.
  function noted(status) {
    if (!puzzle.photo?.isNotKept) return status;
    return { ...status, detail: [status.detail, t("notKept")].filter(Boolean).join(" ") };
  }

  const emptyStatus = () => (puzzle.photo ? statusWithoutBoard(puzzle.photo.looksLike) : { severity: "idle", headline: "" });

  function renderBoard(board) {
    const areEntriesJudged = puzzle.play.isOn && preference("conflicts") === "yes";
    const faces = board ? facesOf(board, puzzle.shown, { areEntriesJudged }) : Array.from({ length: 81 }, () => BLANK);
    const shown = new Set(faces.flatMap((face, cell) => (face.solution ? [cell] : [])));
    const fresh = new Set([...shown].filter((cell) => !before.has(cell)));
    before = shown;
    const isOverWanted = panel === "hint" || panel === "check";
    // Where nothing was solved, what was read is compared with the photo first of all.
    const isFirst = board !== null && board.solution === null && !board.byHand.length;
    const areBadgesWanted = preference("showRead") === "yes" || isFirst;
    const over = { ...(isOverWanted ? help.over : {}), areBadgesWanted, hasSums: Boolean(board?.cages?.length) };
    const { selected, cells } = puzzle;
    const part = lookedAt(board);
    clean.draw(board, faces, cleanColours(), over, {
      fresh,
      selected,
      chosen: panel === "rules" ? rules.chosen : cells,
      marks: over.marks ?? {},
      part,
    });
    const lattices = puzzle.boards.map((one) => one.lattice);
    const near = part && board.lattice?.slice(part[0], part[0] + 10).map((row) => row.slice(part[1], part[1] + 10));
    photoView.setBoards(lattices, puzzle.number, near);
    if (!board?.lattice || corners?.isOpen) {
      photoView.draw({ tints: [], inks: [] }, { fresh, frame: "none" });
      return;
    }
    $("stage").querySelector(".plane").classList.toggle("dark", board.isDark === true);
    const shapes = paintBoard(faces, board.lattice, board.isDark ? ON_DARK : ON_PAPER, over);
    const isAlone = lattices.length === 1;
    let frame = board.solution === null ? "doubtful" : "good";
    if (isAlone && board.solution !== null) frame = "none";
    photoView.draw(shapes, { fresh, frame, selected: cells });
  }

  // Which board is seen of several, or which part of it.
  function renderNumber() {
    const parts = partsOf(puzzle.board).length;
    const [number, count] = partNumber === null ? [puzzle.number + 1, puzzle.boards.length] : [partNumber + 1, parts];
    const isAll = parts > 0 && partNumber === null;
    $("boards").hidden = count < 2 && parts === 0;
    $("board-number").textContent = isAll ? t("partsAll") : t("boardOf", { number, count });
    $("boards").setAttribute("aria-label", isAll ? t("partsAllName") : t(parts ? "partName" : "boardName", { number, count }));
  }

  // The row and column where the part begins that is looked at, null for all of the board.
  function lookedAt(board) {
    const parts = partsOf(board);
    if (partNumber === null || !parts[partNumber]) return (partNumber = null);
    const width = widthOf(board);
    const holds = ([row, column], cell) => {
      const [down, right] = [Math.floor(cell / width) - row, (cell % width) - column];
      return down >= 0 && down < 9 && right >= 0 && right < 9;
    };
    // Who goes beyond it with the keys goes on in the next one.
    const { selected } = puzzle;
    if (selected !== null && !holds(parts[partNumber], selected)) partNumber = parts.findIndex((part) => holds(part, selected));
    return parts[partNumber];
  }

  function renderHint() {
    $("hint-text").textContent = help.text;
    renderLesson(help.lesson);
    $("rating").textContent = help.rating;
    $("hint-more").textContent = help.next;
    $("dots").setAttribute("aria-label", t("hintStrength", { number: help.strength }));
    [...$("dots").children].forEach((dot, number) => dot.classList.toggle("on", number < help.strength));
  }

  function renderLesson(lesson) {
    const page = $("hint-lesson");
    page.hidden = lesson === null;
    if (lesson === null) return void (page.open = false);
    const texts = [lesson.what, lesson.spot, lesson.effect];
    page.querySelectorAll("p").forEach((paragraph, number) => (paragraph.textContent = texts[number]));
  }

  async function hint() {
    if (!puzzle.board) return;
    if (puzzle.isShown) puzzle.showSolution(false);
    if (panel !== "hint") openPanel("hint");
    help.rate();
    await help.hint();
    revealHint();
  }

  // No panel covers what a hint marks, at least where something happens.
  function revealHint() {
    if (panel !== "hint") return;
    const marked = Object.entries(help.over.marks);
    const targets = marked.filter(([, mark]) => mark === "target");
    for (const some of [marked, targets]) photoView.reveal(some.map(([cell]) => Number(cell)));
  }

  function check() {
    if (panel === "check") return closePanel();
    if (puzzle.isShown) puzzle.showSolution(false);
    openPanel("check");
    return help.check();
  }

  async function share() {
    if (panel === "share") return closePanel();
    $("panel-share").inert = sharing === null;
    openPanel("share");
    const module = await asked.load("sharing");
    sharing ??= module?.makeSharePanel(puzzle) ?? null;
    $("panel-share").inert = false;
    render();
  }

  async function placeCorners() {
    const { photo } = puzzle;
    if (!photo?.isSeen) return;
    const module = await asked.load("corners");
    if (!module || puzzle.photo !== photo || document.body.dataset.screen !== "puzzle") return;
    corners ??= module.makeCorners($("stage"), photoView, () => showCornersText());
    const { width, height } = photo;
    const lattice = puzzle.board?.lattice;
    const side = Math.min(width, height) * 0.8;
    const [left, top] = [(width - side) / 2, (height - side) / 2];
    const square = [[left, top], [left + side, top], [left + side, top + side], [left, top + side]];
    setView("photo");
    corners.start(lattice ? boardCorners(lattice).map(([x, y]) => [x + 0.5, y + 0.5]) : square);
    openPanel("corners");
    photoView.step(lattice ? AROUND_CORNERS : null);
    showCornersText();
  }

  function showCornersText() {
    $("corners-text").textContent = t(corners.isProper ? "cornersHelp" : "cornersWrong");
    $("read-corners").disabled = !corners.isProper;
  }

  // A samurai has the rules of its paper, and who plays has nothing to correct.
  const canCorrectRules = () => Boolean(puzzle.board) && !puzzle.play.isOn && puzzle.board.kind !== "samurai";

  async function correctRules() {
    if (!canCorrectRules()) return;
    const module = await asked.load("rules");
    if (!module) return;
    rules ??= module.makeRules(puzzle, { changed: render });
    if (document.body.dataset.screen !== "puzzle" || !canCorrectRules()) return;
    setView("board"); // which alone shows regions and cages
    openPanel("rules");
  }

  function startPlay() {
    puzzle.startPlay();
    openPanel("play");
  }

  const actions = {
    play: startPlay,
    undo: () => puzzle.undo(),
    kind_diagonal: () => puzzle.takeKind("diagonal"),
    kind_windoku: () => puzzle.takeKind("windoku"),
    corners: placeCorners,
    rules: correctRules,
    resolve: () => puzzle.retry(),
    again: asked.again,
    now: asked.now,
    cancel: asked.cancel,
  };
  $("status-action").addEventListener("click", (event) => actions[event.currentTarget.dataset.action]?.());
  $("status-cancel").addEventListener("click", asked.cancel);
  $("toggle-solution").addEventListener("click", () => toggleSolution());
  $("ask-hint").addEventListener("click", hint);
  $("hint-more").addEventListener("click", hint);
  $("hint-clear").addEventListener("click", () => {
    help.clear();
    render();
  });
  $("hint-lesson").addEventListener("toggle", revealHint);
  $("ask-check").addEventListener("click", check);
  $("ask-share").addEventListener("click", share);
  $("hint-practise").addEventListener("click", () => asked.learn(help.lesson?.technique ?? null));
  window.addEventListener("beforeprint", () => $("paper").replaceChildren(...printedBoards(puzzle)));
  $("previous-board").addEventListener("click", () => nextBoard(-1));
  $("next-board").addEventListener("click", () => nextBoard(1));
  $("read-corners").addEventListener("click", () => {
    const quad = corners.quad.map(([x, y]) => [x - 0.5, y - 0.5]);
    corners.stop();
    openPanel(null);
    asked.readCorners(quad);
  });
  for (const name of ["photo", "board"]) $(`view-${name}`).addEventListener("click", () => setView(name));
  for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", closePanel);

  function setView(name) {
    document.body.dataset.view = name;
    for (const one of ["photo", "board"]) $(`view-${one}`).setAttribute("aria-pressed", String(one === name));
  }

  function toggleSolution() {
    if (!puzzle.board?.solution) return;
    if (panel === "hint" || panel === "check") closePanel();
    puzzle.showSolution(!puzzle.isShown);
  }

  function toggleRead() {
    prefer("showRead", preference("showRead") === "yes" ? "no" : "yes");
    render();
  }

  function nextBoard(way) {
    const [count, parts] = [puzzle.boards.length, partsOf(puzzle.board).length];
    // All of a board is seen first, then each of its parts, and then the next board.
    const next = (partNumber ?? -1) + way;
    const isWithin = parts > 0 && next >= -1 && next < parts;
    if (isWithin) partNumber = next < 0 ? null : next;
    else partNumber = way < 0 && count === 1 && parts ? parts - 1 : null;
    puzzle.select(null);
    if (!isWithin && count > 1) puzzle.choose((puzzle.number + way + count) % count);
    else render();
  }

  return {
    render,
    setView,
    hint,
    check,
    toggleSolution,
    toggleRead,
    nextBoard,
    placeCorners,
    correctRules,
    canCorrectRules,
    tapCell,
    typeSum: (figure) => rules.typeSum(figure),
    closePanel,
    leavePanel,
    openPad,
    play,
    startPlay,
    clean,
    photoView,
    // Says something before what is said of the board; null takes it back.
    say(status) {
      message = status;
      render();
    },
    // What was said of the board may no longer hold.
    outdate({ isOther }) {
      sharing?.outdate();
      if (isOther) before = new Set();
      if (isOther) partNumber = null;
      if (panel === "play" && !puzzle.play.isOn) closePanel();
      if (isOther && panel !== null) openPanel(null);
      if (isOther && puzzle.play.isOn) openPanel("play");
      if (help.outdate() && !isOther) help.check();
    },
    get panel() {
      return panel;
    },
  };
}

const BLANK = { clue: 0, entry: 0, solution: 0, doubt: null, isByHand: false };
