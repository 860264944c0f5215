// The panel that sends the puzzle elsewhere.

import { Lost } from "./api.js";
import { isClassic } from "./board.js";
import { canSharePicture, copy, download, exported, formsOf, pictureName, sharePicture, solvedPicture } from "./sharing.js";
import { statusOfProblem } from "./status.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

export function makeSharePanel(puzzle) {
  async function withPicture(act) {
    const blob = await solvedPicture(puzzle.photo, puzzle.boards);
    if (blob) await act(blob, pictureName());
  }

  async function copied(text, key) {
    const isCopied = await copy(text);
    say(t(isCopied ? key : "copyFailed"));
    if (isCopied) return;
    $("share-manual").value = text;
    $("share-manual").hidden = false;
    $("share-manual").select();
  }

  function say(text) {
    $("share-text").textContent = text;
    $("share-manual").hidden = true;
  }

  $("share-picture").addEventListener("click", () =>
    withPicture((blob, name) => sharePicture(blob, name, t("shareTitle"))),
  );
  $("save-picture").addEventListener("click", () =>
    withPicture((blob, name) => {
      download(blob, name);
      say(t("savedAs", { name }));
    }),
  );
  $("copy-puzzle").addEventListener("click", () => {
    const { board } = puzzle;
    if (isClassic(board)) return copied(board.clues, "copiedPuzzle");
    // With its rules.
    return orSaid(async () => copied((await exported(board, "line")).text.trim(), "copiedPuzzle"));
  });
  $("print-puzzle").addEventListener("click", () => window.print());
  $("copy-solution").addEventListener("click", () => copied(puzzle.board.solution, "copiedSolution"));
  $("save-form").addEventListener("click", () =>
    orSaid(async () => {
      const { text, name } = await exported(puzzle.board, $("form").value);
      if (name === null) return void (await copied(text, "copiedLink"));
      download(new Blob([text], { type: "application/octet-stream" }), name);
      say(t("savedAs", { name }));
    }),
  );

  // Does something, and says why where it fails.
  async function orSaid(act) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Lost) && error.code === undefined) throw error;
      say(error instanceof Lost ? t("lost") : statusOfProblem(error.code).headline);
    }
  }

  return {
    render() {
      const { board } = puzzle;
      const hasSolution = Boolean(board?.solution);
      const hasPicture = Boolean(puzzle.photo?.canvas) && puzzle.boards.some((one) => one.solution && one.lattice);
      $("share-picture").hidden = !canSharePicture();
      $("share-picture").disabled = !hasPicture;
      $("save-picture").disabled = !hasPicture;
      $("copy-solution").disabled = !hasSolution;
      const known = formsOf(board);
      $("copy-puzzle").disabled = !known.length;
      $("save-form").disabled = !known.length;
      const forms = known.map((form) => {
        const text = t(`form${form[0].toUpperCase()}${form.slice(1)}`);
        return new Option(text, form, false, form === $("form").value);
      });
      $("form").replaceChildren(...forms);
    },
    // What was said is of another puzzle.
    outdate: () => say(""),
  };
}
