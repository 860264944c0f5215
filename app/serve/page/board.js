// What is known of one board and every step with it: plain values that are never changed, only
// replaced. Grids are texts of n × n signs in reading order, with a point for an empty cell.

export const EMPTY_GRID = ".".repeat(81);

const SIGNS = "123456789ABCDEFGHIJKLMNOP"; // of each digit, from 1
const BOX_ROWS = { 4: 2, 6: 2, 8: 2, 9: 3, 10: 2, 12: 3, 16: 4 }; // of the usual boxes of each side

const WHOLE_WIDTHS = [15, 21]; // of the square papers of samurais
const NO_CELL = "-";

// How many cells a board has each way; a samurai has as many as its paper.
export const widthOf = (board) => Math.round(Math.sqrt(board?.clues?.length ?? EMPTY_GRID.length));
// How many digits a board has.
export const sideOf = (board) => (WHOLE_WIDTHS.includes(widthOf(board)) ? 9 : widthOf(board));
// Whether a place of a samurai's paper is no cell.
export const isHole = (board, cell) => board.clues[cell] === NO_CELL;
// What stands on a board for a digit: its sign in print.
export const symbolOf = (board, digit) => board?.symbols?.[digit - 1] ?? String(digit);
export const signOf = (digit) => (digit ? SIGNS[digit - 1] : ".");
const numbers = (count) => [...Array(count).keys()];

// One board as the server reported it.
export function boardFrom(reported) {
  const clues = tidy(reported.clues);
  const noted = reported.candidates?.map(bitsOf) ?? null;
  const board = {
    outcome: reported.outcome,
    clues,
    entries: tidy(reported.entries, clues.length),
    solution: null,
    kind: reported.kind ?? "classic",
    regions: reported.regions ?? null,
    cages: reported.cages ?? null,
    symbols: reported.symbols ?? null,
    lattice: reported.lattice ?? null,
    unsure: reported.unsure ?? [],
    corrected: reported.corrected ?? [],
    faults: reported.faults ?? [],
    unsureSums: reported.faults?.find(({ code }) => code === "sums")?.cells ?? [], // first cells of cages
    checked: reported.checked ?? null,
    byHand: [],
    seen: tidy(reported.entries, clues.length), // what the photo shows written, which need not be drawn on it
    marks: noted && { ...noMarks(clues.length), centre: noted },
    noted, // what the photo shows noted, which need not be drawn on it
    isPending: false,
  };
  return withSolution(board, reported.outcome, reported.solution);
}

const bitsOf = (digits) => [...digits].reduce((bits, digit) => bits | (1 << Number(digit)), 0);

// The board after the server solved its clues anew.
export function boardAnswered(board, answer) {
  const checked = answer.checked
    ? { told_apart: board.checked?.told_apart ?? true, ...answer.checked }
    : board.checked;
  const answered = { ...board, checked, faults: answer.faults ?? [], isPending: false, solution: null };
  return withSolution(answered, answer.outcome, answer.solution);
}

// A board as it was kept in the browser, where others may have been since.
export function boardKept(board) {
  const kept = withSolution({ ...board, seen: board.seen ?? board.entries, marks: board.marks ?? null }, board.outcome, board.solution);
  const isGridAlone = board.kind === "samurai" && board.clues.length === EMPTY_GRID.length;
  return isGridAlone ? { ...kept, ruleFault: { code: "older" }, isPending: false } : kept;
}

// Whether a board is one grid of a samurai, as an older page kept it: without the grids beside it
// nothing can be asked about it, and its own solution is all that is known.
export const isOlder = (board) => board.ruleFault?.code === "older";

// A solution is kept only where the server verified it, and where it is what it should be.
function withSolution(board, outcome, solution) {
  const isGood = outcome === "solved" && isSolutionOf(board, solution);
  // A board called solved whose solution does not fit is one that nobody has read.
  const known = outcome === "solved" && !isGood ? "unreadable" : outcome;
  return { ...board, outcome: known, solution: isGood ? solution : null };
}

function isSolutionOf(board, solution) {
  const side = sideOf(board);
  const { clues } = board;
  if (typeof solution !== "string" || solution.length !== clues.length) return false;
  const isFull = [...solution].every((sign, cell) => isHole(board, cell) || SIGNS.slice(0, side).includes(sign));
  const isKept = [...clues].every((digit, cell) => digit === "." || digit === solution[cell]);
  const areUnits = unitsOf(board).every((unit) => new Set(unit.map((cell) => solution[cell])).size === side);
  const areCages = (board.cages ?? []).every(([sum, cells]) => {
    const digits = cells.map((cell) => digitAt(solution, cell));
    return new Set(digits).size === digits.length && digits.reduce((all, one) => all + one, 0) === sum;
  });
  return isFull && isKept && areUnits && areCages;
}

