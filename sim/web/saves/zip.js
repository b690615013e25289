/** Pack files into a zip without compression, and unpack one, as Python's zipfile does. */

import { crc32 } from "../device/crc32.js";

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22];
const MADE = 20; // the version of the format, 2.0
const FIRST_DAY = 0x21; // 1 January 1980
const DAMAGED = "the archive is damaged";

/**
 * @param {[string, Uint8Array][]} files with names in ASCII
 * @returns {Uint8Array<ArrayBuffer>} the zip
 */
export function packZip(files) {
  const size = files.reduce((sum, [name, bytes]) => sum + LOCAL_BYTES + CENTRAL_BYTES + 2 * name.length + bytes.length, END_BYTES);
  const zip = new Uint8Array(size);
  const view = new DataView(zip.buffer);
  let at = 0;
  const write = (/** @type {[number, number][]} */ ...fields) => {
    for (const [bytes, value] of fields) {
      if (bytes === 4) view.setUint32(at, value, true);
      else view.setUint16(at, value, true);
      at += bytes;
    }
  };
  const place = (/** @type {Uint8Array} */ bytes) => {
    zip.set(bytes, at);
    at += bytes.length;
  };
  const central = files.map(([name, bytes]) => {
    const from = at;
    const letters = new TextEncoder().encode(name);
    /** @type {[number, number][]} */
    const facts = [[2, MADE], [2, 0], [2, 0], [2, 0], [2, FIRST_DAY], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, letters.length], [2, 0]];
    write([4, LOCAL], ...facts);
    place(letters);
    place(bytes);
    return () => {
      write([4, CENTRAL], [2, MADE], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, from]);
      place(letters);
    };
  });
  const begin = at;
  for (const add of central) add();
  write([4, END], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, at - begin], [4, begin], [2, 0]);
  return zip;
}

/**
 * @param {Uint8Array<ArrayBuffer>} zip
 * @returns {Map<string, Uint8Array<ArrayBuffer>>} its files by name; throws an Error with one line if it is damaged or compressed
 */
export function unpackZip(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const [two, four] = [(/** @type {number} */ at) => view.getUint16(at, true), (/** @type {number} */ at) => view.getUint32(at, true)];
  /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
  const files = new Map();
  try {
    const end = zip.length - END_BYTES;
    let at = four(end + 16);
    let left = zip.length; // no two files share bytes
    check(four(end) === END && at + four(end + 12) === end && two(end + 20) === 0);
    for (let count = two(end + 10); count; count--) {
      const [size, letters, from] = [four(at + 24), two(at + 28), four(at + 42)];
      const name = String.fromCharCode(...zip.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + letters));
      // Neither encrypted nor compressed.
      check(four(at) === CENTRAL && !(two(at + 8) & 9) && two(at + 10) === 0 && four(at + 20) === size && !files.has(name));
      const told = zip.subarray(from + LOCAL_BYTES, from + LOCAL_BYTES + two(from + 26));
      const begin = from + LOCAL_BYTES + told.length + two(from + 28);
      const bytes = zip.slice(begin, begin + size);
      check(four(from) === LOCAL && String.fromCharCode(...told) === name && bytes.length === size && (left -= size) >= 0);
      check(crc32(bytes) === four(at + 16));
      files.set(name, bytes);
      at += CENTRAL_BYTES + letters + two(at + 30) + two(at + 32);
    }
    check(at === end);
  } catch {
    throw new Error(DAMAGED); // a place outside of the zip throws a RangeError
  }
  return files;
}

/** @param {boolean} holds */
export function check(holds) {
  if (!holds) throw new Error(DAMAGED);
}
