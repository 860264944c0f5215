// Makes of a chosen file what is sent: upright, and no larger than reading the board needs.

import { makeElement } from "./drawing.js";
import { boardOutline, boundsOf, cellQuad } from "./perspective.js";
import { grown } from "./viewport.js";

const LONGEST_PX = 2000; // the finest picture in which the computer looks for boards has 1800
const QUALITY = 0.9;
const KEPT_PX = 1100;
const THUMB_PX = 240;
const DARKNESS_STEP = 4; // from one cell that is looked at to the next
const DARKNESS_PX = 700;
const DARK = 100; // grey level of paper that is a screen in dark mode

// {blob, canvas} of a file: the upright picture as JPEG, and its pixels. Where this browser cannot
// open the file, the computer may: then its bytes stay as they are, and canvas is null.
export async function preparePicture(file) {
  const source = await open(file);
  if (source === null) return { blob: file, canvas: null };
  const canvas = drawn(source, LONGEST_PX);
  source.close?.();
  const blob = await encoded(canvas, QUALITY);
  return { blob: blob ?? file, canvas };
}

async function open(blob) {
  // Both ways turn the photo as its EXIF orientation says.
  if ("createImageBitmap" in window) {
    try {
      return await createImageBitmap(blob, { imageOrientation: "from-image" });
    } catch {
      // Perhaps only an element can open it, as Safari does with HEIC.
    }
  }
  const address = URL.createObjectURL(blob);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return image;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function drawn(source, longest, options = {}) {
  const width = source.naturalWidth ?? source.width;
  const height = source.naturalHeight ?? source.height;
  const factor = Math.min(1, longest / Math.max(width, height));
  const [across, down] = [width, height].map((length) => Math.max(1, Math.round(length * factor)));
  const canvas = makeElement("canvas", { width: across, height: down });
  const context = canvas.getContext("2d", { alpha: false, ...options });
  context.fillStyle = "#ffffff"; // under what is transparent
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export function encoded(canvas, quality = QUALITY, type = "image/jpeg") {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
}

export async function canvasOf(blob) {
  const source = await open(blob);
  return source === null ? null : drawn(source, LONGEST_PX);
}

// The picture as it is kept on the phone: {blob, factor}.
export async function keptPicture(canvas) {
  const small = drawn(canvas, KEPT_PX);
  return { blob: await encoded(small, 0.82), factor: small.width / canvas.width };
}

// A small square picture of a board.
export async function thumbnail(canvas, lattice) {
  const whole = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const part = lattice ? grown(boundsOf(boardOutline(lattice)), 0.04) : whole;
  const side = Math.max(part.width, part.height);
  const small = makeElement("canvas", { width: THUMB_PX, height: THUMB_PX });
  const context = small.getContext("2d", { alpha: false });
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, THUMB_PX, THUMB_PX);
  context.imageSmoothingQuality = "high";
  const scale = THUMB_PX / side;
  const left = (side - part.width) / 2 - part.x;
  const top = (side - part.height) / 2 - part.y;
  context.setTransform(scale, 0, 0, scale, left * scale, top * scale);
  context.drawImage(canvas, 0, 0);
  return encoded(small, 0.8);
}

// Whether a board's paper is dark, as on a screen in dark mode: by what stands beside the middle of
// cells, where digits seldom are.
export function isDarkPaper(canvas, lattice) {
  const small = drawn(canvas, DARKNESS_PX, { willReadFrequently: true });
  const context = small.getContext("2d");
  const factor = small.width / canvas.width;
  let sum = 0;
  let count = 0;
  for (let cell = 0; cell < (lattice.length - 1) ** 2; cell += DARKNESS_STEP) {
    const [[ax, ay], , [cx, cy]] = cellQuad(lattice, cell);
    const x = Math.floor((ax + 0.2 * (cx - ax)) * factor);
    const y = Math.floor((ay + 0.2 * (cy - ay)) * factor);
    if (x < 0 || y < 0 || x >= small.width || y >= small.height) continue;
    const [red, green, blue] = context.getImageData(x, y, 1, 1).data;
    sum += 0.3 * red + 0.59 * green + 0.11 * blue;
    count += 1;
  }
  return count > 0 && sum / count < DARK;
}
