/** Compress bytes to letters for a message, or for the fragment of an address, which no server sees. */

const MARK = "#game=";
const GAME = /^#game(?:=|%3D)([^&]*)/i; // some messengers escape it
const DASHES = /%E2%80%9[0-5]|%E2%88%92|[\u2010-\u2015\u2212]/gi; // which they make of hyphens
const OTHERS = /[^\w-].*/; // the end of a sentence, or of a quotation
const OPEN = /^#open=([\w-]*)$/; // a screen by its name in requests.py
const TRY = /&try=(.*)$/; // behind the game: this player plays on from its end at once
const PIECE = 1024; // bytes at a time, which may unpack to a thousand times as many

/** Thrown if bytes would unpack to more than the limit. */
export class TooLong extends Error {}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {WritableStreamDefaultWriter<BufferSource>} writer
 */
async function feed(bytes, writer) {
  for (let at = 0; at < bytes.length; at += PIECE) await writer.write(bytes.subarray(at, at + PIECE));
  await writer.close();
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream|DecompressionStream} stream
 * @param {number} most
 * @returns {Promise<Uint8Array>} the stream's output for these bytes; rejects with TooLong if it exceeds `most`
 */
async function pass(bytes, stream, most = Infinity) {
  feed(bytes, stream.writable.getWriter()).catch(() => {}); // the read below fails, too
  const reader = stream.readable.getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    length += value.length;
    if (length <= most) continue;
    await reader.cancel();
    throw new TooLong();
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<string>} letters that hold these bytes
 */
export async function pack(bytes) {
  const small = await pass(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of small) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {string} letters
 * @param {number} most
 * @returns {Promise<Uint8Array>} the packed bytes; rejects if the letters are damaged or hold more than `most`
 */
export async function unpack(letters, most) {
  const text = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  return pass(Uint8Array.from(text, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"), most);
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<string>} the fragment that holds a recording
 */
export async function writeFragment(bytes) {
  return MARK + (await pack(bytes));
}

/**
 * @param {string} fragment with its #
 * @param {number} most the highest number of bytes of a recording
 * @returns {Promise<Uint8Array|null>} the recording; null if the fragment is not one of ours. Rejects if it is damaged
 */
export async function readFragment(fragment, most) {
  const letters = GAME.exec(fragment)?.[1].replaceAll(DASHES, "-").replace(OTHERS, "");
  if (letters === undefined) return null;
  try {
    return await unpack(letters, most);
  } catch (problem) {
    if (problem instanceof TooLong) throw new Error("the recording is too long for a handheld");
    throw new Error("the link is damaged or cut off");
  }
}

/**
 * @param {string} fragment with its #
 * @returns {string} the name of the screen that it opens, "" for none
 */
export function readScreen(fragment) {
  return OPEN.exec(fragment)?.[1] ?? "";
}

/**
 * @param {string} fragment with its #
 * @returns {number} who plays on from the end of its recording at once, from 1; 0 for nobody, -1 for a wrong number
 */
export function readPlayer(fragment) {
  const player = TRY.exec(fragment)?.[1] ?? "0";
  return /^([1-4]|0)$/.test(player) ? Number(player) : -1;
}
