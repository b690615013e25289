/** Serve the page without a network; tools/web/dist.py writes the list of files. A version is whole, or not there. */

const CACHE = "skyline-VERSION";
const FILES = ["FILES"];
const LASTING = /-[0-9a-f]{10}[/.]/; // a name that changes with what is in the file

const here = (name) => new URL(name, self.registration.scope).href;

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    FILES.map(async (name) => {
      const known = LASTING.test(name) ? await caches.match(here(name)) : null;
      await cache.put(here(name), known ?? (await get(name)));
    }),
  );
}

async function get(name) {
  const answer = await fetch(here(name), LASTING.test(name) ? {} : { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith("skyline-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const address = request.url.split(/[?#]/)[0].replace(/index\.html$/, "");
  return (await cache.match(address)) ?? fetch(request);
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