// What the server found of the entries, null where that was said of other digits than stand here.
export const judgementOf = (board) => (board.solution === null || board.isPending ? null : board.checked);

// Empty cells whose candidates, as noted in their middle, lack the right digit.
export const struckOf = (board) =>
  board.solution === null || !board.marks
    ? []
    : numbers(board.clues.length).filter((cell) => {
        const noted = board.marks.centre[cell];
        const isOpen = board.clues[cell] === "." && board.entries[cell] === ".";
        return noted && isOpen && !(noted & (1 << digitAt(board.solution, cell)));
      });

// The board with a digit 1..n, or 0 for empty, typed into a cell.
export function setDigit(board, cell, digit) {
  const sign = signOf(digit);
  const byHand = [...new Set([...board.byHand, cell])];
  const isEntry = board.entries[cell] !== "." && board.clues[cell] === ".";
  if ((isEntry ? board.entries : board.clues)[cell] === sign) return { ...board, byHand };
  if (isEntry) {
    // An entry says nothing of the puzzle, so the solution stays.
    const next = { ...board, byHand, entries: put(board.entries, cell, sign), isPending: !board.ruleFault };
    return isOlder(board) ? judged(next) : next;
  }
  return {
    ...board,
    byHand,
    clues: put(board.clues, cell, sign),
    entries: put(board.entries, cell, "."),
    solution: null,
    isPending: !board.ruleFault, // there are no rules to solve by
  };
}

// The number of the cage of a cell, -1 for none.
export const groupOf = (board, cell) => (board.cages ?? []).findIndex(([, cells]) => cells.includes(cell));

// The board as one of a kind that its photo does not show, because a person says so.
export const takeKind = (board, kind) => ({ ...board, kind, ruleFault: null, isKindTaken: true, solution: null, isPending: true });

// The board with a cell's digit taken for printed instead of written, or the other way round.
export function changeHand(board, cell) {
  const clue = board.clues[cell];
  const entry = board.entries[cell];
  if (clue === "." && entry === ".") return board;
  return {
    ...board,
    byHand: [...new Set([...board.byHand, cell])],
    clues: put(board.clues, cell, clue === "." ? entry : "."),
    entries: put(board.entries, cell, clue === "." ? "." : clue),
    solution: null,
    isPending: !board.ruleFault,
  };
}

// --- playing: a person's own digits and marks, while the puzzle and its solution stay as they are

export const noMarks = (cells) =>
  Object.fromEntries(["corner", "centre", "colour"].map((kind) => [kind, Array(cells).fill(0)]));

// The board with a digit 1..n written into cells; where all have it, it is taken out. Notes of that
// digit go from the cells that see it.
export function write(board, cells, digit) {
  const free = cells.filter((cell) => board.clues[cell] === ".");
  if (!free.length) return board;
  const sign = signOf(digit);
  const isTakenOut = free.every((cell) => board.entries[cell] === sign);
  const entries = free.reduce((grid, cell) => put(grid, cell, isTakenOut ? "." : sign), board.entries);
  let { marks } = board;
  if (marks && !isTakenOut) {
    const units = unitsOf(board);
    const seeing = new Set(units.filter((unit) => free.some((cell) => unit.includes(cell))).flat());
    for (const cell of free) seeing.delete(cell); // its own come back when the digit is erased
    const without = (bits, other) => (seeing.has(other) ? bits & ~(1 << digit) : bits);
    marks = { ...marks, corner: marks.corner.map(without), centre: marks.centre.map(without) };
  }
  return judged({ ...board, entries, marks });
}

// The board with a note, 1..n in a "corner" or the "centre" of cells, or with a "colour" 1..6; where
// all have it, it is taken out. Where a digit stands there is no room for notes.
export function mark(board, cells, kind, number) {
  const isTaken = (cell) => board.clues[cell] !== "." || board.entries[cell] !== ".";
  const free = kind === "colour" ? cells : cells.filter((cell) => !isTaken(cell));
  if (!free.length) return board;
  const marks = board.marks ?? noMarks(board.clues.length);
  const bit = kind === "colour" ? number : 1 << number;
  const has = (held) => (kind === "colour" ? held === number : Boolean(held & bit));
  const isTakenOut = free.every((cell) => has(marks[kind][cell]));
  const next = (held) => (kind === "colour" ? (isTakenOut ? 0 : bit) : isTakenOut ? held & ~bit : held | bit);
  return { ...board, marks: { ...marks, [kind]: marks[kind].map((held, cell) => (free.includes(cell) ? next(held) : held)) } };
}

