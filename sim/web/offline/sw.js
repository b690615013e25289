/**
 * Serve the page without a network; tools/web/dist.py writes the lists of files. A version is kept as a whole or not at
 * all: each file has the check sum of its build. Packed files are kept unpacked, for the next start.
 */

import { restore, unpack } from "../device/unpacking.js";

const CACHE = "skyline-VERSION";
/** @type {Record<string, string>} by file: the beginning of its SHA-256 */
const FIRST = {};
/** @type {Record<string, string>} what no first game needs; the page asks for it once a game has ended */
const LATER = {};
const LASTING = /-[0-9a-f]{10}[/.]/; // a name that changes with the content of the file
const UNPACKED = "x-unpacked";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const here = (/** @type {string} */ name) => new URL(name, worker.registration.scope).href;

/**
 * Keep all of these files or, if one is missing or of another build, none.
 * @param {Record<string, string>} sums
 */
async function keep(sums) {
  const cache = await caches.open(CACHE);
  const names = Object.keys(sums);
  const files = await Promise.all(
    names.map(async (name) => {
      const known = await (LASTING.test(name) ? caches : cache).match(here(name));
      return known ?? open(name, await get(name, sums[name]));
    }),
  );
  await Promise.all(names.map((name, at) => cache.put(here(name), files[at])));
}

async function install() {
  try {
    // An update comes in the background.
    await keep(worker.registration.active ? { ...FIRST, ...LATER } : FIRST);
  } catch (problem) {
    await caches.delete(CACHE);
    throw problem;
  }
}

/**
 * @param {string} name
 * @param {string} sum
 */
async function get(name, sum) {
  // The browser's own cache may hold what a host had in the middle of an upload.
  for (const cache of /** @type {const} */ ([LASTING.test(name) ? "default" : "no-cache", "reload"])) {
    const found = await fetch(here(name), { cache });
    if (found.ok && (await read(found.clone())).startsWith(sum)) return found;
  }
  throw new Error(`${name} is missing or of another build`);
}

/**
 * @param {Response} found
 * @returns {Promise<string>} its SHA-256
 */
async function read(found) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await found.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {string} name
 * @param {Response} found
 * @returns {Promise<Response>} the unpacked file
 */
async function open(name, found) {
  if (!name.endsWith(".bin")) return found;
  const content = unpack(new Uint8Array(await found.arrayBuffer()));
  return new Response(name.startsWith("mpy-") ? content : restore(content), { headers: { [UNPACKED]: "1" } });
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
  else event.waitUntil(keep(LATER).catch(() => {})); // the next game asks again
});
