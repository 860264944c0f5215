// The page: which screen is seen, and how a photo gets from the camera to its solution.

import { getSession, isAborted, Lost, Problem, whenExpired } from "./api.js";
import { boardsOf, makeAlbum } from "./album.js";
import { makeJourney } from "./journey.js";
import { listenToKeys } from "./keys.js";
import { makeMenu } from "./menu.js";
import { canvasOf } from "./picture.js";
import { applyLook, preference, whenLookChanges } from "./preferences.js";
import { makePuzzle } from "./puzzle.js";
import { makePuzzleScreen } from "./puzzle_screen.js";
import { dropWaiting, findPuzzle, findWaiting, isUnsent, listPuzzles, makeId } from "./recent.js";
import { makeStart } from "./start.js";
import { statusOfCancelled, statusOfProblem, statusOfSending } from "./status.js";
import { makeWay } from "./way.js";
import { chooseLanguage, sayAll, t } from "./words.js";

const $ = (id) => document.getElementById(id);
const SCREENS = ["start", "puzzle", "live"];
const OFFLINE = ["sharing", "typing", "unsent"];
const LATER = ["sharing", "corners", "rules", "typing", "making", "lessons", "dialogs", "unsent"]; // loaded when wanted

let liveView = null;
let picture = null; // of the journey: {id, blob, canvas}
let loads = 0; // modules that were wanted so far
let wishes = 0; // what was wanted so far: what opens slowly must not come after the next wish

const puzzle = makePuzzle({
  changed(what) {
    if (what.isOther || puzzle.board !== lastBoard) {
      screen.outdate(what);
      album.keepSoon();
    }
    if (puzzle.board !== lastBoard || puzzle.play !== lastPlay) album.keepSteps();
    // What strokes are kept for has to be there itself.
    if (puzzle.play.isOn && !lastPlay?.isOn) album.keepNow();
    [lastBoard, lastPlay] = [puzzle.board, puzzle.play];
    // What failed or was called off is past once something else is done.
    if (journey.isOn || !puzzle.board) screen.render();
    else screen.say(null);
  },
  isShownAtOnce: () => preference("atOnce") === "yes",
});
let lastBoard = null;
let lastPlay = null;

const journey = makeJourney({
  stage(stage, id) {
    way.go("puzzle", id);
    show("puzzle");
    screen.say({ ...statusOfSending(stage), isBlocking: true });
  },
  async picture(made) {
    picture = made;
    const { id, canvas, blob } = made;
    puzzle.close();
    screen.setView("photo");
    puzzle.open(photoOf(id, canvas), []);
    if (canvas) await screen.photoView.show(blob, canvas.width, canvas.height);
    else screen.photoView.clear();
  },
  arrived(report, { canvas }, corners, place) {
    screen.say(null);
    const found = boardsOf(report, canvas);
    const seconds = Object.values(report.seconds ?? {}).reduce((sum, one) => sum + one, 0);
    const { width, height } = report;
    const photo = { ...puzzle.photo, width, height, seconds, isNotKept: report.kept === false, looksLike: report.looks_like };
    // A board that was read anew takes the place of the one whose corners were moved.
    const isAnew = corners !== null && found.length > 0 && puzzle.boards.length > 0;
    const boards = isAnew ? puzzle.boards.map((one, number) => (number === place ? found[0] : one)) : found;
    puzzle.open(photo, boards, isAnew ? place : 0);
    // Until then a reload sends it again. Another photo that waits meanwhile is not this one.
    album.keepNow().finally(() => journey.isOn || dropWaiting());
  },
  failed: (code) => screen.say({ ...statusOfProblem(code), isBlocking: !puzzle.board }),
  cancelled: () => screen.say({ ...statusOfCancelled(), isBlocking: !puzzle.board }),
});

const layers = { covered: (close) => way.cover(close), uncovered: (close) => way.uncover(close) };
const screen = makePuzzleScreen(puzzle, {
  again: () => journey.again(),
  now: () => journey.now(),
  cancel: () => journey.cancel(),
  ...layers,
  learn: (technique) => openLessons(technique),
  load,
  readCorners(quad) {
    const { canvas } = puzzle.photo;
    if (picture?.canvas !== canvas) return;
    journey.send(picture, quad, puzzle.number);
  },
});

const album = makeAlbum(puzzle);
const start = makeStart(openKept);
let unsent = null; // once some were left
const way = makeWay(arrive);

async function openKept(kept) {
  wishes += 1;
  const mine = wishes;
  const opened = await album.load(kept);
  if (opened === null || mine !== wishes) return;
  way.go("puzzle", kept.id);
  show("puzzle");
  screen.say(null);
  const { photo, boards, number, plays } = opened;
  picture = { id: kept.id, blob: kept.picture, canvas: photo.canvas };
  if (photo.canvas) await screen.photoView.show(kept.picture, photo.width, photo.height);
  else screen.photoView.clear();
  if (mine !== wishes) return;
  puzzle.open(photo, boards, number, plays);
  if (!boards.length) journey.send(picture, null);
}

