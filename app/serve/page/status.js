// What the status line says of a board or of a photo on its way, in few words and only what is so.
// A status is {severity, headline, detail, action}; severity is good, doubtful, bad, busy or idle.

import { Lost } from "./api.js";
import { countDigits, findConflicts, isClassic, isOlder, judgementOf, progressOf, sideOf, struckOf, widthOf } from "./board.js";
import { cellNames, hasText, listed, number, t } from "./words.js";

const FEWEST_CLUES = 17; // no puzzle with fewer has one solution (McGuire et al., 2012)
const MOST_NAMED = 6; // more unsure cells than these are counted, not named

const OUTCOMES = {
  ambiguous: ["doubtful", "ambiguous", "ambiguousAdvice"],
  no_solution: ["bad", "noSolution", "noSolutionAdvice"],
  unreadable: ["doubtful", "unreadable", "unreadableAdvice"],
  gave_up: ["doubtful", "gaveUp", ""],
};

// What is offered and said of rules that no photo shows, by kind.
const KINDS = {
  diagonal: { offer: "solveWithDiagonals", taken: "diagonalsCount" },
  windoku: { offer: "solveWithWindows", taken: "windowsCount" },
  jigsaw: { taken: "regionsCount", correct: "correctRegions" },
  killer: { taken: "cagesCount", correct: "correctCages" },
};

// Of a photo that is sent: what `deliver` tells of its way.
export function statusOfSending(stage) {
  const cancel = { name: "cancel", text: t("cancel") };
  if (stage.kind === "preparing") return { severity: "busy", headline: t("preparing"), action: cancel };
  if (stage.kind === "sending") {
    return { severity: "busy", headline: t("sending"), share: stage.share, action: cancel };
  }
  if (stage.kind === "reading") return { severity: "busy", headline: t("reading"), action: cancel };
  const action = { name: "now", text: t("tryNow"), canCancel: true };
  if (stage.kind === "waiting") {
    const detail = t("waitingAdvice", { count: stage.seconds });
    return { severity: "doubtful", headline: t("waiting"), detail, action };
  }
  return { severity: "doubtful", headline: t("lost"), detail: t("lostAdvice"), action };
}

// Of a photo that could not be worked through.
export function statusOfProblem(code) {
  const key = `problem_${code}`;
  const headline = hasText(key) ? t(key) : t("error");
  const detail = hasText(`${key}_advice`) ? t(`${key}_advice`) : "";
  const canHelp = ["busy", "too_fast", "fault", "too_slow", "unknown"].includes(code);
  const action = canHelp ? { name: "again", text: t("tryAgain") } : null;
  return { severity: "bad", headline, detail, action };
}

// Of a request that reached no computer, or was refused; what else fails is a fault, and is thrown.
export function statusOfFailure(error) {
  if (error instanceof Lost) return { headline: t("lost") };
  if (error.code === undefined) throw error;
  return statusOfProblem(error.code);
}

export function statusOfCancelled() {
  return { severity: "idle", headline: t("cancelled"), action: { name: "again", text: t("tryAgain") } };
}

// Of a photo without a board; `looksLike` is the other puzzle that it seems to show, if any.
export function statusWithoutBoard(looksLike) {
  const action = { name: "corners", text: t("placeBoard") };
  if (looksLike) return { severity: "doubtful", headline: t(`looksLike_${looksLike}`), detail: t("looksLikeAdvice"), action };
  return { severity: "doubtful", headline: t("noBoard"), detail: t("noBoardAdvice"), action };
}

