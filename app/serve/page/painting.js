// What lies over a board, as shapes that SVG and canvas draw alike: each is drawn in a unit square
// and carried into its cell by the cell's own perspective. No page and no canvas is touched here.

import { addedUnitsOf, regionsOf, symbolOf } from "./board.js";
import { GLYPHS } from "./glyphs.js";
import { boardOutline, cellQuad, project, squareToQuad } from "./perspective.js";

const DIGIT_HEIGHT = 0.56; // of large digits, in cells; what saved pictures have
const NOTE_HEIGHT = 0.2;
const BELOW_SUMS = 0.25; // how far down the notes of a killer begin, in cells
const BADGE_HEIGHT = 0.24;
const SUM_HEIGHT = 0.19;
const SUM_PLACE = [0.17, 0.15];
const CAGE_INSET = 0.07;
const HALO = 0.055;
const TWO_FIGURES = 0.8; // of the height of one
const FIGURE_STEP = 0.72; // from one to the next, in their height
const BADGE = { x: 0.66, y: 0.05, width: 0.29, height: 0.34 };
export const PLAYER_COLOURS = ["#e4572e", "#f2b134", "#6aa84f", "#3d85c6", "#9a6fb0", "#8c8c8c"];
const CORNER_PLACES = [
  [0.18, 0.18], [0.82, 0.18], [0.18, 0.82], [0.82, 0.82],
  [0.5, 0.18], [0.5, 0.82], [0.18, 0.5], [0.82, 0.5], [0.5, 0.36],
];
const ROUND = 0.5523; // of a quarter circle's control points

const PARSED = Object.fromEntries(
  Object.entries(GLYPHS).map(([sign, path]) => [sign, path.match(/[MLCZ]|-?\d+/g)]),
);

const MARK_TINTS = {
  unit: ["accent", 0.16],
  pattern: ["accent", 0.32],
  target: ["amber", 0.61],
  good: ["accent", 0.32],
  bad: ["red", 0.54],
  unsure: ["amber", 0.42],
};
const DOUBT_TINTS = { unsure: ["amber", 0.6], overruled: ["amber", 0.6], conflict: ["red", 0.6] };

// Returns {tints, inks}, lists of {d, fill, opacity, stroke, width, kind, cell, step}, where step is
// the distance from the top left cell. `over` is
// {marks, notes, digits, areBadgesWanted, hasSums}, what hints and checks put over the board, and
// whether its cells have sums in their corners.
export function paintBoard(faces, lattice, colours, over = {}) {
  const { marks = {}, notes = [], digits = {}, areBadgesWanted = false, hasSums = false } = over;
  const tints = [];
  const inks = [];
  const notesOf = groupByCell(notes);
  const side = lattice.length - 1;
  const columns = Math.max(3, Math.ceil(Math.sqrt(faces.some((face) => face.isHole) ? 9 : side))); // of notes
  const top = hasSums ? BELOW_SUMS : 0.05;
  const noteGrid = { columns, top, across: 0.9 / columns, down: (0.95 - top) / columns };
  faces.forEach((face, cell) => {
    const place = placeOf(lattice, cell);
    if (place === null || face.isHole) return;
    if (face.colour) {
      const fill = PLAYER_COLOURS[face.colour - 1];
      tints.push({ d: box(place, 0.02), fill, opacity: 0.5, kind: "colour", cell });
    }
    for (const tint of [DOUBT_TINTS[face.doubt], MARK_TINTS[marks[cell]]]) {
      if (!tint) continue;
      const [name, strength] = tint;
      const opacity = strength * colours.strength;
      tints.push({ d: box(place, 0.02), fill: colours[name], opacity, kind: "tint", cell });
    }
    const shapes = paintCell(place, face, colours, cell, digits[cell], notesOf.get(cell) ?? [], noteGrid);
    inks.push(...shapes.map((shape) => ({ ...shape, step: Math.floor(cell / side) + (cell % side) })));
    const isTelling = face.doubt !== null || face.isByHand;
    const isRead = areBadgesWanted && (face.clue || face.entry);
    if (colours.clue === null && (isTelling || isRead)) inks.push(...badge(place, face, colours, cell));
  });
  return { tints, inks };
}

