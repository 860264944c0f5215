// Talks with the computer. What it refuses becomes a Problem with its code; what never reached it,
// or whose answer was lost, becomes Lost.

const SILENCE_SECONDS = 60; // longer than any photo takes

export class Problem extends Error {
  constructor(status, code, retryAfter = null) {
    super(code);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter; // seconds, or null
  }

  // Whether the same request may be met a moment later.
  get isPassing() {
    return this.status === 429 || this.status === 503;
  }
}

export class Lost extends Error {}

export const isAborted = (error) => error?.name === "AbortError";

let onExpired = () => {};

// What to do once the computer no longer knows this phone.
export function whenExpired(act) {
  onExpired = act;
}

export const getSession = () => ask("GET", "/api/session");

export async function post(path, body, signal) {
  return ask("POST", path, JSON.stringify(body), signal);
}

async function ask(method, path, body, signal) {
  let response;
  try {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    response = await fetch(path, { method, body, headers, signal, credentials: "same-origin" });
  } catch (error) {
    throw isAborted(error) ? error : new Lost();
  }
  const answer = await response.text().catch(() => {
    throw new Lost();
  });
  return judged(response.status, answer, response.headers.get("Retry-After"));
}

// A picture as a JPEG that every browser can open.
export async function askPicture(blob, signal) {
  const headers = { "Content-Type": blob.type || "application/octet-stream" };
  let response;
  try {
    response = await fetch("/api/pictures", { method: "POST", body: blob, headers, signal, credentials: "same-origin" });
    if (response.ok) return await response.blob();
  } catch (error) {
    throw isAborted(error) ? error : new Lost();
  }
  const answer = await response.text().catch(() => "");
  return judged(response.status, answer, response.headers.get("Retry-After"));
}

// Sends a photo; `onShare` hears which part of it has left. Fetch cannot tell that.
function sendPhoto(blob, { corners, signal, onShare }) {
  return new Promise((resolve, reject) => {
    const query = corners ? `?corners=${corners.flat().map((at) => at.toFixed(1)).join(",")}` : "";
    const request = new XMLHttpRequest();
    request.open("POST", `/api/photos${query}`);
    request.timeout = SILENCE_SECONDS * 1000;
    request.setRequestHeader("Content-Type", blob.type || "application/octet-stream");
    request.setRequestHeader("Accept", "application/json");
    const abort = () => request.abort();
    signal?.addEventListener("abort", abort, { once: true });
    request.upload.onprogress = (event) => event.lengthComputable && onShare(event.loaded / event.total);
    request.upload.onload = () => onShare(1);
    request.onload = () => {
      try {
        const after = request.getResponseHeader("Retry-After");
        resolve(judged(request.status, request.responseText, after));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(new Lost());
    request.ontimeout = () => reject(new Lost());
    request.onabort = () => reject(new DOMException("cancelled", "AbortError"));
    request.onloadend = () => signal?.removeEventListener("abort", abort);
    if (signal?.aborted) reject(new DOMException("cancelled", "AbortError"));
    else request.send(blob);
  });
}

function judged(status, text, retryAfter) {
  let answer = null;
  try {
    answer = JSON.parse(text);
  } catch {
    // Something between here and the computer answered; it is none of ours.
  }
  if (status >= 200 && status < 300 && answer !== null) return answer;
  const problem = new Problem(status, answer?.code ?? "unknown", secondsOf(retryAfter));
  if (status === 401) onExpired();
  throw problem;
}

// Retry-After comes as seconds or as a date.
export function secondsOf(text, now = Date.now()) {
  if (!text) return null;
  const seconds = /^\d+$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(Math.ceil(seconds), 0) : null;
}

// Sends what may have to wait: while the computer cannot be reached or is busy, it is kept and
// tried again, sooner at first and later on less often, and at once when the phone is back online.

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
