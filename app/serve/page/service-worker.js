// Keeps the page itself, never a photo, a puzzle or an answer, so that it opens while the computer
// cannot be reached. What the computer has now always goes before what was kept.

const KEPT = "sudoku-lens-page";
const PATIENCE_MS = 3000; // a computer that is off does not say so

self.addEventListener("install", (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  const { origin, pathname, search } = new URL(url);
  const isOurs = origin === self.location.origin && method === "GET" && !pathname.startsWith("/api/");
  // The address of a scanned code holds a secret, and is left to the computer.
  if (isOurs && !search) event.respondWith(answer(event.request, mode === "navigate"));
});

async function answer(request, isPage) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(isPage ? "/" : request);
  const asked = fetch(request).then(async (response) => {
    if (response.ok && response.type === "basic") await kept.put(request, response.clone());
    return response;
  });
  if (!found) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, found));
  return Promise.race([asked, late]).catch(() => found);
}
