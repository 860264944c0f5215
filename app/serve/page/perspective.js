// From a lattice of crossings to cells in perspective, and back from a point to its cell.
// A lattice is n + 1 lines of as many [x, y], the puzzle's own top left first, pixel centres at
// integers.

const PIXEL_CENTRE = 0.5; // what is drawn has the pixels' corners at integers

const sideOf = (lattice) => lattice.length - 1;

// The corners of a cell, clockwise from its top left.
export function cellQuad(lattice, cell) {
  const row = Math.floor(cell / sideOf(lattice));
  const column = cell % sideOf(lattice);
  return [
    lattice[row][column],
    lattice[row][column + 1],
    lattice[row + 1][column + 1],
    lattice[row + 1][column],
  ].map(([x, y]) => [x + PIXEL_CENTRE, y + PIXEL_CENTRE]);
}

// The corners of the whole board, clockwise from its top left.
export function boardCorners(lattice) {
  const [first, last] = [lattice[0], lattice.at(-1)];
  return [first[0], first.at(-1), last.at(-1), last[0]];
}

// The outline of the board, which bends with the page.
export function boardOutline(lattice) {
  const around = [
    ...lattice[0],
    ...lattice.slice(1).map((line) => line.at(-1)),
    ...lattice.at(-1).slice(0, -1).reverse(),
    ...lattice.slice(1, -1).map((line) => line[0]).reverse(),
  ];
  return around.map(([x, y]) => [x + PIXEL_CENTRE, y + PIXEL_CENTRE]);
}

// The homography that carries the unit square onto a quadrilateral, as [a b c d e f g h] with
// x = (a u + b v + c) / (g u + h v + 1); null where the corners have no area.
// Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989.
export function squareToQuad([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const sumX = x0 - x1 + x2 - x3;
  const sumY = y0 - y1 + y2 - y3;
  const dx1 = x1 - x2;
  const dy1 = y1 - y2;
  const dx2 = x3 - x2;
  const dy2 = y3 - y2;
  const area = dx1 * dy2 - dx2 * dy1;
  if (!Number.isFinite(area) || Math.abs(area) < 1e-9) return null;
  const g = (sumX * dy2 - dx2 * sumY) / area;
  const h = (dx1 * sumY - sumX * dy1) / area;
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h];
}

export function project([a, b, c, d, e, f, g, h], u, v) {
  const w = g * u + h * v + 1;
  return [(a * u + b * v + c) / w, (d * u + e * v + f) / w];
}

// The cell at a point, or null beside the board.
export function cellAt(lattice, x, y) {
  for (let cell = 0; cell < sideOf(lattice) ** 2; cell += 1) {
    if (isInside(cellQuad(lattice, cell), x, y)) return cell;
  }
  return null;
}

export function isInside(polygon, x, y) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i, i += 1) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
  }
  return inside;
}

// The upright rectangle around points: {x, y, width, height}.
export function boundsOf(points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

export function scaleLattice(lattice, factor) {
  // Pixel centres lie at integers, so the corner of the picture stays where it is.
  const scale = (at) => (at + PIXEL_CENTRE) * factor - PIXEL_CENTRE;
  return lattice.map((line) => line.map(([x, y]) => [scale(x), scale(y)]));
}

// A flat board of so many cells each way, and of the given length.
export function flatLattice(cells, length) {
  const at = (number) => (number * length) / cells - PIXEL_CENTRE;
  return Array.from({ length: cells + 1 }, (_, row) =>
    Array.from({ length: cells + 1 }, (_, column) => [at(column), at(row)]),
  );
}

// Whether four corners make a convex quadrilateral that goes clockwise on the screen.
export function isProperQuad(quad) {
  return quad.every((_, number) => {
    const [ax, ay] = quad[number];
    const [bx, by] = quad[(number + 1) % 4];
    const [cx, cy] = quad[(number + 2) % 4];
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 1;
  });
}
