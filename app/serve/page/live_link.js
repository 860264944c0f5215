// The way of frames to the computer and of answers back: a request for each frame, one at a time.

const PATH = "/api/live";
const ANSWER_MS = 40000; // the first answer waits until the computer has begun a process

// Why no answer came: "busy" and "lost" may be tried again, "expired" needs the code to be scanned.
class LinkError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

// Returns {send(blob) → Promise of the reply, or a LinkError; close()}.
export function openLink() {
  const view = crypto.randomUUID();
  let number = 0;
  let isClosed = false;
  const address = () => `${PATH}?view=${view}&frame=${number}`;
  return {
    async send(blob) {
      number += 1;
      const headers = { "Content-Type": "image/jpeg" };
      const response = await ask(address(), { method: "POST", headers, body: blob });
      if (isClosed) throw new LinkError("lost");
      return response.json().catch(() => {
        throw new LinkError("lost"); // on its way
      });
    },
    close() {
      isClosed = true;
      // The seat is free again by itself; this only lets the next phone in sooner.
      fetch(address(), { method: "DELETE", keepalive: true }).catch(() => {});
    },
  };
}

async function ask(address, request) {
  let response;
  try {
    response = await fetch(address, { ...request, signal: AbortSignal.timeout?.(ANSWER_MS) });
  } catch {
    throw new LinkError("lost");
  }
  if (response.ok) return response;
  if (response.status === 401) throw new LinkError("expired");
  throw new LinkError(response.status === 503 || response.status === 429 ? "busy" : "lost");
}
