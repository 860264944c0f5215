// The dialog of settings.

import { applyLook, prefer, preference } from "./preferences.js";
import { keepLanguage, kept, LANGUAGES, t } from "./words.js";

const $ = (id) => document.getElementById(id);
const LOOKS = { system: "lookSystem", light: "lookLight", dark: "lookDark" };

// `changed` is called when something is to be said or drawn anew; `covered` hears how to close the
// dialog while it is open.
export function makeMenu({ changed, placeCorners, canPlace, correctRules, canCorrectRules, covered, uncovered }) {
  let session = null;
  const close = () => $("menu").close();

  $("open-menu").addEventListener("click", () => {
    render();
    $("menu").showModal();
    covered(close);
  });
  $("menu").addEventListener("close", () => uncovered(close));
  // A tap beside the dialog closes it.
  $("menu").addEventListener("click", (event) => event.target === $("menu") && $("menu").close());
  $("language").addEventListener("change", async () => {
    const isHere = await keepLanguage($("language").value).then(() => true, () => false);
    changed();
    render();
    if (!isHere) $("about").textContent = t("lost");
  });
  $("look").addEventListener("change", () => {
    prefer("look", $("look").value);
    applyLook();
    changed();
  });
  for (const [id, name] of [["at-once", "atOnce"], ["show-read", "showRead"]]) {
    $(id).addEventListener("change", () => {
      prefer(name, $(id).checked ? "yes" : "no");
      changed();
    });
  }
  $("menu-corners").addEventListener("click", () => {
    $("menu").close();
    placeCorners();
  });

  $("menu-rules").addEventListener("click", () => {
    $("menu").close();
    correctRules();
  });

  function render() {
    const languages = Object.entries(LANGUAGES).map(([code, name]) => new Option(name, code));
    $("language").replaceChildren(new Option(t("languagePhone"), ""), ...languages);
    $("language").value = kept();
    $("look").replaceChildren(...Object.entries(LOOKS).map(([look, key]) => new Option(t(key), look)));
    $("look").value = preference("look");
    $("at-once").checked = preference("atOnce") === "yes";
    $("show-read").checked = preference("showRead") === "yes";
    $("menu-corners").hidden = !canPlace();
    $("menu-rules").hidden = !canCorrectRules();
    $("menu-authority").hidden = !session?.authority;
    const keeps = session?.keeps ? t(session.can_keep ? "keeps" : "keepsFull") : t("keepsNot");
    const about = session ? [t("version", { version: session.version }), keeps] : [];
    $("about").textContent = about.join(" · ");
  }

  return {
    know(told) {
      session = told;
    },
  };
}