function paintCell(place, face, colours, cell, put, notes, noteGrid) {
  const shapes = [];
  const inPrint = (value) => symbolOf(face, value);
  if (colours.clue !== null && face.clue) {
    shapes.push({ ...digit(place, inPrint(face.clue), colours.clue), kind: "clue", cell });
  } else if (face.entry && !face.solution && !put && (colours.entry !== null || face.isOwn)) {
    const ink = colours.entry ?? colours.digit;
    shapes.push({ ...digit(place, inPrint(face.entry), ink, colours.halo), kind: "entry", cell });
  }
  if (put) {
    shapes.push({ ...digit(place, inPrint(put), colours.digit, colours.halo), kind: "put", cell });
  } else if (face.solution) {
    shapes.push({ ...digit(place, inPrint(face.solution), colours.digit, colours.halo), kind: "solution", cell });
  } else {
    for (const note of notes) shapes.push(...paintNote(place, note, colours, cell, noteGrid, inPrint));
    const isSeen = colours.clue === null && face.isNoted;
    if (!notes.length && !isSeen) shapes.push(...paintMarks(place, face, colours, cell));
  }
  return shapes;
}

// A person's own notes: in the corners and along the edges, and in a row in the middle.
function paintMarks(place, face, colours, cell) {
  const { corner = [], centre = [] } = face;
  const height = Math.min(NOTE_HEIGHT, 0.9 / (0.8 * Math.max(centre.length, 1)));
  const across = 0.8 * height;
  const free = CORNER_PLACES.slice(face.cageSum ? 1 : 0); // a sum takes the first
  const places = [
    ...corner.slice(0, free.length).map((value, at) => [value, free[at], NOTE_HEIGHT, "corner"]),
    ...centre.map((value, at) => [value, [0.5 + (at - (centre.length - 1) / 2) * across, 0.5], height, "centre"]),
  ];
  return places.map(([value, middle, size, kind]) => ({
    ...digit(place, symbolOf(face, value), colours.note, colours.halo, size, middle),
    kind,
    cell,
  }));
}

function paintNote(place, note, colours, cell, { columns, top, across, down }, inPrint) {
  const height = (NOTE_HEIGHT * down) / 0.3;
  const row = Math.floor((note.digit - 1) / columns);
  const middle = [0.05 + across * (((note.digit - 1) % columns) + 0.5), top + down * (row + 0.5)];
  const sign = inPrint(note.digit);
  if (note.kind === "placed") {
    return [
      { d: disc(place, middle, down / 2), fill: colours.digit, kind: "note", cell },
      { ...digit(place, sign, colours.paper, null, height, middle), kind: "note", cell },
    ];
  }
  const fill = { reason: colours.digit, removed: colours.strongRed }[note.kind] ?? colours.note;
  const shapes = [
    { ...digit(place, sign, fill, colours.halo, height, middle), kind: "note", cell },
  ];
  if (note.kind === "removed") {
    const [x, y] = middle;
    const ends = [project(place, x - 0.4 * down, y + down / 3), project(place, x + 0.4 * down, y - down / 3)];
    const width = 0.035 * sizeOf(place);
    shapes.push({ d: line(ends), stroke: fill, width, kind: "strike", cell });
  }
  return shapes;
}

// Says in the corner of a photographed cell what its print was taken for, and how.
function badge(place, face, colours, cell) {
  const value = face.clue || face.entry;
  const ink = { conflict: colours.strongRed, unsure: colours.strongAmber, overruled: colours.strongAmber };
  const fill = face.isByHand ? colours.digit : colours.paper;
  const middle = [BADGE.x + BADGE.width / 2, BADGE.y + BADGE.height / 2];
  const colour = face.isByHand ? colours.paper : (ink[face.doubt] ?? colours.note);
  const shown = value
    ? digit(place, symbolOf(face, value), colour, null, BADGE_HEIGHT, middle)
    : { d: disc(place, middle, 0.045), fill: colour };
  return [
    { d: rounded(place, BADGE, 0.08), fill, kind: "badge", cell },
    { ...shown, kind: "badge", cell },
  ];
}

