/** Make bytes small, and letters that go through a message, or the fragment of an address, which no server sees. */

const MARK = "#game=";

async function pass(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** @returns {Promise<string>} letters that hold these bytes */
export async function pack(bytes) {
  const small = await pass(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of small) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @returns {Promise<Uint8Array>} what pack() packed; rejects where the letters are damaged */
export async function unpack(letters) {
  const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  return pass(Uint8Array.from(text, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
}

/** @returns {Promise<string>} the fragment that holds a recording */
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
