// The way of frames to the computer and of answers back: one frame is under way at a time.
// A WebSocket where the browser opens one; else, one request for each frame. Safari opens none to a
// server whose certificate nobody has signed, although it shows that server's page.

const PATH = "/api/live";
const OPEN_MS = 6000;
const ANSWER_MS = 40000; // the first answer waits until the computer has begun a process

// Why no answer came: "busy" and "lost" may be tried again, "expired" needs the code to be scanned;
// `code` is then the problem's.
class LinkError extends Error {
  constructor(reason, code = null) {
    super(reason);
    this.reason = reason;
    this.code = code;
  }
}

let hasSocketOpened = false;

// Returns {send(blob) → Promise of the reply, close()}; throws a LinkError.
export async function openLink() {
  try {
    const link = await openSocket();
    hasSocketOpened = true;
    return link;
  } catch {
    await checkSession();
    if (hasSocketOpened) throw new LinkError("lost");
    return openRequests();
  }
}

function openSocket() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}${PATH}`);
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.close(), OPEN_MS);
    socket.onopen = () => {
      clearTimeout(late);
      resolve(linkOver(socket));
    };
    socket.onclose = () => {
      clearTimeout(late);
      reject(new LinkError("refused"));
    };
  });
}

function linkOver(socket) {
  let waiting = null;
  let ended = null;
  const end = (reason) => {
    ended ??= new LinkError(reason);
    waiting?.reject(ended);
    waiting = null;
  };
  socket.onmessage = (event) => {
    waiting?.resolve(JSON.parse(event.data));
    waiting = null;
  };
  // 1013: try again later (IANA's registry of close codes).
  socket.onclose = (event) => end(event.code === 1013 ? "busy" : "lost");
  return {
    send(blob) {
      if (ended !== null) return Promise.reject(ended);
      const answer = new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
      socket.send(blob);
      return withEnd(answer, ANSWER_MS);
    },
    close: () => socket.close(),
  };
}

function openRequests() {
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
  if (response.status === 401) {
    const problem = await response.json().catch(() => null);
    throw new LinkError("expired", problem?.code);
  }
  throw new LinkError(response.status === 503 || response.status === 429 ? "busy" : "lost");
}

// Tells a session that has ended from a WebSocket that the browser would not open.
async function checkSession() {
  await ask("/api/session", {});
}

function withEnd(answer, ms) {
  let late;
  const end = new Promise((_, reject) => {
    late = setTimeout(() => reject(new LinkError("lost")), ms);
  });
  return Promise.race([answer, end]).finally(() => clearTimeout(late));
}
