/**
 * Unpack LZMA: a fifth smaller than the formats that browsers unpack themselves, and independent of the host.
 * After the LZMA specification by Igor Pavlov; the container is ours (tools/web/packing.py).
 */

import { crc32 } from "./crc32.js";

const KINDS = 4; // the kinds of pieces in an image, code last
const LAST = KINDS - 1;
// The streams of code (tools/deploy/mpy.py).
const [HEADS, OWN_NAMES, INSTRUCTIONS, NAMES, DISTANCES] = [0, 1, 2, 3, 4];
const STREAMS = 5;
const HEAD_BYTES = 9;
const MOST_BYTES = 1 << 20; // unpacked, as in tools/web/packing.py
const STATES = 12;
const POSITIONS = 16; // 1 << the highest pb
const HALF = 1024; // one half, as a probability of 11 bits
const RANGE = 0;
const CODE = 1;
const DAMAGED = "a file is damaged";

const fresh = (/** @type {number} */ count) => new Uint16Array(count).fill(HALF);

/** Decode bits by their probabilities. */
class RangeDecoder {
  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   */
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at + 5; // the first byte is always 0
    // An array, because single numbers would be allocated again for every bit.
    this.words = new Uint32Array([0xffffffff, new DataView(bytes.buffer, bytes.byteOffset).getUint32(at + 1)]);
  }

  /**
   * @param {Uint16Array} chances
   * @param {number} at
   */
  bit(chances, at) {
    const words = this.words;
    const chance = chances[at];
    const bound = (words[RANGE] >>> 11) * chance;
    let bit = 0;
    if (words[CODE] < bound) {
      words[RANGE] = bound;
      chances[at] = chance + ((2048 - chance) >> 5);
    } else {
      words[RANGE] -= bound;
      words[CODE] -= bound;
      chances[at] = chance - (chance >> 5);
      bit = 1;
    }
    if (words[RANGE] < 0x1000000) this.shift();
    return bit;
  }

  shift() {
    const words = this.words;
    words[RANGE] <<= 8;
    words[CODE] = (words[CODE] << 8) | this.bytes[this.at++];
  }

  /** @param {number} count */
  direct(count) {
    const words = this.words;
    let value = 0;
    for (let left = count; left; left--) {
      words[RANGE] >>>= 1;
      const bit = words[CODE] >= words[RANGE] ? 1 : 0;
      if (bit) words[CODE] -= words[RANGE];
      if (words[RANGE] < 0x1000000) this.shift();
      value = value * 2 + bit;
    }
    return value;
  }

  /**
   * Read `bits` bits by a tree of probabilities that begins at `from`, the highest bit first.
   * @param {Uint16Array} chances
   * @param {number} from
   * @param {number} bits
   */
  tree(chances, from, bits) {
    let node = 1;
    for (let i = 0; i < bits; i++) node = (node << 1) | this.bit(chances, from + node);
    return node - (1 << bits);
  }

  /**
   * Like tree(), but the lowest bit first.
   * @param {Uint16Array} chances
   * @param {number} from
   * @param {number} bits
   */
  reverse(chances, from, bits) {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.bit(chances, from + node);
      node = (node << 1) | bit;
      value |= bit << i;
    }
    return value;
  }
}

/** Read the length of a match, minus 2. */
class Lengths {
  constructor() {
    this.choice = fresh(2);
    this.low = fresh(POSITIONS << 3);
    this.middle = fresh(POSITIONS << 3);
    this.high = fresh(256);
  }

  /**
   * @param {RangeDecoder} decoder
   * @param {number} position
   */
  read(decoder, position) {
    if (!decoder.bit(this.choice, 0)) return decoder.tree(this.low, position << 3, 3);
    if (!decoder.bit(this.choice, 1)) return 8 + decoder.tree(this.middle, position << 3, 3);
    return 16 + decoder.tree(this.high, 0, 8);
  }
}

/**
 * @param {Uint8Array} packed a byte of properties, four bytes of the unpacked length, four of its CRC-32, then raw LZMA1
 * @returns {Uint8Array<ArrayBuffer>} the unpacked bytes; throws an Error if the file is damaged
 */
