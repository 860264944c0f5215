// With what a board is painted: over a photo of paper or of a screen in dark mode, and clean, on a
// sheet of paper or on the page. `halo` is around what is written over a photo; `clue` and `entry`
// are null where the photo shows them.

export const ON_PAPER = {
  digit: "#0a7d46",
  halo: "#ffffff",
  clue: null,
  entry: null,
  paper: "#ffffff",
  note: "#464a52",
  accent: "#0a7d46",
  amber: "#ffbe46",
  red: "#f05a50",
  strongAmber: "#a05c00",
  strongRed: "#c82822",
  strength: 1,
};
export const ON_DARK = {
  digit: "#6ef096",
  halo: "#191919",
  clue: null,
  entry: null,
  paper: "#191919",
  note: "#c8ccd2",
  accent: "#6ef096",
  amber: "#f0b040",
  red: "#f0685f",
  strongAmber: "#f0b040",
  strongRed: "#f0685f",
  strength: 0.65,
};
export const PRINTED = { ...ON_PAPER, halo: null, clue: "#1c1e21", entry: "#4a6fa5", thin: "#8a8d92", bold: "#1c1e21", note: "#464a52" };

// The clean board takes the colours of the page's present look.
export function cleanColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    digit: colour("accent"),
    halo: null,
    clue: colour("text"),
    entry: colour("entry"),
    paper: colour("paper"),
    note: colour("muted"),
    accent: colour("accent"),
    amber: colour("amber"),
    red: colour("red"),
    strongAmber: colour("amber"),
    strongRed: colour("red"),
    thin: colour("paper-line"),
    bold: colour("paper-bold"),
    strength: 0.65,
  };
}