// What is known of a photo before it is sent; one without a canvas cannot be seen here.
function photoOf(id, canvas) {
  const { width, height } = canvas ?? { width: 0, height: 0 };
  return { id, time: Date.now(), canvas, isSeen: canvas !== null, width, height };
}

const menu = makeMenu({
  changed: sayEverything,
  placeCorners: () => screen.placeCorners(),
  correctRules: () => screen.correctRules(),
  canCorrectRules: () => document.body.dataset.screen === "puzzle" && screen.canCorrectRules(),
  ...layers,
  canPlace: () => document.body.dataset.screen === "puzzle" && Boolean(puzzle.photo?.isSeen),
});

let beginTyping = null; // once it was wanted
$("open-typing").addEventListener("click", async () => {
  const typing = await load("typing");
  beginTyping ??= typing?.makeTyping({ opened: (typed) => openBoard(typing.typedBoard(typed)), ...layers });
  beginTyping?.();
});
$("open-making").addEventListener("click", async () => {
  const making = await load("making");
  making?.openMaking({ opened: openMade, ...layers });
});
$("open-lessons").addEventListener("click", () => openLessons(null));

// Opens a puzzle that has no photo.
function openBoard(board) {
  putAway();
  const photo = { ...photoOf(makeId(), null), isTyped: true };
  way.go("puzzle", photo.id);
  show("puzzle");
  puzzle.open(photo, [board]);
}

// Opens a puzzle that was pasted, if it is one.
async function openText(text) {
  const typing = await load("typing");
  if (!typing) return;
  const typed = typing.tellsRules(text) ? await typing.readPuzzle(text) : typing.cluesOf(text);
  if (typed.clues) openBoard(typing.typedBoard(typed));
}

// Opens a puzzle that was made to be solved here.
function openMade(board) {
  openBoard(board);
  screen.startPlay();
}

// A module that is seldom wanted; null where another tap came meanwhile, or, which is said, where the
// computer cannot be reached.
async function load(name) {
  loads += 1;
  const mine = loads;
  try {
    const module = await import(`./${name}.js`);
    return mine === loads ? module : null;
  } catch {
    if (document.body.dataset.screen === "puzzle") screen.say({ severity: "doubtful", headline: t("lost") });
    else $("start-text").textContent = t("lost");
    return null;
  }
}

async function openLessons(technique) {
  const lessons = await load("lessons");
  lessons?.openLessons(technique, puzzle, { opened: openMade, ...layers });
}

function show(name) {
  if (document.body.dataset.screen === name) return;
  if (name !== "live") closeLive();
  unsent?.stop();
  document.body.dataset.screen = name;
  for (const one of SCREENS) $(one).hidden = one !== name;
  $("start-bar").hidden = name !== "start";
  $("actions").hidden = name !== "puzzle";
  if (name === "puzzle") {
    // What works without the computer has to be here before it is gone.
    for (const module of OFFLINE) import(`./${module}.js`).catch(() => {});
    screen.setView("photo");
    $("start-text").textContent = "";
  }
}

function sayEverything() {
  sayAll();
  start.render();
  screen.render();
  document.title = "Sudoku Lens";
}

// --- where photos come from

function take(file) {
  if (!file) return;
  wishes += 1;
  screen.leavePanel();
  album.keepNow(); // the puzzle that makes room for it
  journey.begin(file, makeId());
}

for (const id of ["camera-input", "gallery-input", "again-input"]) {
  $(id).addEventListener("change", () => {
    const [file] = $(id).files;
    // So that the same file may be chosen again.
    $(id).value = "";
    take(file);
  });
}
$("go-home").addEventListener("click", () => way.home());

// Where the phone's own way back or forward leads.
async function arrive({ screen: name, id }) {
  if (name !== "puzzle") {
    if (name !== "start") way.stay();
    leave();
    return;
  }
  putAway();
  const mine = wishes;
  await album.keepNow();
  const kept = await findPuzzle(id);
  if (mine !== wishes) return;
  if (kept) {
    await openKept(kept);
    return;
  }
  way.stay();
  leave();
}

function leave() {
  putAway();
  show("start");
  album.keepNow().finally(sendUnsent);
}

async function sendUnsent() {
  if (!(await listPuzzles()).some(isUnsent)) return;
  const module = await import("./unsent.js").catch(() => null);
  if (!module) return void window.addEventListener("online", sendUnsent, { once: true });
  unsent ??= module.makeUnsent(album, () => start.render());
  if (document.body.dataset.screen === "start") unsent.begin();
}