export function unpack(packed) {
  const lc = packed[0] % 9;
  const lp = Math.floor(packed[0] / 9) % 5;
  const pb = Math.floor(packed[0] / 45);
  const head = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const size = packed.length < HEAD_BYTES + 5 ? Infinity : head.getUint32(1, true);
  if (size > MOST_BYTES) throw new Error(DAMAGED);
  const out = new Uint8Array(size);
  const decoder = new RangeDecoder(packed, HEAD_BYTES);

  const literals = fresh(0x300 << (lc + lp));
  const isMatch = fresh(STATES * POSITIONS);
  const isRepeat = fresh(STATES);
  const isOther = fresh(STATES); // whether the distance differs from the last one
  const isThird = fresh(STATES);
  const isFourth = fresh(STATES);
  const isLong = fresh(STATES * POSITIONS);
  const slots = fresh(4 << 6);
  const near = fresh(128);
  const aligned = fresh(16);
  const lengths = new Lengths();
  const repeats = new Lengths();

  let state = 0;
  let [first, second, third, fourth] = [0, 0, 0, 0];
  let at = 0;

  const readDistance = (/** @type {number} */ length) => {
    const slot = decoder.tree(slots, Math.min(length, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + decoder.reverse(near, base - slot, bits);
    return base + decoder.direct(bits - 4) * 16 + decoder.reverse(aligned, 0, 4);
  };

  const readLiteral = () => {
    const before = at ? out[at - 1] : 0;
    const from = 0x300 * (((at & ((1 << lp) - 1)) << lc) + (before >> (8 - lc)));
    let symbol = 1;
    if (state >= 7) {
      let expected = out[at - first - 1];
      while (symbol < 0x100) {
        const bit = (expected >> 7) & 1;
        expected <<= 1;
        const read = decoder.bit(literals, from + ((1 + bit) << 8) + symbol);
        symbol = (symbol << 1) | read;
        if (bit !== read) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | decoder.bit(literals, from + symbol);
    out[at++] = symbol;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };

  while (at < size && decoder.at <= packed.length) {
    const position = at & ((1 << pb) - 1);
    const place = (state << 4) + position;
    if (!decoder.bit(isMatch, place)) {
      readLiteral();
      continue;
    }
    let length;
    if (decoder.bit(isRepeat, state)) {
      if (!decoder.bit(isOther, state)) {
        if (!decoder.bit(isLong, place)) {
          out[at] = out[at - first - 1];
          at++;
          state = state < 7 ? 9 : 11;
          continue;
        }
      } else if (!decoder.bit(isThird, state)) {
        [first, second] = [second, first];
      } else if (!decoder.bit(isFourth, state)) {
        [first, second, third] = [third, first, second];
      } else {
        [first, second, third, fourth] = [fourth, first, second, third];
      }
      length = repeats.read(decoder, position);
      state = state < 7 ? 8 : 11;
    } else {
      [second, third, fourth] = [first, second, third];
      length = lengths.read(decoder, position);
      state = state < 7 ? 7 : 10;
      first = readDistance(length);
    }
    for (let end = Math.min(size, at + length + 2); at < end; at++) out[at] = out[at - first - 1];
  }
  if (crc32(out) !== head.getUint32(5, true)) throw new Error(DAMAGED);
  return out;
}

/**
 * Ask for each byte of a module's code in turn, by its stream, as tools/deploy/mpy.py does.
 * @param {(stream: number) => number} take
 */
function follow(take) {
  const code = { at: 0 };
  const get = (/** @type {number} */ stream) => {
    code.at++;
    return take(stream);
  };
  const getNumber = (/** @type {number} */ stream) => {
    let number = 0;
    let byte = 0x80;
    while (byte >= 0x80) {
      byte = get(stream);
      number = (number << 7) | (byte & 0x7f);
    }
    return number;
  };
  for (let blocks = 1; blocks; blocks--) {
    const head = getNumber(HEADS);
    const end = code.at + (head >> 3);
    let byte = get(HEADS);
    let names = 1 + (byte & 3);
    for (let shift = 0; byte >= 0x80; shift++) {
      byte = get(HEADS);
      names += ((byte & 4) << shift) + (((byte >> 3) & 1) << shift);
    }
    let size = 0;
    byte = 0x80;
    for (let shift = 0; byte >= 0x80; shift++) {
      byte = get(HEADS);
      size += (((byte >> 1) & 0x3f) << (6 * shift)) + ((byte & 1) << shift);
    }
    const first = code.at + size;
    while (names--) getNumber(OWN_NAMES);
    while (code.at < first) get(HEADS);
    while (code.at < end) {
      const instruction = get(INSTRUCTIONS);
      const form = (0x3a4 >> (2 * (instruction >> 4))) & 3;
      if (form === 1) getNumber(NAMES);
      if (form === 2) getNumber(INSTRUCTIONS);
      if (form === 3 && get(DISTANCES) >= 0x80) get(DISTANCES);
      if (form !== 1 && !(instruction & 0x9e)) get(INSTRUCTIONS);
    }
    if (head & 4) blocks += getNumber(HEADS);
  }
}

/**
 * Restore the order of an image's pieces, which tools/web/sorting.py sorted by kind.
 * @param {Uint8Array} sorted
 * @returns {Uint8Array<ArrayBuffer>} the image
 */
export function restore(sorted) {
  const words = new DataView(sorted.buffer);
  const sizes = Array.from({ length: words.getUint16(0, true) }, (_, piece) => words.getUint16(2 + 2 * piece, true));
  let end = 0;
  const ends = sizes.map((size) => (end += size));
  const image = new Uint8Array(end);
  const header = 2 + 2 * sizes.length;
  let at = header + 4 * STREAMS;
  for (let kind = 0; kind < LAST; kind++) {
    for (let piece = kind; piece < sizes.length; piece += KINDS) {
      image.set(sorted.subarray(at, at + sizes[piece]), ends[piece] - sizes[piece]);
      at += sizes[piece];
    }
  }
  const streams = Array.from({ length: STREAMS }, (_, stream) => {
    const start = at;
    at += words.getUint32(header + 4 * stream, true);
    return start;
  });
  for (let piece = LAST; piece < sizes.length; piece += KINDS) {
    let to = ends[piece] - sizes[piece];
    if (sizes[piece]) follow((stream) => (image[to++] = sorted[streams[stream]++]));
  }
  return image;
}
