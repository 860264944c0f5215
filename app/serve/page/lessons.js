// The pages on techniques: what each is, a picture of it, and positions to practise it on. Loaded
// when they are wanted first.

import { isAborted, post } from "./api.js";
import { boardFrom, facesOf, isOlder, noMarks, widthOf } from "./board.js";
import { makeDialog } from "./dialogs.js";
import { makeElement, makeSvg, showShapes } from "./drawing.js";
import { helpedPuzzle } from "./help.js";
import { madeBoard, sayFailure } from "./making.js";
import { cleanColours, paintBoard, paintRules } from "./painting.js";
import { flatLattice } from "./perspective.js";
import { currentLanguage, t } from "./words.js";

const LENGTH = 540; // of the picture's board, in units of the drawing

// Opens the page on a technique, the easiest for null. `puzzle` is of `puzzle.js`, whose board is
// shown where the technique is there; `opened(board)` gets a position to practise on.
export function openLessons(technique, puzzle, { opened, covered, uncovered }) {
  let asking = null; // for a page
  let looking = null; // for a position
  const dialog = makeDialog("lessons", t("learn"), { covered, uncovered, closed: stop });
  const names = makeElement("select", { id: "lessons-names", ariaLabel: t("technique") });
  names.addEventListener("change", () => ask(names.value));
  const page = makeElement("div", { id: "lessons-page", tabIndex: 0, role: "region", ariaLabel: t("lesson") });
  const said = makeElement("p", { id: "lessons-said", className: "small", role: "status" });
  const act = makeElement("button", { type: "button", id: "lessons-act", className: "primary wide", disabled: true });
  act.addEventListener("click", () => (looking ? looking.abort() : practise()));
  dialog.append(names, page, said, act);
  show();
  dialog.showModal();
  ask(technique);

  function stop() {
    asking?.abort();
    looking?.abort();
  }

  function show(text = "") {
    act.textContent = t(looking ? "stop" : "practise");
    said.textContent = looking ? t("practising") : text;
  }

  async function ask(wanted) {
    stop();
    const mine = new AbortController();
    asking = mine;
    const { board } = puzzle;
    const own = board?.solution && !isOlder(board) ? helpedPuzzle(board, puzzle.shown) : null;
    try {
      const told = await post("/api/lessons", { technique: wanted, language: currentLanguage(), puzzle: own }, mine.signal);
      if (mine.signal.aborted) return;
      names.replaceChildren(...told.names.map(({ technique: one, name }) => new Option(capital(name), one)));
      names.value = told.lesson.technique;
      act.disabled = false;
      const { what, spot, effect } = told.lesson;
      page.replaceChildren(
        makeElement("p", {}, what),
        makeElement("h3", {}, t(told.is_at_hand ? "lessonAtHand" : "lessonExample")),
        draw(told, told.is_at_hand ? board.symbols : null),
        makeElement("p", { id: "lessons-shown" }, told.text),
        makeElement("h3", {}, t("lessonSpot")),
        makeElement("p", {}, spot),
        makeElement("h3", {}, t("lessonEffect")),
        makeElement("p", {}, effect),
      );
      page.scrollTop = 0;
      show();
    } catch (error) {
      if (!isAborted(error)) show(sayFailure(error));
    }
  }

  // The text beside it says what it shows.
  function draw({ marks, notes, digits, ...told }, symbols) {
    const board = boardFrom({ outcome: "ambiguous", symbols, ...told });
    const [lattice, colours] = [flatLattice(widthOf(board), LENGTH), cleanColours()];
    const over = { marks, notes, digits, hasSums: Boolean(board.cages) };
    const [rules, shapes] = [paintRules(board, lattice, colours), paintBoard(facesOf(board, new Set()), lattice, colours, over)];
    const drawing = makeSvg("svg", { viewBox: `-2 -2 ${LENGTH + 4} ${LENGTH + 4}`, class: "lesson-board", "aria-hidden": "true" });
    showShapes(drawing, [...rules.tints, ...shapes.tints, ...rules.inks, ...shapes.inks]);
    return drawing;
  }

  async function practise() {
    const mine = new AbortController();
    looking = mine;
    show();
    const name = names.selectedOptions[0].text;
    let text = "";
    try {
      const found = await post("/api/practices", { technique: names.value }, mine.signal);
      if (mine.signal.aborted) return;
      dialog.close();
      const { notes, is_next: isNext } = found;
      // What easier steps have struck before is noted.
      const marks = notes.length ? { ...noMarks(notes.length), centre: notes.map((bits, cell) => (found.clues[cell] === "." ? bits : 0)) } : null;
      opened(madeBoard(found, { practice: t(isNext ? "practiceOf" : "practiceLater", { name }), marks }));
    } catch (error) {
      if (!isAborted(error)) text = sayFailure(error);
    } finally {
      if (looking === mine) looking = null;
      show(text);
    }
  }
}

const capital = (name) => name[0].toUpperCase() + name.slice(1);
