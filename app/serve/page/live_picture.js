// Frames as pixels: taken from the video, made small for the way, and drawn with what belongs to
// each of them. A frame is shown together with the answer about it, so nothing lags behind the page.

import { digitAt } from "./board.js";
import { fillShape } from "./drawing.js";
import { ON_DARK, ON_PAPER, outlineOf, paintBoard } from "./painting.js";
import { scaleLattice } from "./perspective.js";
import { encoded } from "./picture.js";

const SIDES = [960, 800, 640]; // longest side of what is sent, for quick and slow connections
const QUALITY = 0.72;
const SLOW_MS = 220; // between a frame and its answer, on average
const QUICK_MS = 90;
const PATIENCE = 12; // answers after which the size is thought over

// Chooses how large frames are sent, so that answers come about ten times a second.
export class FrameSize {
  constructor() {
    this.level = 0;
    this.count = 0;
    this.mean = 0;
  }

  get side() {
    return SIDES[this.level];
  }

  note(ms) {
    this.mean += (ms - this.mean) / Math.min(++this.count, 8);
    if (this.count < PATIENCE) return;
    if (this.mean > SLOW_MS && this.level < SIDES.length - 1) this.level += 1;
    else if (this.mean < QUICK_MS && this.level > 0) this.level -= 1;
    else return;
    this.count = 0;
  }
}

// A frame with all of its pixels, and the same as it is sent.
export class Shot {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.small = document.createElement("canvas");
    this.blob = null;
  }

  async take(video, side) {
    const { videoWidth: width, videoHeight: height } = video;
    fit(this.canvas, width, height);
    this.canvas.getContext("2d").drawImage(video, 0, 0, width, height);
    const scale = Math.min(1, side / Math.max(width, height));
    fit(this.small, Math.round(width * scale), Math.round(height * scale));
    const small = this.small.getContext("2d");
    small.imageSmoothingQuality = "high";
    small.drawImage(this.canvas, 0, 0, this.small.width, this.small.height);
    this.blob = await encoded(this.small, QUALITY);
  }

  // The frame as a photo, without anything on it.
  photo() {
    return encoded(this.canvas, 0.92);
  }
}

function fit(canvas, width, height) {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

// Draws a picture, and over it the answer about it, null for none.
export function drawFrame(canvas, picture, width, height, reply) {
  fit(canvas, width, height);
  const context = canvas.getContext("2d");
  context.globalAlpha = 1;
  context.lineJoin = "round";
  context.drawImage(picture, 0, 0, width, height);
  if (!reply?.lattice) return;
  const lattice = scaleLattice(reply.lattice, width / reply.width);
  const colours = reply.is_dark ? ON_DARK : ON_PAPER;
  if (!isDrawn(reply)) {
    context.lineWidth = Math.max(width, height) / 320;
    context.strokeStyle = colours.digit;
    context.globalAlpha = 0.75;
    context.stroke(new Path2D(outlineOf(lattice)));
    context.globalAlpha = 1;
    return;
  }
  context.globalAlpha = Math.min(Math.max(reply.opacity, 0), 1);
  for (const shape of paintBoard(facesOf(reply), lattice, colours).inks) fillShape(context, shape);
  context.globalAlpha = 1;
}

// Only what the computer has verified is drawn.
export function isDrawn(reply) {
  return reply.opacity > 0 && typeof reply.solution === "string" && /[1-9A-P]/.test(reply.digits);
}

function facesOf(reply) {
  return [...reply.digits].map((sign, cell) => ({
    clue: 0,
    entry: 0,
    solution: sign === reply.solution[cell] ? digitAt(reply.digits, cell) : 0,
    doubt: null,
    isByHand: false,
    symbols: reply.symbols,
  }));
}
