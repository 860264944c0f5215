// Hints of three strengths, the difficulty, and the check of what is written: each is a text and
// what lies over the board. Asked of the computer; nothing is said of an unverified board.

import { isAborted, post } from "./api.js";
import { entriesWith, isClassic, judgementOf } from "./board.js";
import { marksOfCheck, sayCheck, sayRuleFault, statusOfFailure } from "./status.js";
import { currentLanguage, t } from "./words.js";

const DEPTHS = ["look", "pattern", "step"];
const NOTHING = { marks: {}, notes: [], digits: {} };

// A board as help goes on from it; `shown` holds the cells whose solution may be seen.
export const helpedPuzzle = (board, shown) => ({
  clues: board.clues,
  entries: entriesWith(board, shown),
  kind: board.kind ?? "classic",
  regions: board.regions ?? null,
  cages: board.cages ?? null,
  notes: board.marks?.centre ?? [],
  symbols: board.symbols,
});

// `puzzle` is of `puzzle.js`; `changed` is called when something else is to be shown.
export function makeHelp(puzzle, changed) {
  let depth = -1;
  let told = null; // the last answer
  let taken = 0;
  let text = "";
  let over = NOTHING;
  let kind = null; // "hint" or "check"
  let rated = { clues: null, language: null, text: "" };
  let asking = null;
  let hasFailed = false; // whether the last question reached no answer

  function clear() {
    asking?.abort();
    asking = null;
    [depth, told, taken, text, over, kind, hasFailed] = [-1, null, 0, "", NOTHING, null, false];
  }

  const hasWrong = (board) =>
    board.solution !== null &&
    [...board.entries].some((sign, cell) => sign !== "." && board.clues[cell] === "." && sign !== board.solution[cell]);

  const canDeepen = (board) => depth >= 0 && depth < 2 && told !== null && (told.has_step || hasWrong(board));

  async function ask(path, body) {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    try {
      return await post(path, body, mine.signal);
    } catch (error) {
      if (isAborted(error)) return null;
      text = statusOfFailure(error).headline;
      hasFailed = true;
      return null;
    } finally {
      if (asking === mine) asking = null;
    }
  }

  return {
    clear,
    // Begins a hint, deepens it, or goes on to the next one.
    async hint() {
      const { board } = puzzle;
      if (!board) return;
      if (kind !== "hint") clear();
      kind = "hint";
      if (board.ruleFault) {
        text = sayRuleFault(board);
        return void changed();
      }
      const before = [depth, taken];
      hasFailed = false;
      if (canDeepen(board)) depth += 1;
      else {
        if (told?.has_step && depth === 2) taken += 1;
        depth = 0;
      }
      changed();
      const body = {
        ...helpedPuzzle(board, puzzle.shown),
        depth: DEPTHS[depth],
        language: currentLanguage(),
        steps_taken: Math.min(taken, 500),
      };
      const answer = await ask("/api/hints", body);
      if (hasFailed) {
        [depth, taken] = before;
        return void changed();
      }
      if (answer === null || puzzle.board !== board) return;
      told = answer;
      ({ text } = answer);
      over = { marks: answer.marks, notes: answer.notes, digits: answer.digits };
      changed();
    },
    // Shows which entries are right.
    check() {
      const { board } = puzzle;
      if (!board) return;
      clear();
      kind = "check";
      text = sayCheck(board);
      const checked = judgementOf(board);
      over = checked ? { ...NOTHING, marks: marksOfCheck(board, checked) } : NOTHING;
      changed();
    },
    // Asks how hard the puzzle is, once for its clues.
    async rate() {
      const { board } = puzzle;
      const language = currentLanguage();
      if (!board?.solution || !isClassic(board) || (rated.clues === board.clues && rated.language === language)) return;
      const wanted = { clues: board.clues, language, text: t("rating") };
      rated = wanted;
      try {
        const answer = await post("/api/ratings", { clues: board.clues, language });
        wanted.text = t("difficulty", { text: answer.text });
      } catch {
        // It is not needed for anything; it is asked for again when help is next wanted.
        wanted.text = "";
        wanted.clues = null;
      }
      changed();
    },
    // The board is another one, or was corrected: what was said no longer holds.
    outdate() {
      const wasCheck = kind === "check";
      clear();
      return wasCheck;
    },
    get text() {
      return text || t("hintExplained");
    },
    // On the technique of the step, once it is told: {technique, title, what, spot, effect}, or null.
    get lesson() {
      return (kind === "hint" && told?.lesson) || null;
    },
    get rating() {
      return rated.clues === puzzle.board?.clues ? rated.text : "";
    },
    get over() {
      return over;
    },
    get strength() {
      return depth + 1;
    },
    get next() {
      if (hasFailed) return t("tryAgain");
      if (depth < 0) return t("hintFirst");
      if (puzzle.board && canDeepen(puzzle.board)) return t(depth === 0 ? "hintPattern" : "hintStep");
      return t("hintNext");
    },
  };
}
