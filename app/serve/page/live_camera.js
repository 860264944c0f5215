// The phone's camera as a stream: opened, or a word why not; its lamp; and when it has a new frame.

const WANTED = {
  audio: false,
  video: {
    facingMode: { ideal: "environment" },
    width: { ideal: 1280 },
    height: { ideal: 720 },
    frameRate: { ideal: 30 },
  },
};

// Why the camera cannot be had, by the name of the browser's error; texts are `live_` + reason.
const REASONS = {
  NotAllowedError: "denied",
  PermissionDeniedError: "denied",
  SecurityError: "denied",
  NotFoundError: "none",
  DevicesNotFoundError: "none",
  OverconstrainedError: "none",
  NotReadableError: "taken",
  TrackStartError: "taken",
  AbortError: "taken",
};

class CameraError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

// The reason why this page can have no camera at all, or null: "insecure" or "unsupported".
function cameraObstacle() {
  if (!window.isSecureContext) return "insecure";
  return navigator.mediaDevices?.getUserMedia ? null : "unsupported";
}

// Opens the camera behind a video element; throws a CameraError.
export async function openCamera(video) {
  const obstacle = cameraObstacle();
  if (obstacle !== null) throw new CameraError(obstacle);
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia(WANTED);
  } catch (error) {
    throw new CameraError(REASONS[error.name] ?? "unsupported");
  }
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  try {
    await video.play();
  } catch {
    // A video that was taken away while it began; `close` follows, or has been.
  }
  return new Camera(video, stream);
}

class Camera {
  constructor(video, stream) {
    this.video = video;
    this.stream = stream;
    this.track = stream.getVideoTracks()[0];
    this.last = -1;
  }

  // Calls back when the camera was unplugged, or taken by another program.
  whenEnded(tell) {
    this.track.addEventListener("ended", tell);
  }

  get hasTorch() {
    return Boolean(this.track.getCapabilities?.().torch);
  }

  async setTorch(isOn) {
    await this.track.applyConstraints({ advanced: [{ torch: isOn }] });
  }

  get hasPicture() {
    return this.video.videoWidth > 0 && this.video.readyState >= 2;
  }

  // Resolves when there is a frame that was not there the last time; `signal` ends the wait.
  async nextFrame(signal) {
    while (!signal.aborted) {
      await nextPaint(this.video, signal);
      const at = this.video.currentTime;
      if (this.hasPicture && at !== this.last) {
        this.last = at;
        return;
      }
    }
  }

  close() {
    for (const track of this.stream.getTracks()) track.stop();
    this.video.srcObject = null;
  }
}

// Where the browser tells of video frames, these are waited for, else the screen's. Neither comes
// where the page is hidden, or the camera sends nothing.
function nextPaint(video, signal) {
  return pause(500, signal, (done) => {
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(done);
    else requestAnimationFrame(done);
  });
}

// Resolves after so long, when `signal` ends the wait, or when what `begin` begins is done.
export function pause(ms, signal, begin = () => {}) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    begin(done);
  });
}

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
