/**
 * Serve the page without a network. tools/web/dist.py writes the list of files: all but index.html have names that
 * change with what is in them, so that a version is never half of another one.
 */

const CACHE = "skyline-VERSION";
const FILES = ["FILES"];
const PAGES = ["./", "builder.html"]; // the names that stay

const here = (name) => new URL(name, self.registration.scope).href;

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    FILES.map(async (name) => {
      const known = PAGES.includes(name) ? null : await caches.match(here(name));
      await cache.put(here(name), known ?? (await get(name)));
    }),
  );
}

async function get(name) {
  const answer = await fetch(here(name), PAGES.includes(name) ? { cache: "no-cache" } : {});
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith("skyline-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
self.addEventListener("message", (event) => {
  if (event.data === "go") self.skipWaiting();
});
