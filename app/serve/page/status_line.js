// The line that says how it stands: in a word, a sign and a colour, with what can be done about it.

const $ = (id) => document.getElementById(id);

// Shows a status as `status.js` makes them.
export function showStatus({ mood, headline, detail = "", action = null, share }) {
  $("status").dataset.mood = mood;
  $("status-icon").setAttribute("href", `#i-${mood === "busy" ? "idle" : mood}`);
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
