/** Check bytes: saves, files in a zip, packed files. */

/**
 * @param {Uint8Array} bytes
 * @returns {number} their CRC-32, as zlib's
 */
export function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
