/** Unpack in a Worker, so that the page does not wait; where a page may have none, it imports this itself. */

import { restore, unpack } from "./unpacking.js";

/**
 * @param {Uint8Array} bytes as tools/web packed them
 * @param {boolean} sorted
 * @returns {Uint8Array<ArrayBuffer>|null} their unpacked content; null if the bytes are damaged
 */
export function unfold(bytes, sorted) {
  try {
    const content = unpack(bytes);
    return sorted ? restore(content) : content;
  } catch {
    return null;
  }
}

if (!("document" in globalThis)) {
  onmessage = ({ data: { bytes, sorted } }) => {
    const made = unfold(bytes, sorted);
    postMessage(made, { transfer: made ? [made.buffer] : [] });
  };
}
