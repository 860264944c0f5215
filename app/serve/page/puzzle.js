// The opened photo with its boards: what is known, what is shown, and every step. It knows nothing
// of the page; what changes is told by `changed({isOther})`.

import { isAborted, persist, post, Problem } from "./api.js";
import * as boards from "./board.js";

const NOT_PLAYED = { seconds: 0, isOn: false, isDone: false };

export function makePuzzle({ changed, isShownAtOnce }) {
  let photo = null; // {id, time, canvas, isSeen, width, height, seconds, kept}
  let timelines = [];
  let views = []; // {isShown, revealed} of each board
  let plays = []; // {seconds, isOn, isDone} of each board, how far a person has solved it
  let chosen = 0;
  let cells = []; // that are chosen, the last one last
  let solving = null; // the request for the board's solution
  let waiting = null; // why solving waits: "lost", "waiting" or null
  const nudge = new EventTarget();

  const present = () => timelines[chosen]?.present ?? null;
  const look = () => views[chosen] ?? { isShown: false, revealed: new Set() };

  function open(opened, found, number = 0, played = []) {
    stop();
    photo = opened;
    timelines = found.map(boards.begin);
    plays = found.map((_, at) => played[at] ?? NOT_PLAYED);
    // Whoever has begun to solve a puzzle, or had it made, does not want to see its solution.
    views = plays.map(({ seconds, isDone }, at) => ({
      isShown: isShownAtOnce() && (isDone || (seconds === 0 && !found[at].isMade)),
      revealed: new Set(),
    }));
    chosen = Math.min(number, Math.max(found.length - 1, 0));
    cells = [];
    changed({ isOther: true });
    if (present()?.isPending) solve();
  }

  function stop() {
    solving?.abort();
    solving = null;
    waiting = null;
  }

  function take(timeline) {
    if (timeline === timelines[chosen]) return;
    const before = present();
    timelines[chosen] = timeline;
    if (present() !== before && present().isPending) solve();
    else if (!present().isPending) stop();
    changed({ isOther: false });
  }

  // Has the present board solved; what is no longer present when the answer comes is dropped.
  async function solve() {
    stop();
    const number = chosen;
    const asked = present();
    const mine = new AbortController();
    solving = mine;
    const unsure = asked.checked?.unsure ?? [];
    const body = {
      clues: asked.clues,
      entries: asked.entries,
      kind: asked.kind ?? "classic",
      regions: asked.regions ?? null,
      cages: asked.cages ?? null,
      unsure: unsure.filter((cell) => !asked.byHand.includes(cell)),
    };
    try {
      const answer = await persist(() => post("/api/puzzles", body, mine.signal), {
        signal: mine.signal,
        nudge,
        onWait: ({ kind }) => {
          waiting = kind;
          changed({ isOther: false });
        },
      });
      const timeline = timelines[number];
      if (mine.signal.aborted || timeline?.present !== asked) return;
      settle(answer);
    } catch (error) {
      if (isAborted(error) || mine.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      // Refused for good; without a session it stays pending, to be solved when there is one.
      if (error.status !== 401) settle({ outcome: "gave_up", solution: null });
    }

    function settle(answer) {
      solving = null;
      waiting = null;
      timelines[number] = boards.replacePresent(timelines[number], boards.boardAnswered(asked, answer));
      changed({ isOther: false });
    }
  }

  const edit = (act) => present() && take(boards.step(timelines[chosen], act(present())));

  // A stroke of a person who solves the puzzle; nobody plays on when it is done.
  function stroke(act) {
    if (!plays[chosen]?.isOn) return;
    const next = act(present());
    const { isDone } = boards.progressOf(next);
    if (isDone) plays[chosen] = { ...plays[chosen], isOn: false, isDone };
    take(boards.step(timelines[chosen], next));
  }

  function selectAll(wanted) {
    if (wanted.length === cells.length && wanted.every((cell, at) => cell === cells[at])) return;
    cells = wanted;
    changed({ isOther: false });
  }

  return {
    open,
    close() {
      stop();
      photo = null;
      timelines = [];
      views = [];
      plays = [];
      cells = [];
    },
    choose(number) {
      if (number === chosen || !timelines[number]) return;
      stop();
      chosen = number;
      cells = [];
      changed({ isOther: true });
      if (present().isPending) solve();
    },
    // Chooses one cell, or with null none.
    select: (cell) => selectAll(cell === null ? [] : [cell]),
    // Chooses one cell more.
    selectAlso: (cell) => selectAll([...cells.filter((one) => one !== cell), cell]),
    // Chooses one cell more or less.
    toggleCell: (cell) => selectAll(cells.includes(cell) ? cells.filter((one) => one !== cell) : [...cells, cell]),
    setDigit: (cell, digit) => edit((board) => boards.setDigit(board, cell, digit)),
    changeHand: (cell) => edit((board) => boards.changeHand(board, cell)),
    correct: (change) => edit(change),
    takeKind: (kind) => edit((board) => boards.takeKind(board, kind)),
    // Begins or goes on to solve the board oneself.
    startPlay() {
      if (!present()?.solution) return;
      plays[chosen] = { ...plays[chosen], isOn: true, isDone: false };
      // What is undone from here on are strokes, not corrections of what was read.
      timelines[chosen] = boards.begin(present());
      views[chosen] = { isShown: false, revealed: new Set() };
      changed({ isOther: false });
    },
    stopPlay() {
      if (!plays[chosen]?.isOn) return;
      plays[chosen] = { ...plays[chosen], isOn: false };
      changed({ isOther: false });
    },
    write: (digit) => stroke((board) => boards.write(board, cells, digit)),
    mark: (kind, number) => stroke((board) => boards.mark(board, cells, kind, number)),
    erase: () => stroke((board) => boards.erase(board, cells)),
    // Time that went by while the board was played.
    addSeconds(seconds) {
      if (plays[chosen]?.isOn) plays[chosen] = { ...plays[chosen], seconds: plays[chosen].seconds + seconds };
    },
    undo: () => present() && take(boards.undo(timelines[chosen])),
    redo: () => present() && take(boards.redo(timelines[chosen])),
    // Tries again to reach the computer.
    retry() {
      if (solving) nudge.dispatchEvent(new Event("now"));
      else if (present()?.isPending) solve();
    },
    showSolution(isShown) {
      if (!present() || look().isShown === isShown) return;
      views[chosen] = { isShown, revealed: new Set() };
      changed({ isOther: false });
    },
    revealCell(cell) {
      if (!present()?.solution) return;
      const view = look();
      const revealed = new Set(view.revealed);
      if (!revealed.delete(cell)) revealed.add(cell);
      views[chosen] = { isShown: false, revealed };
      changed({ isOther: false });
    },
    get shown() {
      if (!look().isShown) return look().revealed;
      return new Set(Array(present().clues.length).keys());
    },
    get isShown() {
      return look().isShown;
    },
    get play() {
      return plays[chosen] ?? NOT_PLAYED;
    },
    get plays() {
      return plays;
    },
    get board() {
      return present();
    },
    get boards() {
      return timelines.map((timeline) => timeline.present);
    },
    get number() {
      return chosen;
    },
    get photo() {
      return photo;
    },
    // The cell that was chosen last, null for none.
    get selected() {
      return cells.at(-1) ?? null;
    },
    get cells() {
      return cells;
    },
    get waiting() {
      return waiting;
    },
    get canUndo() {
      return (timelines[chosen]?.past.length ?? 0) > 0;
    },
    get canRedo() {
      return (timelines[chosen]?.future.length ?? 0) > 0;
    },
  };
}
