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
export function sendPhoto(blob, { corners, signal, onShare }) {
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