function putAway() {
  wishes += 1;
  if (journey.isOn && !puzzle.board && puzzle.photo && picture) album.keepUnsent(puzzle.photo, picture.blob);
  journey.stop();
  screen.leavePanel();
  screen.say(null);
  album.keepNow().finally(() => start.render());
  puzzle.close();
  screen.photoView.clear();
}

// A page that is hidden may never be seen again.
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && album.keepNow());

document.addEventListener("paste", (event) => {
  if (event.target.closest?.("textarea, input")) return;
  take([...(event.clipboardData?.files ?? [])].find(isPicture));
  const text = event.clipboardData?.getData("text") ?? "";
  if (text) openText(text);
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  $("drop").hidden = false;
});
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) $("drop").hidden = true;
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  $("drop").hidden = true;
  take(event.dataTransfer?.files[0]);
});
const isPicture = (file) => file.type.startsWith("image/");

// --- live

$("open-live").addEventListener("click", async () => {
  const live = await load("live");
  if (!live) return;
  way.go("live");
  show("live");
  liveView = live.openLive($("live"), {
    onPhoto(blob) {
      take(blob);
    },
    onTakePhoto() {
      way.home();
      $("camera-input").click();
    },
    onClose() {
      // Who closed it because another screen comes has forgotten it before.
      const isLeft = liveView !== null;
      liveView = null;
      if (isLeft) way.home();
    },
    onExpired: expire,
  });
});

function closeLive() {
  const view = liveView;
  liveView = null;
  view?.close();
}

// --- the session

async function expire() {
  $("expired").hidden = false;
  $("expired-kept").hidden = !(await findWaiting());
  // What failed because of it has heard so first, and leaves its photo where it is kept.
  await new Promise((resolve) => setTimeout(resolve));
  // Playing needs no computer.
  if (document.body.dataset.screen !== "start" && !puzzle.play.isOn) way.home();
}

async function begin() {
  const place = way.begin();
  applyLook();
  whenLookChanges(() => screen.render());
  await chooseLanguage();
  sayAll();
  listenToKeys(puzzle, screen);
  whenExpired(expire);
  if (wishes === 0) show("start");
  await start.render();
  if (place.screen !== "start" && wishes === 0) await takeUp(place);
  try {
    const session = await getSession();
    menu.know(session);
    $("open-live").hidden = !session.live;
    if (session.keeps && !session.can_keep) $("start-text").textContent = t("keepsFull");
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return;
    if (!(error instanceof Lost) && !(error instanceof Problem)) throw error;
    // Kept puzzles can be looked at without the computer.
    $("start-text").textContent = t("lost");
    window.addEventListener("online", () => ($("start-text").textContent = ""), { once: true });
  }
  await resume();
  sendUnsent();
  if ("serviceWorker" in navigator && location.protocol === "https:") keepPage().catch(() => {});
}

// Opens what the address names, as after a reload. A photo that was on its way is sent later.
async function takeUp({ screen: name, id }) {
  const kept = name === "puzzle" ? await findPuzzle(id) : undefined;
  const waiting = await findUnsent();
  if (kept && !waiting) await openKept(kept);
  else if (!waiting) way.stay();
}

// Keeps the page itself, so that it opens while the computer is off. Where the phone does not trust
// the certificate it keeps nothing, and all else works.
async function keepPage() {
  await navigator.serviceWorker.register("/service-worker.js");
  await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map((one) => new URL(one.name));
  const own = loaded.filter((one) => one.origin === location.origin && !one.pathname.startsWith("/api/"));
  const kept = await caches.open("sudoku-lens-page");
  const later = LATER.map((name) => `/page/${name}.js`);
  await kept.addAll(["/", ...new Set([...own.map((one) => one.pathname), ...later])]);
}

// The photo that waits, unless its puzzle is here already, as where the page was left right then.
async function findUnsent() {
  const waiting = await findWaiting();
  if (!waiting || waiting.corners) return waiting;
  const kept = await findPuzzle(waiting.puzzle);
  if (!kept?.boards.length) return waiting;
  await dropWaiting();
  return undefined;
}

// Sends the photo that was on its way when the page was left.
async function resume() {
  const waiting = await findUnsent();
  if (!waiting || journey.isOn || document.body.dataset.screen !== "start") return;
  wishes += 1;
  const mine = wishes;
  const canvas = await canvasOf(waiting.blob);
  if (mine !== wishes) return;
  const made = { id: waiting.puzzle ?? makeId(), blob: waiting.blob, canvas };
  try {
    way.go("puzzle", made.id);
    show("puzzle");
    picture = made;
    puzzle.open(photoOf(made.id, canvas), []);
    if (canvas) await screen.photoView.show(waiting.blob, canvas.width, canvas.height);
    if (mine === wishes) await journey.send(made, waiting.corners ?? null);
  } catch (error) {
    if (!isAborted(error)) await dropWaiting();
  }
}

begin();
