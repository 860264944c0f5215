// What the page says, in the phone's language or in the one that was chosen.

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };

const KEPT = "sudoku-lens-language";

let language = "en";
let texts = {};
let plurals = new Intl.PluralRules("en");

// Takes the chosen language, else the first of the phone's that is known, else English.
// Only that one's texts are loaded.
export async function chooseLanguage(wanted = kept()) {
  const offered = [wanted, ...(navigator.languages ?? [navigator.language])];
  const known = offered.filter(Boolean).map((one) => one.slice(0, 2).toLowerCase());
  const chosen = known.find((one) => one in LANGUAGES) ?? "en";
  texts = (await import(`./words_${chosen}.js`)).default;
  language = chosen;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

// Takes a choice and keeps it, once its texts are here; an empty one goes back to the phone's language.
export async function keepLanguage(wanted) {
  await chooseLanguage(wanted);
  try {
    if (wanted) localStorage.setItem(KEPT, wanted);
    else localStorage.removeItem(KEPT);
  } catch {
    // Some browsers keep nothing in private windows; the choice then holds for this visit.
  }
}

export function kept() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

export const currentLanguage = () => language;

// A text with its fields filled in; `count` chooses between a text's `_one` and `_other`.
export function t(key, fields = {}) {
  const plural = fields.count === undefined ? null : `${key}_${plurals.select(fields.count)}`;
  const text = texts[plural] ?? texts[key] ?? texts[`${key}_other`] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");
}

export const hasText = (key) => key in texts;

// The name of a cell of a board with so many rows, such as r3c5.
export function cellName(cell, side) {
  return t("cell", { row: Math.floor(cell / side) + 1, column: (cell % side) + 1 });
}

// Several things as a list in a sentence: a, b and c.
export function listed(things, key = "and") {
  if (things.length < 2) return things.join("");
  return t(key, { first: things.slice(0, -1).join(", "), last: things.at(-1) });
}

export const cellNames = (cells, side) => listed(cells.map((cell) => cellName(cell, side)));

export function number(value, digits = 0) {
  return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// Says everything under a root that names its text: data-t for text, data-t-label for its name.
export function sayAll(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
    if (element.tagName === "BUTTON") element.title = t(element.dataset.tLabel);
  }
}
