/** Draw the handheld's pictures as frames of a GIF, twenty a second; an unchanged picture lasts longer. */

import { Gif } from "./gif.js";
import { gap, HEIGHT, WIDTH } from "./glass.js";
import { GLASS_PX, PALETTES } from "../tables.js";

export const FRAME_MS = 50;
const GLASS = 4;
const GRID = 5; // colour + GRID: the same colour under the grid
const SECOND = 2; // colour + SECOND: the same in the stripe of a two-colour module
const STRIPE = 16;

export class Film {
  /**
   * @param {number} scale
   * @param {keyof typeof PALETTES} colour
   */
  constructor(scale = 3, colour = "white") {
    this.scale = scale;
    this.border = GLASS_PX * scale;
    this.gif = new Gif(WIDTH * scale + 2 * this.border, HEIGHT * scale + 2 * this.border, PALETTES[colour][1]);
    /** @type {Uint8Array|null} the latest picture, not yet drawn */
    this.waiting = null;
    this.lasts = 0;
    /** @type {Uint8Array|null} */
    this.shown = null;
    this.at = 0;
  }

  /**
   * Add the shown picture; call this for every frame, in order.
   * @param {Uint8Array} picture
   * @param {number} t ms after the beginning
   */
  see(picture, t) {
    while (this.at <= t) {
      this.at += FRAME_MS;
      if (this.waiting && same(this.waiting, picture)) {
        this.lasts += FRAME_MS;
      } else {
        this.flush();
        this.waiting = picture.slice();
        this.lasts = FRAME_MS;
      }
    }
  }

  /** @returns {Blob} the GIF */
  end() {
    this.flush();
    return this.gif.end();
  }

  flush() {
    const { scale, border, gif, waiting } = this;
    if (!waiting) return;
    const centiseconds = Math.min(65535, this.lasts / 10);
    if (!this.shown) {
      const [wide, high] = [WIDTH * scale + 2 * border, HEIGHT * scale + 2 * border];
      const pixels = new Uint8Array(wide * high).fill(GLASS);
      this.paint(waiting, pixels, wide, border, border, { left: 0, top: 0, right: WIDTH, bottom: HEIGHT });
      gif.add(0, 0, wide, high, pixels, centiseconds);
    } else {
      const box = changed(this.shown, waiting);
      const [wide, high] = [(box.right - box.left) * scale, (box.bottom - box.top) * scale];
      const pixels = new Uint8Array(wide * high);
      this.paint(waiting, pixels, wide, 0, 0, box);
      gif.add(border + box.left * scale, border + box.top * scale, wide, high, pixels, centiseconds);
    }
    this.shown = waiting;
  }

  /**
   * Draw a box of a picture.
   * @param {Uint8Array} picture
   * @param {Uint8Array} pixels of an image to draw into
   * @param {number} wide the width of the image
   * @param {number} x the place of the box in the image
   * @param {number} y
   * @param {Box} box
   */
  paint(picture, pixels, wide, x, y, { left, top, right, bottom }) {
    const { scale } = this;
    const lit = scale - gap(scale);
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const lights = (picture[row * 8 + (column >> 3)] >> (column & 7)) & 1;
        const colour = lights + (column < STRIPE ? SECOND : 0);
        const from = (y + (row - top) * scale) * wide + x + (column - left) * scale;
        for (let down = 0; down < scale; down++) {
          for (let across = 0; across < scale; across++) {
            pixels[from + down * wide + across] = colour + (down < lit && across < lit ? 0 : GRID);
          }
        }
      }
    }
  }
}

const same = (/** @type {Uint8Array} */ one, /** @type {Uint8Array} */ other) => one.every((byte, at) => byte === other[at]);

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 * @returns {Box} the smallest box around all differences of two pictures, in whole bytes horizontally
 */
function changed(one, other) {
  let [left, top, right, bottom] = [8, HEIGHT, 0, 0];
  one.forEach((byte, at) => {
    if (byte === other[at]) return;
    const [column, row] = [at & 7, at >> 3];
    left = Math.min(left, column);
    right = Math.max(right, column + 1);
    top = Math.min(top, row);
    bottom = Math.max(bottom, row + 1);
  });
  return { left: 8 * left, top, right: 8 * right, bottom };
}
