// The phone's own way back: it closes what lies on top, then leads from a puzzle to where it was
// opened. Each puzzle has an address, so that a reload and the way forward come back to it.

const START = { screen: "start", id: null, depth: 0, isLayer: false };
const ID = /^#puzzle=([0-9a-f]{24})$/;

// `arrive` hears {screen, id} where the way back or forward leads to another place.
export function makeWay(arrive) {
  let here = START; // what the browser's history has now
  let closeLayer = null; // closes what lies on top
  let isGoingHome = false; // the browser goes back a moment after it is told to

  const addressOf = ({ id }) => (id ? `#puzzle=${id}` : location.pathname);
  const isSame = (one, other) => one.screen === other.screen && one.id === other.id;

  function replace(place) {
    here = place;
    history.replaceState(here, "", addressOf(here));
  }

  function push(place) {
    isGoingHome = false;
    here = { ...place, depth: here.depth + 1 };
    history.pushState(here, "", addressOf(here));
  }

  function named() {
    const id = ID.exec(location.hash)?.[1];
    return id ? { screen: "puzzle", id, depth: 1, isLayer: false } : null;
  }

  window.addEventListener("popstate", (event) => {
    isGoingHome = false;
    const from = here;
    here = event.state?.screen ? event.state : (named() ?? START);
    if (closeLayer) {
      const close = closeLayer;
      closeLayer = null;
      close({ isLeft: !isSame(from, here) });
      if (isSame(from, here)) return;
    } else if (isSame(from, here)) {
      // What lay there was closed by its own button: this step back has nothing to show.
      if (from.isLayer && here.depth < from.depth) history.back();
      return;
    }
    arrive(here);
  });

  return {
    // Takes up what the address says, as after a reload; returns the place.
    begin() {
      const state = history.state?.screen ? history.state : null;
      const wanted = named();
      if (state) here = state;
      else replace(START);
      if (!state && wanted) push(wanted);
      return here;
    },
    // Goes to a place, so that the way back leads to the one before.
    go(screen, id = null) {
      const place = { screen, id, isLayer: false, depth: here.depth };
      if (isSame(here, place)) return;
      // Nobody wants back to a camera that is switched off, or to a panel that is closed.
      if (here.screen === "live" || here.isLayer) replace(place);
      else push(place);
    },
    // Goes to the start, by the way back.
    home() {
      if (isGoingHome) return; // twice as far back lies another page
      isGoingHome = here.depth > 0;
      if (isGoingHome) history.go(-here.depth);
      else arrive(START);
    },
    // Says that a place is not there any more.
    stay: () => replace({ ...START, depth: here.depth }),
    // Something lies on top now, which the way back closes first; `close` hears {isLeft}, whether
    // the place below is left, too.
    cover(close) {
      closeLayer = close;
      if (!here.isLayer) push({ ...here, isLayer: true });
    },
    // It was closed otherwise; something else may lie there already.
    uncover(close) {
      if (closeLayer === close) closeLayer = null;
    },
  };
}