// The dotted lines around the cages of a clean board, a little inside of their cells, and their sums.
function paintCages(lattice, cages, colour) {
  const side = lattice.length - 1;
  return cages.flatMap(([sum, cells]) => {
    const inside = new Set(cells);
    const has = (cell, step) => inside.has(cell + step) && (Math.abs(step) > 1 || Math.floor(cell / side) === Math.floor((cell + step) / side));
    const lines = cells.flatMap((cell) => {
      const place = placeOf(lattice, cell);
      const [left, right, top, bottom] = [has(cell, -1), has(cell, 1), has(cell, -side), has(cell, side)];
      const [x0, x1] = [left ? 0 : CAGE_INSET, right ? 1 : 1 - CAGE_INSET];
      const [y0, y1] = [top ? 0 : CAGE_INSET, bottom ? 1 : 1 - CAGE_INSET];
      const ends = [
        !top && [x0, CAGE_INSET, x1, CAGE_INSET],
        !bottom && [x0, 1 - CAGE_INSET, x1, 1 - CAGE_INSET],
        !left && [CAGE_INSET, y0, CAGE_INSET, y1],
        !right && [1 - CAGE_INSET, y0, 1 - CAGE_INSET, y1],
      ].filter(Boolean);
      return ends.map(([x, y, u, v]) => ({ d: line([project(place, x, y), project(place, u, v)]), stroke: colour, width: 1, kind: "cage", cell }));
    });
    if (!sum) return lines;
    const text = { ...digit(placeOf(lattice, cells[0]), sum, colour, null, SUM_HEIGHT, SUM_PLACE), kind: "sum", cell: cells[0] };
    return [...lines, text];
  });
}

// The rules of a clean board as shapes: {tints, inks} with windows, diagonals, the lines between
// cells and around regions, and cages; `bold` is the width of a region's line.
export function paintRules(board, lattice, colours, bold = 2.4) {
  const regions = regionsOf(board);
  const across = lattice.length - 1;
  const at = (row, column) => (row < 0 || column < 0 || row >= across || column >= across ? null : regions[across * row + column]);
  const paths = { thin: [], bold: [] };
  const all = [...Array(across + 1).keys()];
  for (const [row, column] of all.flatMap((one) => all.map((other) => [one, other]))) {
    const here = at(row, column);
    for (const [down, right] of [[1, 0], [0, 1]]) {
      const beside = at(row - right, column - down); // on the other side of the line
      const end = lattice[row + down]?.[column + right];
      if (end === undefined || (here === null && beside === null)) continue;
      const points = [lattice[row][column], end].map(([x, y]) => [x + 0.5, y + 0.5]);
      paths[here === beside ? "thin" : "bold"].push(line(points));
    }
  }
  const lines = [["thin", 1], ["bold", bold]].map(([name, width]) => ({ d: paths[name].join(" "), stroke: colours[name], width, kind: "line" }));
  const units = addedUnitsOf(board);
  const isDiagonal = board?.kind === "diagonal";
  const diagonals = isDiagonal ? units.map((cells) => paintDiagonal(lattice, cells, colours.bold)) : [];
  const windows = isDiagonal ? [] : units.flat().map((cell) => ({ d: box(placeOf(lattice, cell), 0), fill: colours.bold, opacity: 0.16, kind: "window", cell }));
  const cells = [...regions].flatMap((name, cell) => (name === null ? [] : [cell]));
  const isWhole = cells.length < across ** 2; // with paper only where there are cells
  const paper = isWhole ? [{ d: cells.map((cell) => box(placeOf(lattice, cell), 0)).join(" "), fill: colours.paper, kind: "paper" }] : [];
  return { tints: [...paper, ...windows], inks: [...diagonals, ...lines, ...paintCages(lattice, board?.cages ?? [], colours.note)] };
}

function paintDiagonal(lattice, cells, stroke) {
  const ends = [[cells[0], 0], [cells.at(-1), 1]].map(([cell, far]) => {
    const isFalling = cells[1] - cells[0] > lattice.length - 1;
    return project(placeOf(lattice, cell), isFalling ? far : 1 - far, far);
  });
  return { d: line(ends), stroke, width: 1, kind: "diagonal" };
}

export const outlineOf = (lattice) => `${line(boardOutline(lattice))} Z`;
export const cellOutline = (lattice, cell) => `${line(cellQuad(lattice, cell))} Z`;

function placeOf(lattice, cell) {
  return squareToQuad(cellQuad(lattice, cell));
}

function digit(place, text, fill, halo = null, height = DIGIT_HEIGHT, middle = [0.5, 0.5]) {
  // A number of two figures is written narrower, so that it fits where one stands.
  const figures = [...String(text)];
  const narrowed = figures.length > 1 ? TWO_FIGURES * height : height;
  const d = figures.map((figure, at) => {
    const left = middle[0] + (at - (figures.length - 1) / 2) * FIGURE_STEP * narrowed;
    return carry(place, PARSED[figure], narrowed / 1000, [left, middle[1]]);
  });
  const shape = { d: d.join(" "), fill };
  if (halo === null) return shape;
  const width = 2 * HALO * Math.max(height / DIGIT_HEIGHT, 0.6) * sizeOf(place);
  return { ...shape, stroke: halo, width };
}

