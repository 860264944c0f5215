// What a person chose for this page, kept in this browser.

const NAMES = { look: "system", atOnce: "yes", showRead: "no", conflicts: "no" };

export function preference(name) {
  try {
    return localStorage.getItem(`sudoku-lens-${name}`) ?? NAMES[name];
  } catch {
    return NAMES[name];
  }
}

export function prefer(name, value) {
  try {
    localStorage.setItem(`sudoku-lens-${name}`, value);
  } catch {
    // Some browsers keep nothing in private windows.
  }
}

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

// Puts the page into the light or the dark look, and calls `changed` where the phone changes it.
export function applyLook(look = preference("look")) {
  const isDark = look === "dark" || (look === "system" && prefersDark.matches);
  document.documentElement.dataset.look = isDark ? "dark" : "light";
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--window").trim();
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.content = colour;
}

export function whenLookChanges(changed) {
  prefersDark.addEventListener?.("change", () => {
    applyLook();
    changed();
  });
}
