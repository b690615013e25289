/**
 * Serve the page without a network; tools/web/dist.py writes the list of files. The cache never holds part of a
 * version. Packed files are kept unpacked, for the next start.
 */

import { restore, unpack } from "../device/unpacking.js";

const CACHE = "skyline-VERSION";
const FILES = ["FILES"];
const LASTING = /-[0-9a-f]{10}[/.]/; // a name that changes with the content of the file
const UNPACKED = "x-unpacked";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const here = (/** @type {string} */ name) => new URL(name, worker.registration.scope).href;

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    FILES.map(async (name) => {
      const known = LASTING.test(name) ? await caches.match(here(name)) : null;
      await cache.put(here(name), await open(name, known ?? (await get(name))));
    }),
  );
}

/** @param {string} name */
async function get(name) {
  const found = await fetch(here(name), LASTING.test(name) ? {} : { cache: "no-cache" });
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  return found;
}

/**
 * @param {string} name
 * @param {Response} found
 * @returns {Promise<Response>} the unpacked file
 */
async function open(name, found) {
  if (!name.endsWith(".bin") || found.headers.has(UNPACKED)) return found;
  const content = unpack(new Uint8Array(await found.arrayBuffer()));
  return new Response(/^(rom|rest)-/.test(name) ? restore(content) : content, { headers: { [UNPACKED]: "1" } });
}

async function forget() {
  const old = (await caches.keys()).filter((name) => name.startsWith("skyline-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const address = request.url.split(/[?#]/)[0].replace(/index\.html$/, "");
  return (await cache.match(address)) ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(forget()));
worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(worker.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});
worker.addEventListener("message", (event) => {
  if (event.data === "go") worker.skipWaiting();
});