// The board without what a person put into cells: their digits, else their notes, else their colours.
export function erase(board, cells) {
  const written = cells.filter((cell) => board.clues[cell] === "." && board.entries[cell] !== ".");
  if (written.length) return judged({ ...board, entries: written.reduce((grid, cell) => put(grid, cell, "."), board.entries) });
  const { marks } = board;
  if (!marks) return board;
  const hasNotes = cells.some((cell) => marks.corner[cell] || marks.centre[cell]);
  const kinds = hasNotes ? ["corner", "centre"] : ["colour"];
  if (cells.every((cell) => kinds.every((kind) => !marks[kind][cell]))) return board;
  const emptied = kinds.map((kind) => [kind, marks[kind].map((held, cell) => (cells.includes(cell) ? 0 : held))]);
  return { ...board, marks: { ...marks, ...Object.fromEntries(emptied) } };
}

// The board with entries and marks as they were kept at a later stroke.
export const withPlay = (board, { entries, marks }) =>
  judged({ ...board, entries: tidy(entries, board.clues.length), marks });

// How many cells hold no digit yet, and whether all digits are the solution's.
export function progressOf(board) {
  const own = [...board.clues].map((sign, cell) => (sign === "." ? board.entries[cell] : sign));
  return { left: own.filter((sign) => sign === ".").length, isDone: own.join("") === board.solution };
}

// What is right and wrong is known here, where the solution is.
function judged(board) {
  if (board.solution === null) return board;
  const cells = numbers(board.clues.length).filter(
    (cell) => board.clues[cell] === "." && board.entries[cell] !== ".",
  );
  const right = cells.filter((cell) => board.entries[cell] === board.solution[cell]);
  const wrong = cells.filter((cell) => board.entries[cell] !== board.solution[cell]);
  return { ...board, checked: { told_apart: board.checked?.told_apart ?? true, right, wrong, unsure: [] } };
}

const digitsOf = (bits) => numbers(SIGNS.length + 1).filter((digit) => digit && bits & (1 << digit));

// Cells whose printed digit stands twice in a unit.
export function findConflicts(grid, board) {
  const found = new Set();
  for (const unit of unitsOf(board)) {
    for (const cell of unit) {
      if (grid[cell] === "." || grid[cell] === NO_CELL) continue;
      if (unit.some((other) => other !== cell && grid[other] === grid[cell])) found.add(cell);
    }
  }
  return found;
}

// What each cell shows; `shown` holds the cells whose solution may be seen. With `areEntriesJudged`
// a person's own digits that stand twice are marked, too.
export function facesOf(board, shown, { areEntriesJudged = false } = {}) {
  const own = [...board.clues].map((sign, cell) => (sign === "." ? board.entries[cell] : sign));
  const conflicts = findConflicts(areEntriesJudged ? own : board.clues, board);
  const sumsInDoubt = board.solution === null ? (board.unsureSums ?? []) : [];
  const doubted = board.ruleFault?.cells ?? sumsInDoubt;
  const unsure = new Set([...board.unsure.map((one) => one.cell), ...doubted]);
  const sums = new Map((board.cages ?? []).map(([sum, [first]]) => [first, sum]));
  const overruled = new Set(board.corrected);
  return numbers(board.clues.length).map((cell) => {
    const isByHand = board.byHand.includes(cell);
    const clue = digitAt(board.clues, cell);
    const entry = clue ? 0 : digitAt(board.entries, cell);
    const isShown = board.solution !== null && !clue && shown.has(cell);
    const isWritten = isShown && entry === digitAt(board.solution, cell);
    let doubt = null;
    if (!isByHand && overruled.has(cell)) doubt = "overruled";
    if (!isByHand && unsure.has(cell)) doubt = "unsure";
    if (conflicts.has(cell)) doubt = "conflict";
    return {
      clue,
      entry,
      solution: isShown && !isWritten ? digitAt(board.solution, cell) : 0,
      doubt,
      isByHand,
      isOwn: entry > 0 && board.entries[cell] !== board.seen?.[cell],
      corner: clue || entry ? [] : digitsOf(board.marks?.corner[cell] ?? 0),
      centre: clue || entry ? [] : digitsOf(board.marks?.centre[cell] ?? 0),
      isNoted: Boolean(board.noted?.[cell]) && board.marks?.centre[cell] === board.noted[cell] && !board.marks.corner[cell],
      colour: board.marks?.colour[cell] ?? 0,
      symbols: board.symbols,
      isHole: isHole(board, cell),
      cageSum: sums.get(cell) ?? 0,
    };
  });
}

// Entries, and what was revealed beside them: from there a hint goes on.
export function entriesWith(board, shown) {
  if (board.solution === null) return board.entries;
  return [...board.entries]
    .map((sign, cell) =>
      sign === "." && board.clues[cell] === "." && shown.has(cell) ? board.solution[cell] : sign,
    )
    .join("");
}

