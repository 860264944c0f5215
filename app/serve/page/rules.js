// Correcting by hand of what kind a board is, its regions, and its cages with their sums. Loaded
// when it is wanted first.

import { groupOf, regionsOf, sideOf } from "./board.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const NAMES = "ABCDEFGHIJKLMNOP"; // of regions
const KINDS = ["classic", "jigsaw", "diagonal", "windoku", "killer"];
const MOST_KILLER = 9; // side up to which the computer takes cages
const NO_CAGE = -1;

// The kinds that a board may be of.
const kindsOf = (board) =>
  KINDS.filter((kind) => (kind !== "windoku" || [9, 16].includes(sideOf(board))) && (kind !== "killer" || sideOf(board) <= MOST_KILLER));

// The board as one of another kind; a jigsaw begins with boxes, a killer without cages.
export function nameKind(board, kind) {
  const regions = kind === "jigsaw" ? named(regionsOf({ clues: board.clues })) : null;
  return laid(board, { kind, regions, cages: kind === "killer" ? [] : null });
}

// The board with cells in the region or cage of the first of them.
export function join(board, cells) {
  const [first] = cells;
  if (board.kind === "jigsaw") {
    const regions = [...board.regions].map((name, cell) => (cells.includes(cell) ? board.regions[first] : name)).join("");
    return laid(board, { regions });
  }
  const number = board.cages.findIndex(([, inside]) => inside.includes(first));
  if (number === NO_CAGE) return beginCage(board, cells);
  const [sum, inside] = board.cages[number];
  return laid(board, { cages: without(board, cells).with(number, [sum, ascending([...inside, ...cells])]) });
}

// The board with cells in a cage of their own, whose sum is not known.
export const beginCage = (board, cells) => laid(board, { cages: [...without(board, cells), [0, ascending(cells)]] });

// The board with cells in no cage.
export const leaveCages = (board, cells) => laid(board, { cages: without(board, cells) });

// The board with a sum for the cage of a cell.
export function setSum(board, cell, sum) {
  return laid(board, { cages: board.cages.map(([total, cells]) => [cells.includes(cell) ? sum : total, cells]) });
}

// The sum of the cage of a cell, 0 where it is not known; null for no cage.
export function sumAt(board, cell) {
  const cage = (board.cages ?? []).find(([, cells]) => cells.includes(cell));
  return cage ? cage[0] : null;
}

// Without a solution, and to be solved where a puzzle may have such rules.
function laid(board, changed) {
  const next = { ...board, ...changed, isKindTaken: true, solution: null };
  if (next.cages) next.cages = next.cages.filter(([, cells]) => cells.length).sort(([, one], [, other]) => one[0] - other[0]);
  const ruleFault = faultOf(next);
  return { ...next, ruleFault, outcome: "unreadable", faults: [], isPending: ruleFault === null };
}

// The first thing that does not fit yet, {code, cell, count, least, most}, or null.
export function faultOf(board) {
  const side = sideOf(board);
  if (board.kind === "jigsaw") {
    for (const name of new Set(board.regions)) {
      const cells = [...board.regions].flatMap((one, cell) => (one === name ? [cell] : []));
      if (cells.length !== side) return { code: "size", cell: cells[0], count: cells.length, cells };
      if (!isConnected(cells, side)) return { code: "pieces", cell: cells[0], cells };
    }
  }
  for (const [sum, cells] of board.cages ?? []) {
    const count = cells.length;
    const [least, most] = [(count * (count + 1)) / 2, (count * (2 * side + 1 - count)) / 2];
    if (count > side) return { code: "cageSize", cell: cells[0], cells };
    if (!sum) return { code: "noSum", cell: cells[0], cells };
    if (sum < least || sum > most) return { code: "sum", cell: cells[0], least, most, cells };
  }
  return null;
}

function isConnected(cells, side) {
  const left = new Set(cells);
  const open = [cells[0]];
  left.delete(cells[0]);
  while (open.length) {
    const cell = open.pop();
    const near = [cell - side, cell + side, ...(cell % side ? [cell - 1] : []), ...((cell + 1) % side ? [cell + 1] : [])];
    for (const other of near) if (left.delete(other)) open.push(other);
  }
  return !left.size;
}

const without = (board, cells) => board.cages.map(([sum, inside]) => [sum, inside.filter((cell) => !cells.includes(cell))]);
const ascending = (cells) => [...new Set(cells)].sort((one, other) => one - other);
const named = (regions) => [...regions].map((number) => NAMES[number]).join("");

// The panel. `puzzle` is of `puzzle.js`; `changed` is called when something else is to be shown.
export function makeRules(puzzle, { changed }) {
  let chosen = []; // cells, the first one first
  $("rules-kind").addEventListener("change", (event) => act((board) => nameKind(board, event.target.value)));
  $("rules-join").addEventListener("click", () => act((board) => join(board, chosen)));
  $("rules-cage").addEventListener("click", () => act((board) => beginCage(board, chosen)));
  $("rules-leave").addEventListener("click", () => act((board) => leaveCages(board, chosen)));
  $("rules-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const sum = Number($("rules-sum").value);
    if (chosen.length && sum > 0) act((board) => setSum(board, chosen[0], sum));
  });
  $("rules-undo").addEventListener("click", () => puzzle.undo());
  $("rules-redo").addEventListener("click", () => puzzle.redo());

  function act(change) {
    puzzle.correct(change);
    choose([]);
  }

  function choose(cells) {
    chosen = cells;
    const sum = cells.length ? sumAt(puzzle.board, cells[0]) : null;
    $("rules-sum").value = sum || "";
    changed();
  }

  return {
    get chosen() {
      return chosen;
    },
    // A cell more, or less. The first one says which region or cage is meant; it goes with all.
    tap(cell) {
      if (chosen[0] === cell) choose([]);
      else choose(chosen.includes(cell) ? chosen.filter((one) => one !== cell) : [...chosen, cell]);
    },
    // A press goes on over cells, and may begin anew with the first.
    add: (cell, isFirst) => choose(isFirst ? [cell] : [...new Set([...chosen, cell])]),
    clear: () => choose([]),
    typeSum(figure) {
      if ($("rules-sum").disabled) return;
      $("rules-sum").value = figure;
      $("rules-sum").focus();
    },
    render() {
      const { board } = puzzle;
      if (!board) return;
      const kinds = kindsOf(board);
      $("rules-kind").replaceChildren(...kinds.map((kind) => new Option(t(`kind_${kind}`), kind)));
      $("rules-kind").value = board.kind;
      const [isJigsaw, isKiller] = [board.kind === "jigsaw", board.kind === "killer"];
      $("rules-text").textContent = t(isKiller ? "rulesCages" : isJigsaw ? "rulesRegions" : "rulesKind");
      for (const id of ["rules-cage", "rules-leave", "rules-sums"]) $(id).hidden = !isKiller;
      $("rules-join").hidden = !isJigsaw && !isKiller;
      $("rules-join").disabled = chosen.length < 2;
      const areInCage = chosen.some((cell) => groupOf(board, cell) !== NO_CAGE);
      $("rules-cage").disabled = !chosen.length;
      $("rules-leave").disabled = !chosen.length || !areInCage;
      const isOne = chosen.length > 0 && groupOf(board, chosen[0]) !== NO_CAGE;
      $("rules-sum").disabled = $("rules-set").disabled = !isOne;
      $("rules-undo").disabled = !puzzle.canUndo;
      $("rules-redo").disabled = !puzzle.canRedo;
    },
  };
}
