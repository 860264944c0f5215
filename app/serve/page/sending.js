// Sends what may have to wait: while the computer cannot be reached or is busy, it is kept and
// tried again, sooner at first and later on less often, and at once when the phone is back online.

import { Lost, Problem, sendPhoto } from "./api.js";

const FIRST_SECONDS = 2;
const MOST_SECONDS = 30;
const USUAL_SECONDS = 2; // where a busy computer does not say how long

// Does `attempt` until it is met or refused for good. `onWait` hears {kind, seconds} before each
// pause; kind is "lost" or "waiting". `nudge` is an EventTarget whose event "now" ends a pause.
export async function persist(attempt, { signal, onWait, nudge }) {
  let pause = FIRST_SECONDS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Lost) {
        onWait({ kind: "lost", seconds: pause });
        await rest(pause, { signal, nudge, mayEndEarly: true });
        pause = Math.min(pause * 2, MOST_SECONDS);
      } else if (error instanceof Problem && error.isPassing) {
        const seconds = error.retryAfter ?? USUAL_SECONDS;
        onWait({ kind: "waiting", seconds });
        await rest(seconds, { signal, nudge, mayEndEarly: false });
      } else {
        throw error;
      }
    }
  }
}

// Sends a photo for as long as it takes; `onStage` hears where it is.
export function deliver(blob, { corners, signal, nudge, onStage }) {
  const attempt = () => {
    onStage({ kind: "sending", share: 0 });
    return sendPhoto(blob, {
      corners,
      signal,
      onShare: (share) => onStage(share < 1 ? { kind: "sending", share } : { kind: "reading" }),
    });
  };
  return persist(attempt, { signal, nudge, onWait: onStage });
}

function rest(seconds, { signal, nudge, mayEndEarly }) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      document.removeEventListener("visibilitychange", look);
      nudge?.removeEventListener("now", end);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(new DOMException("cancelled", "AbortError"));
      else resolve();
    };
    // Browsers hardly count seconds for a page that is not seen.
    const look = () => document.visibilityState === "visible" && end();
    const timer = setTimeout(end, seconds * 1000);
    if (mayEndEarly) {
      window.addEventListener("online", end);
      document.addEventListener("visibilitychange", look);
    }
    nudge?.addEventListener("now", end);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