// The digit in a cell, 0 where there is none.
export const digitAt = (grid, cell) => SIGNS.indexOf(grid[cell]) + 1;

export function countDigits(grid) {
  return [...grid].filter((sign) => sign !== "." && sign !== NO_CELL).length;
}

// A board's steps: what was, what is, and what was undone.
export const begin = (board) => ({ past: [], present: board, future: [] });
export const step = ({ past, present }, board) =>
  board === present ? { past, present, future: [] } : { past: [...past, present], present: board, future: [] };
export const replacePresent = (timeline, board) => ({ ...timeline, present: board });
export function undo({ past, present, future }) {
  if (!past.length) return { past, present, future };
  return { past: past.slice(0, -1), present: past.at(-1), future: [present, ...future] };
}
export function redo({ past, present, future }) {
  if (!future.length) return { past, present, future };
  return { past: [...past, present], present: future[0], future: future.slice(1) };
}

// The grid with points for what are no digits, empty where it has not so many cells as a board.
function tidy(grid, cells = grid?.length) {
  const width = Math.sqrt(cells);
  const isWhole = WHOLE_WIDTHS.includes(width);
  if (!(width in BOX_ROWS) && !isWhole) return EMPTY_GRID;
  if (grid?.length !== cells) return ".".repeat(cells);
  const signs = isWhole ? `${SIGNS.slice(0, 9)}${NO_CELL}` : SIGNS.slice(0, width);
  return [...grid].map((sign) => (signs.includes(sign) ? sign : ".")).join("");
}

function put(grid, cell, sign) {
  return grid.slice(0, cell) + sign + grid.slice(cell + 1);
}

// Whether ratings, and formats of other programs, know the rules of a board.
export const isClassic = (board) => (board.kind ?? "classic") === "classic" && sideOf(board) === 9;

// The name of each cell's region, or of its box; null where there is no cell.
export function regionsOf(board) {
  if (board?.regions) return board.regions;
  const [side, width] = [sideOf(board), widthOf(board)];
  const [rows, across] = [BOX_ROWS[side], Math.ceil((width * BOX_ROWS[side]) / side)];
  const columns = side / rows;
  return numbers(width * width).map((cell) =>
    board && isHole(board, cell) ? null : across * Math.floor(cell / width / rows) + Math.floor((cell % width) / columns),
  );
}

// The rows and columns of the first cells of a samurai's grids; of other boards [[0, 0]].
export function gridsOf(board) {
  const width = widthOf(board);
  if (width === sideOf(board)) return [[0, 0]];
  const steps = numbers((width - 9) / 3 + 1).map((step) => 3 * step);
  const isGrid = ([row, column]) => numbers(81).every((at) => !isHole(board, (row + Math.floor(at / 9)) * width + column + (at % 9)));
  return steps.flatMap((row) => steps.map((column) => [row, column])).filter(isGrid);
}

// The rows and columns where a part of 9×9 begins that is looked at by itself: the grids of a samurai,
// the corners of a board of 16×16, whose cells are small on a phone. Other boards have none.
export function partsOf(board) {
  const grids = board ? gridsOf(board) : [];
  if (grids.length > 1) return grids;
  return widthOf(board) === 16 ? [[0, 0], [0, 7], [7, 0], [7, 7]] : [];
}

// The diagonals of a board, or its windows, as far as its kind has some.
export function addedUnitsOf(board) {
  const side = sideOf(board);
  const all = numbers(side);
  if (board?.kind === "diagonal") return [all.map((at) => (side + 1) * at), all.map((at) => (side - 1) * (at + 1))];
  if (board?.kind !== "windoku") return [];
  const size = Math.sqrt(side);
  const starts = numbers(size - 1).map((at) => 1 + at * (size + 1));
  return starts.flatMap((top) =>
    starts.map((left) => all.map((at) => side * (top + Math.floor(at / size)) + left + (at % size))),
  );
}

// The cells of each unit by a board's rules.
function unitsOf(board) {
  const [side, width] = [sideOf(board), widthOf(board)];
  const all = numbers(side);
  const lines = gridsOf(board).flatMap(([top, left]) => [
    ...all.map((row) => all.map((column) => width * (top + row) + left + column)),
    ...all.map((column) => all.map((row) => width * (top + row) + left + column)),
  ]);
  const regions = new Map();
  for (const [cell, name] of [...regionsOf(board)].entries()) {
    if (name !== null) regions.set(name, [...(regions.get(name) ?? []), cell]);
  }
  return [...lines, ...regions.values(), ...addedUnitsOf(board)];
}
