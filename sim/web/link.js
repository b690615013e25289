/** Put a whole recording into the fragment of the page's address, which no server sees, and take it out again. */

const MARK = "#game=";

async function pass(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** @returns {Promise<string>} the fragment that holds these bytes */
export async function writeFragment(bytes) {
  const small = await pass(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of small) text += String.fromCharCode(byte);
  return MARK + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {string} fragment with its #
 * @returns {Promise<Uint8Array|null>} the bytes it holds; null where it holds nothing of ours. Rejects where it is damaged
 */
export async function readFragment(fragment) {
  if (!fragment.startsWith(MARK)) return null;
  try {
    const text = atob(fragment.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    return await pass(Uint8Array.from(text, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
  } catch {
    throw new Error("the link is damaged: it may have been cut off on its way");
  }
}
