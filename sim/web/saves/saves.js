/** Check the file of both banks that the page wrote before it had archives. */

import { crc32 } from "../device/crc32.js";
import { BANK_BYTES } from "../tables.js";
import { BANKS } from "./store.js";

const MARK = "SKYLINE SAVES 1\n";
const CRC_BYTES = 4;

/**
 * @param {Uint8Array} file
 * @returns {boolean} whether the file begins like a file of saves
 */
export function isSaves(file) {
  return new TextDecoder().decode(file.subarray(0, MARK.length)) === MARK;
}

/**
 * @param {Uint8Array} file
 * @returns {Uint8Array[]} the banks of a file; throws an Error with one line if it is damaged
 */
export function unpackSaves(file) {
  const end = file.length - CRC_BYTES;
  const whole = file.length === MARK.length + BANKS * BANK_BYTES + CRC_BYTES;
  if (!whole || new DataView(file.buffer, file.byteOffset).getUint32(end, true) !== crc32(file.subarray(0, end))) {
    throw new Error("the saves are damaged: their check sum does not match");
  }
  return Array.from({ length: BANKS }, (_, number) => {
    const from = MARK.length + number * BANK_BYTES;
    return file.slice(from, from + BANK_BYTES);
  });
}
