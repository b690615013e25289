/** Serve the book without a network: all of one version, or none. The playing page above has its own worker. */

const CACHE = "book-VERSION"; // the playing page deletes what begins with "skyline-"
const FILES = [];

const here = (name) => new URL(name, registration.scope).href;

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((name) => new Request(here(name), { cache: "reload" })));
  await skipWaiting();
}

async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith("book-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const address = request.url.split(/[?#]/)[0].replace(/\/$/, "/index.html");
  return (await cache.match(address)) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(forget()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