// Of a board; `view` says {isShown, seconds, hasPhoto, isTyped, canUndo, waiting, play}.
export function statusOfBoard(board, view) {
  if (board.isPending) {
    if (!view.waiting) return { severity: "busy", headline: t("solving") };
    const action = { name: "resolve", text: t("tryNow") };
    const detail = view.waiting === "lost" ? t("lostStep") : "";
    return { severity: "doubtful", headline: t(view.waiting), detail, action };
  }
  if (view.play.isOn) {
    const left = progressOf(board).left;
    return { severity: "idle", headline: board.practice ?? t("playing"), detail: left ? t("playLeft", { count: left }) : t("playFull") };
  }
  if (isOlder(board)) {
    const known = board.solution === null ? {} : statusOfSolved(board, view);
    return { ...known, severity: "doubtful", headline: sayRuleFault(board) };
  }
  if (board.ruleFault) return statusOfRules(board, view);
  if (board.solution !== null) return statusOfSolved(board, view);
  if (view.isTyped) return statusOfTyped(board);
  const [severity, headline, advice] = OUTCOMES[board.outcome] ?? ["doubtful", "error", ""];
  const faults = sayFaults(board);
  let detail = faults ? `${faults} ${t("tapAdvice")}` : advice && t(advice);
  if (!faults && board.outcome === "unreadable" && board.kind === "killer") detail = t("compareCages");
  const isAtOdds = board.outcome === "no_solution" || board.byHand.length > 0;
  if (isAtOdds && findConflicts(board.clues, board).size) detail = t("twice");
  let action = view.hasPhoto ? { name: "corners", text: t("placeBoard") } : null;
  const { correct } = KINDS[board.kind] ?? {};
  if (view.hasPhoto && correct) action = { name: "rules", text: t(correct) };
  if ((board.byHand.length || board.isKindTaken) && view.canUndo) action = { name: "undo", text: t("undo") };
  return { severity, headline: t(headline), detail, action: offerOf(board) ?? action };
}

// Of regions or cages that do not fit yet.
function statusOfRules(board, view) {
  const { code, cell, ...figures } = board.ruleFault;
  const side = sideOf(board);
  const detail = t(`rule_${code}`, { cell: cellNames([cell], side), side, ...figures });
  const action = view.canUndo ? { name: "undo", text: t("undo") } : null;
  return { severity: "idle", headline: sayRuleFault(board), detail, action };
}

// Why nothing can be asked about a board whose rules do not fit.
export function sayRuleFault(board) {
  if (isOlder(board)) return t("rule_older");
  return t(board.kind === "killer" ? "cagesOpen" : "regionsOpen");
}

// To solve by the rules of a kind with which there is one solution; null where there is none.
function offerOf(board) {
  const kind = board.faults.find(({ code }) => code === "other_kind")?.kind;
  return kind ? { name: `kind_${kind}`, text: t(KINDS[kind].offer) } : null;
}

// Of a puzzle without a photo, with which nothing can be compared.
function statusOfTyped(board) {
  if (board.outcome === "no_solution") {
    const detail = t(findConflicts(board.clues, board).size ? "twice" : "typedAdvice");
    const action = board.isKindTaken ? { name: "undo", text: t("undo") } : null;
    return { severity: "bad", headline: t("noSolution"), detail, action };
  }
  const count = countDigits(board.clues);
  const fewest = isClassic(board) ? FEWEST_CLUES : board.cages ? 0 : 1;
  if (count < fewest && !offerOf(board)) return { severity: "idle", headline: t("typeIt"), detail: t("typedNext", { count }) };
  const isOpen = board.outcome === "ambiguous";
  const others = board.faults.filter(({ code }) => code === "other_kind");
  const detail = isOpen ? [t("typedMore"), sayFaults({ ...board, faults: others })].filter(Boolean).join(" ") : "";
  return { severity: "doubtful", headline: t(isOpen ? "ambiguous" : "gaveUp"), detail, action: offerOf(board) };
}

function statusOfSolved(board, view) {
  const details = [];
  const overruled = board.corrected.filter((cell) => !board.byHand.includes(cell)).length;
  // Not those that a person wrote while playing.
  const isFound = (sign, cell) => board.seen[cell] !== "." || board.byHand.includes(cell);
  const entries = countDigits([...board.entries].filter(isFound));
  if (board.isKindTaken && KINDS[board.kind]) details.push(t(KINDS[board.kind].taken));
  if (overruled) details.push(t("correctedByRules", { count: overruled }));
  if (entries) details.push(t("entriesFound", { count: entries }));
  if (!view.isShown) details.push(t("solutionHidden"));
  const seconds = view.seconds ? [t("seconds", { seconds: number(view.seconds, 2) })] : [];
  const detail = [...seconds, details.join(" ")].filter(Boolean).join(" · ");
  const { isDone, seconds: played } = view.play;
  const isFull = progressOf(board).isDone;
  if (isDone && isFull) return { severity: "good", headline: t("playDone", { time: sayTime(played) }), detail: t("onlyOne") };
  const action = isFull ? null : { name: "play", text: t(played ? "playOn" : "play") };
  return { severity: "good", headline: `${t("solved")} · ${t("onlyOne")}`, detail, action };
}