// A path's points in perspective. Control points are carried along as if they were on the curve:
// a cell is so small that nobody sees the difference.
function carry(place, signs, scale, [left, top]) {
  const parts = [];
  for (let at = 0; at < signs.length; at += 1) {
    if (/[MLCZ]/.test(signs[at])) {
      parts.push(signs[at]);
      continue;
    }
    const [x, y] = project(place, left + signs[at] * scale, top + signs[at + 1] * scale);
    parts.push(`${x.toFixed(2)},${y.toFixed(2)}`);
    at += 1;
  }
  return parts.join(" ");
}

function box(place, inset) {
  const far = 1 - inset;
  const corners = [[inset, inset], [far, inset], [far, far], [inset, far]];
  return `${line(corners.map(([u, v]) => project(place, u, v)))} Z`;
}

function rounded(place, { x, y, width, height }, radius) {
  const at = (u, v) => project(place, u, v).map((one) => one.toFixed(2)).join(",");
  const [right, bottom, bend] = [x + width, y + height, radius * (1 - ROUND)];
  return [
    `M${at(x + radius, y)} L${at(right - radius, y)}`,
    `C${at(right - bend, y)} ${at(right, y + bend)} ${at(right, y + radius)}`,
    `L${at(right, bottom - radius)}`,
    `C${at(right, bottom - bend)} ${at(right - bend, bottom)} ${at(right - radius, bottom)}`,
    `L${at(x + radius, bottom)}`,
    `C${at(x + bend, bottom)} ${at(x, bottom - bend)} ${at(x, bottom - radius)}`,
    `L${at(x, y + radius)} C${at(x, y + bend)} ${at(x + bend, y)} ${at(x + radius, y)} Z`,
  ].join(" ");
}

function disc(place, [x, y], radius) {
  const square = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
  return rounded(place, square, radius);
}

function line(points) {
  return points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
}

// The side of a cell in the photo's pixels, about its middle.
function sizeOf(place) {
  const [ax, ay] = project(place, 0, 0.5);
  const [bx, by] = project(place, 1, 0.5);
  const [cx, cy] = project(place, 0.5, 0);
  const [dx, dy] = project(place, 0.5, 1);
  return (Math.hypot(bx - ax, by - ay) + Math.hypot(dx - cx, dy - cy)) / 2;
}

function groupByCell(notes) {
  const groups = new Map();
  for (const note of notes) groups.set(note.cell, [...(groups.get(note.cell) ?? []), note]);
  return groups;
}

// With what a board is painted: over a photo of paper or of a screen in dark mode, and clean, on a
// sheet of paper or on the page. `halo` is around what is written over a photo; `clue` and `entry`
// are null where the photo shows them.

export const ON_PAPER = {
  digit: "#0a7d46",
  halo: "#ffffff",
  clue: null,
  entry: null,
  paper: "#ffffff",
  note: "#464a52",
  accent: "#0a7d46",
  amber: "#ffbe46",
  red: "#f05a50",
  strongAmber: "#a05c00",
  strongRed: "#c82822",
  strength: 1,
};
export const ON_DARK = {
  digit: "#6ef096",
  halo: "#191919",
  clue: null,
  entry: null,
  paper: "#191919",
  note: "#c8ccd2",
  accent: "#6ef096",
  amber: "#f0b040",
  red: "#f0685f",
  strongAmber: "#f0b040",
  strongRed: "#f0685f",
  strength: 0.65,
};
export const PRINTED = { ...ON_PAPER, halo: null, clue: "#1c1e21", entry: "#4a6fa5", thin: "#8a8d92", bold: "#1c1e21", note: "#464a52" };

// The clean board takes the colours of the page's present look.
export function cleanColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    digit: colour("accent"),
    halo: null,
    clue: colour("text"),
    entry: colour("entry"),
    paper: colour("paper"),
    note: colour("muted"),
    accent: colour("accent"),
    amber: colour("amber"),
    red: colour("red"),
    strongAmber: colour("amber"),
    strongRed: colour("red"),
    thin: colour("paper-line"),
    bold: colour("paper-bold"),
    strength: 0.65,
  };
}
