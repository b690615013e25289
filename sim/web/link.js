/** Put a whole recording into the fragment of the page's address, which no server sees, and take it out again. */

import { pack, unpack } from "./packing.js";

const MARK = "#game=";

/** @returns {Promise<string>} the fragment that holds these bytes */
export async function writeFragment(bytes) {
  return MARK + (await pack(bytes));
}

/**
 * @param {string} fragment with its #
 * @returns {Promise<Uint8Array|null>} the bytes it holds; null where it holds nothing of ours. Rejects where it is damaged
 */
export async function readFragment(fragment) {
  if (!fragment.startsWith(MARK)) return null;
  try {
    return await unpack(fragment.slice(MARK.length));
  } catch {
    throw new Error("the link is damaged: it may have been cut off on its way");
  }
}
