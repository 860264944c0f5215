// The dialog that has a new puzzle made on the computer, which can be stopped. Loaded when it is
// wanted first.

import { isAborted, post } from "./api.js";
import { boardFrom } from "./board.js";
import { makeDialog } from "./dialogs.js";
import { makeElement } from "./drawing.js";
import { statusOfFailure } from "./status.js";
import { t } from "./words.js";

const SIDES = [4, 6, 8, 9, 10, 12, 16];
const KINDS = {
  classic: SIDES,
  jigsaw: SIDES,
  diagonal: SIDES,
  windoku: [9, 16],
  killer: [4, 6, 8, 9],
  samurai: [5, 4, 3, 2], // grids of 9×9
};
const LEVELS = ["any", "easy", "medium", "hard", "expert", "extreme"];

const wished = { kind: "classic", size: 9, level: "medium" }; // as it was left

// `opened(board)` gets the board that was made.
export function openMaking({ opened, covered, uncovered }) {
  const dialog = makeDialog("making", t("newPuzzle"), { covered, uncovered, closed: () => asking?.abort() });
  let asking = null;
  const [kind, size, level] = ["kind", "size", "level"].map((name) => {
    const select = makeElement("select", { id: `making-${name}`, name });
    select.addEventListener("change", () => {
      wished[name] = select.value;
      list();
    });
    return select;
  });
  const act = makeElement("button", { type: "button", id: "making-act", className: "primary wide" });
  const said = makeElement("p", { id: "making-said", className: "small", role: "status" });
  act.addEventListener("click", () => (asking ? asking.abort() : make()));
  dialog.append(
    makeElement("label", { className: "setting" }, makeElement("span", {}, t("kind")), kind),
    makeElement("label", { className: "setting" }, makeElement("span", {}, t("newSize")), size),
    makeElement("label", { className: "setting" }, makeElement("span", {}, t("newLevel")), level),
    said,
    act,
  );
  list();
  dialog.showModal();

  function list() {
    const sizes = KINDS[wished.kind];
    if (!sizes.includes(Number(wished.size))) wished.size = wished.kind === "samurai" ? 5 : 9;
    kind.replaceChildren(...Object.keys(KINDS).map((name) => new Option(t(`kind_${name}`), name)));
    size.replaceChildren(...sizes.map((side) => new Option(wished.kind === "samurai" ? t("newGrids", { grids: side }) : `${side}×${side}`, side)));
    level.replaceChildren(...LEVELS.map((name) => new Option(t(`level_${name}`), name)));
    [kind.value, size.value, level.value] = [wished.kind, wished.size, wished.level];
    // Only these have a scale.
    level.closest("label").hidden = wished.kind !== "classic" || Number(wished.size) !== 9;
    show();
  }

  function show(text = "") {
    act.textContent = t(asking ? "stop" : "newMake");
    for (const select of [kind, size, level]) select.disabled = asking !== null;
    said.textContent = asking ? t("newMaking") : text;
  }

  async function make() {
    const mine = new AbortController();
    asking = mine;
    show();
    const [isSamurai, isRated] = [wished.kind === "samurai", !level.closest("label").hidden && wished.level !== "any"];
    const body = {
      kind: wished.kind,
      side: isSamurai ? 9 : Number(wished.size),
      ...(isSamurai ? { grids: Number(wished.size) } : {}),
      ...(isRated ? { level: wished.level } : {}),
    };
    let text = "";
    try {
      const made = await post("/api/creations", body, mine.signal);
      if (mine.signal.aborted) return;
      dialog.close();
      opened(madeBoard(made));
    } catch (error) {
      if (!isAborted(error)) text = error.code === "too_hard" ? t("newFailed") : sayFailure(error);
    } finally {
      asking = null;
      show(text);
    }
  }
}

// What a person reads where something was not made or found.
export function sayFailure(error) {
  const { headline, detail } = statusOfFailure(error);
  return [headline, detail].filter(Boolean).join(". ");
}

// The board of a puzzle that the computer made, to be solved by a person.
export const madeBoard = (made, also = {}) => ({ ...boardFrom({ ...made, outcome: "solved" }), isMade: true, ...also });
