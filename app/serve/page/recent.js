// The puzzles of late and the photo that waits to be sent, kept in this browser's own database
// (IndexedDB) and nowhere else. Where a browser keeps nothing, all of it lasts for the visit.

const NAME = "sudoku-lens";
const MOST_PUZZLES = 30;

const inMemory = { puzzles: new Map(), waiting: new Map(), plays: new Map() };
let opened = null;

// A puzzle is {id, time, outcome, width, height, picture, thumb, boards, chosen, seconds}.
export async function keepPuzzle(puzzle) {
  await change("puzzles", (store) => store.put(puzzle), (map) => map.set(puzzle.id, puzzle));
  const all = await listPuzzles();
  for (const one of all.slice(MOST_PUZZLES)) await deletePuzzle(one.id);
}

// All of them, the latest first.
export async function listPuzzles() {
  const all = await read("puzzles", (store) => store.getAll(), (map) => [...map.values()]);
  return all.sort((one, other) => other.time - one.time);
}

// Whether a photo was left before it was sent.
export const isUnsent = (puzzle) => !puzzle.boards.length && !puzzle.isTried;

// The one with this name, or undefined.
export async function findPuzzle(id) {
  return (await listPuzzles()).find((puzzle) => puzzle.id === id);
}

// How far a puzzle is solved by a person, {id, boards: [{clues, entries, marks}], plays}: so small
// that it is kept at every stroke.
export const putPlay = (play) => change("plays", (store) => store.put(play), (map) => map.set(play.id, play));

export const listPlays = () => read("plays", (store) => store.getAll(), (map) => [...map.values()]);

export const findPlay = (id) => read("plays", (store) => store.get(id), (map) => map.get(id));

function deletePlay(id) {
  inMemory.plays.delete(id);
  return change("plays", (store) => store.delete(id), () => {});
}

export async function deletePuzzle(id) {
  inMemory.puzzles.delete(id);
  await deletePlay(id);
  return change("puzzles", (store) => store.delete(id), () => {});
}

export async function deleteAllPuzzles() {
  inMemory.puzzles.clear();
  inMemory.plays.clear();
  await change("plays", (store) => store.clear(), () => {});
  return change("puzzles", (store) => store.clear(), () => {});
}

// The one photo that waits to be sent: {blob, corners, puzzle}, or undefined.
export const keepWaiting = (photo) =>
  change("waiting", (store) => store.put({ ...photo, id: 1 }), (map) => map.set(1, photo));

export const findWaiting = () => read("waiting", (store) => store.get(1), (map) => map.get(1));

export function dropWaiting() {
  inMemory.waiting.delete(1);
  return change("waiting", (store) => store.delete(1), () => {});
}

export function makeId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function change(name, act, instead) {
  const database = await open();
  if (database === null) return void instead(inMemory[name]);
  try {
    const transaction = database.transaction(name, "readwrite");
    act(transaction.objectStore(name));
    transaction.commit?.(); // a page that is closed now keeps it all the same
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  } catch {
    // The phone is full, or keeps no pictures in private windows.
    instead(inMemory[name]);
  }
}

async function read(name, act, instead) {
  const database = await open();
  const held = instead(inMemory[name]);
  if (database === null) return held;
  try {
    const request = act(database.transaction(name).objectStore(name));
    const found = await asPromise(request);
    return Array.isArray(found) ? [...found, ...held] : (found ?? held);
  } catch {
    return held;
  }
}

function open() {
  opened ??= new Promise((resolve) => {
    if (!("indexedDB" in window)) return resolve(null);
    try {
      const request = indexedDB.open(NAME, 2);
      request.onupgradeneeded = () => {
        const known = request.result.objectStoreNames;
        for (const name of Object.keys(inMemory)) {
          if (!known.contains(name)) request.result.createObjectStore(name, { keyPath: "id" });
        }
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
      request.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
    return undefined;
  });
  return opened;
}

function asPromise(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
