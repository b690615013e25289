/** Write a GIF of at most sixteen colours; each frame covers only the changed rectangle. */

const BITS = 4;
const COLOURS = 1 << BITS;
const CLEAR = COLOURS;
const END = CLEAR + 1;
const LARGEST_CODE = 4095;
const BLOCK = 255;

const word = (/** @type {number} */ number) => [number & 255, number >> 8];

export class Gif {
  /**
   * @param {number} width
   * @param {number} height
   * @param {number[][]} palette red, green and blue of each colour
   */
  constructor(width, height, palette) {
    const colours = new Uint8Array(3 * COLOURS);
    palette.forEach((rgb, at) => colours.set(rgb, 3 * at));
    const loop = [0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    this.children = new Int16Array(COLOURS * (LARGEST_CODE + 1));
    this.parts = [
      new TextEncoder().encode("GIF89a"),
      new Uint8Array([...word(width), ...word(height), 0xf0 | (BITS - 1), 0, 0]),
      colours,
      new Uint8Array(loop),
    ];
  }

  /**
   * Add a frame: `pixels`, a byte each, in a rectangle.
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {Uint8Array} pixels
   * @param {number} centiseconds
   */
  add(x, y, width, height, pixels, centiseconds) {
    const control = [0x21, 0xf9, 4, 4, ...word(centiseconds), 0, 0];
    const place = [0x2c, ...word(x), ...word(y), ...word(width), ...word(height), 0, BITS];
    this.parts.push(new Uint8Array([...control, ...place]), this.pack(pixels), new Uint8Array([0]));
  }

  /** @returns {Blob} the whole GIF */
  end() {
    return new Blob([...this.parts, new Uint8Array([0x3b])], { type: "image/gif" });
  }

  /**
   * Compress by LZW, in blocks of at most 255 bytes.
   * @param {Uint8Array} pixels
   */
  pack(pixels) {
    /** @type {number[]} */
    const out = [];
    /** @type {number[]} */
    let block = [];
    let held = 0;
    let bits = 0;
    let size = BITS + 1;
    let next = END + 1;
    const { children } = this;
    const put = (/** @type {number} */ code) => {
      held |= code << bits;
      bits += size;
      while (bits >= 8) {
        block.push(held & 255);
        held >>>= 8;
        bits -= 8;
        if (block.length === BLOCK) flush();
      }
    };
    const flush = () => {
      if (block.length) out.push(block.length, ...block);
      block = [];
    };
    children.fill(0);
    put(CLEAR);
    let code = pixels[0];
    for (let at = 1; at < pixels.length; at++) {
      const pixel = pixels[at];
      const child = children[code * COLOURS + pixel];
      if (child) {
        code = child;
        continue;
      }
      put(code);
      if (next > LARGEST_CODE) {
        put(CLEAR);
        children.fill(0);
        size = BITS + 1;
        next = END + 1;
      } else {
        children[code * COLOURS + pixel] = next;
        if (next === 1 << size) size++;
        next++;
      }
      code = pixel;
    }
    put(code);
    put(END);
    if (bits) block.push(held & 255);
    flush();
    return new Uint8Array(out);
  }
}