// A time as a clock shows it, 4:05 or 1:02:03.
export function sayTime(seconds) {
  const [whole, two] = [Math.floor(seconds), (value) => String(value).padStart(2, "0")];
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = two(whole % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

// What was measured on the photo, by the codes of the report.
function sayFaults(board) {
  return board.faults.map((fault) => sayFault(fault, widthOf(board))).filter(Boolean).join(" ");
}

function sayFault(fault, side) {
  const key = `fault_${fault.code}`;
  if (fault.code === "outside") {
    return t(key, { where: listed((fault.edges ?? []).map((edge) => t(`edge_${edge}`))) });
  }
  if (fault.code === "small") return t(key, { pixels: number(fault.cell_px ?? 0) });
  if (fault.code === "shaded") return t(key, { where: t(`region_${fault.region ?? "parts"}`) });
  if (fault.code === "unsure") {
    const cells = fault.cells ?? [];
    if (cells.length > MOST_NAMED) return t("fault_unsure_many", { count: cells.length });
    return t(key, { count: cells.length, cells: cellNames(cells, side) });
  }
  if (fault.code === "hidden") {
    const cells = fault.cells ?? [];
    const form = cells.length > MOST_NAMED ? "fault_hidden_many" : "fault_hidden";
    return t(form, { cells: cellNames(cells.slice(0, MOST_NAMED), side) });
  }
  if (fault.code === "sums") return t(key, { cells: cellNames(fault.cells ?? [], side) });
  if (fault.code === "other_kind") return t(`${key}_${fault.kind}`);
  return hasText(key) ? t(key) : "";
}

// What came of the entries, without giving away more than was asked for.
export function sayCheck(board) {
  if (board.isPending) return t("solving");
  const checked = judgementOf(board);
  if (!checked) return t("cannotCheck");
  const { right, wrong, unsure } = checked;
  const struck = struckOf(board);
  if (!right.length && !wrong.length && !unsure.length && !struck.length) return t("nothingWritten");
  const said = [];
  if (wrong.length) {
    said.push(t("someWrong", { right: right.length, wrong: wrong.length, cells: cellNames(wrong, widthOf(board)) }));
  } else if (right.length) said.push(t("allRight", { count: right.length }));
  if (unsure.length) said.push(t("someUnsure", { cells: cellNames(unsure, widthOf(board)) }));
  if (struck.length) said.push(t("candidateStruck", { cells: cellNames(struck, widthOf(board)) }));
  if (checked.told_apart === false) said.push(t("notToldApart"));
  return said.join(" ");
}

export function marksOfCheck(board, checked) {
  const marks = Object.fromEntries(struckOf(board).map((cell) => [cell, "bad"]));
  for (const [kind, cells] of [["good", checked.right], ["unsure", checked.unsure], ["bad", checked.wrong]]) {
    for (const cell of cells) marks[cell] = kind;
  }
  return marks;
}

// The line that says how it stands: in a word, a sign and a colour, with what can be done about it.

const $ = (id) => document.getElementById(id);

// Shows a status as `status.js` makes them.
export function showStatus({ severity, headline, detail = "", action = null, share }) {
  $("status").dataset.severity = severity;
  $("status-icon").setAttribute("href", `#i-${severity === "busy" ? "idle" : severity}`);
  say($("headline"), headline);
  say($("detail"), detail);
  $("status-action").hidden = !action;
  if (action) {
    say($("status-action"), action.text);
    $("status-action").dataset.action = action.name;
  }
  $("status-cancel").hidden = !action?.canCancel;
  $("progress").hidden = share === undefined;
  $("progress").value = share ?? 0;
}

// Only what changes is said again by screen readers.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
