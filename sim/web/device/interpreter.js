/** Start MicroPython with the firmware in its file system: in a page, a Worker or Node. One a realm. */

import { unpack } from "./lzma.js";
import { HEAP_BYTES } from "../tables.js";

const KINDS = 4;

/**
 * @param {object} parts
 * @param {LoadMicroPython} parts.loadMicroPython of micropython.mjs
 * @param {string} parts.program where micropython.wasm is
 * @param {Uint8Array} parts.firmware the image of its file system
 * @param {object} parts.host what sim/web/parts.py imports; none of its functions may throw
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
 * Fetch what start() needs.
 * @param {{micropython: string, program: string, firmware: string}} files their addresses, relative to this script
 */
export async function fetchParts(files) {
  const fetchPacked = async (/** @type {string} */ address) => {
    const answer = await fetch(new URL(address, import.meta.url));
    if (!answer.ok) throw new Error(`${address} cannot be loaded (${answer.status})`);
    return unpack(new Uint8Array(await answer.arrayBuffer()));
  };
  const [script, program, firmware] = await Promise.all([
    import(new URL(files.micropython, import.meta.url).href),
    fetchPacked(files.program),
    fetchPacked(files.firmware),
  ]);
  const address = URL.createObjectURL(new Blob([program], { type: "application/wasm" }));
  return { loadMicroPython: script.loadMicroPython, program: address, firmware: restore(firmware) };
}

/**
 * Put the pieces of an image back that tools/web/sorting.py sorted by their kinds.
 * @param {Uint8Array} sorted
 */
function restore(sorted) {
  const words = new DataView(sorted.buffer);
  const sizes = Array.from({ length: words.getUint16(0, true) }, (_, piece) => words.getUint16(2 + 2 * piece, true));
  let end = 0;
  const ends = sizes.map((size) => (end += size));
  const image = new Uint8Array(end);
  let at = 2 + 2 * sizes.length;
  for (let kind = 0; kind < KINDS; kind++) {
    for (let piece = kind; piece < sizes.length; piece += KINDS) {
      image.set(sorted.subarray(at, at + sizes[piece]), ends[piece] - sizes[piece]);
      at += sizes[piece];
    }
  }
  return image;
}
