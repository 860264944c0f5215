// Dialogs that are made when they are wanted, and gone when they are closed.

import { makeElement } from "./drawing.js";
import { icon } from "./pad.js";
import { t } from "./words.js";

// A dialog with a title and a button that closes it, not open yet. `covered(close)` and
// `uncovered(close)` hear what lies on top.
export function makeDialog(id, title, { covered, uncovered, closed = () => {} }) {
  const close = () => dialog.close();
  const heading = makeElement("h2", { id: `${id}-title` }, title);
  const button = makeElement("button", { type: "button", className: "icon", title: t("close"), ariaLabel: t("close") }, icon("i-close"));
  const dialog = makeElement("dialog", { id }, makeElement("div", { className: "row" }, heading, button));
  dialog.setAttribute("aria-labelledby", heading.id);
  button.addEventListener("click", close);
  // A tap beside the dialog closes it.
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  dialog.addEventListener("close", () => {
    uncovered(close);
    closed();
    dialog.remove();
  });
  document.body.append(dialog);
  covered(close);
  return dialog;
}
