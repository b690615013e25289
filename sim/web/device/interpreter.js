/** Start MicroPython with the firmware in its file system: in a page, a Worker or Node. One per realm. */

import { FILES, HEAP_BYTES } from "../tables.js";

/**
 * @param {object} parts
 * @param {LoadMicroPython} parts.loadMicroPython of micropython.mjs
 * @param {string} parts.program the address of micropython.wasm
 * @param {Uint8Array} parts.firmware the image of its file system
 * @param {object} parts.host the module that sim/web/web_device.py imports; none of its functions may throw
 * @param {(line: string) => void} [parts.print]
 * @returns {Promise<Python>} the interpreter
 */
export async function start({ loadMicroPython, program, firmware, host, print = console.log }) {
  const python = await loadMicroPython({
    url: program,
    romfs: firmware,
    heapsize: HEAP_BYTES,
    stdout: print,
    stderr: print,
  });
  python.registerJsModule("host", host);
  return python;
}

/**
 * @param {string} address relative to this script
 * @param {boolean} sorted
 * @returns {Promise<Uint8Array<ArrayBuffer>>} the unpacked file, which is whole
 */
async function fetchUnpacked(address, sorted = false) {
  // The browser's own cache may hold what a host had in the middle of an upload.
  for (const cache of /** @type {const} */ (["default", "reload"])) {
    const answer = await fetch(new URL(address, import.meta.url), { cache });
    if (!answer.ok) throw new Error(`${address} cannot be loaded (${answer.status})`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    // The service worker keeps files unpacked. On a first visit, or without the worker, they are packed.
    if (answer.headers.has("x-unpacked")) return bytes;
    const content = await unpackAside(bytes, sorted);
    if (content) return content;
  }
  throw new Error(`${address.replace(/.*\//, "")} arrives damaged`);
}

/** Fetch the image of the files that a first game does not need, for Handheld.complete(). */
export const fetchRest = () => fetchUnpacked(FILES.rest, true);

/**
 * Fetch the files for start().
 * @param {{micropython: string, program: string, firmware: string}} files their addresses, relative to this script
 */
export async function fetchParts(files) {
  const [script, program, firmware] = await Promise.all([
    import(new URL(files.micropython, import.meta.url).href),
    fetchUnpacked(files.program),
    fetchUnpacked(files.firmware, true),
  ]);
  const address = URL.createObjectURL(new Blob([program], { type: "application/wasm" }));
  return { loadMicroPython: script.loadMicroPython, program: address, firmware };
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes as tools/web packed them
 * @param {boolean} sorted
 * @returns {Promise<Uint8Array<ArrayBuffer>|null>} their unpacked content; null if they are damaged
 */
async function unpackAside(bytes, sorted) {
  const script = new URL("unpacker.js", import.meta.url).href;
  /** @type {Worker} */
  let worker;
  try {
    worker = new Worker(script, { type: "module" });
  } catch {
    return (await import(script)).unfold(bytes, sorted); // a sandboxed frame may have no Worker
  }
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = () => reject(new Error("unpacker.js cannot be loaded"));
    worker.postMessage({ bytes, sorted }, [bytes.buffer]);
  });
}
