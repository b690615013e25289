/** Draw the OLED as sim/desktop/oled_surface.py does: pixels sharp, the grid over them, their glow over both. */

import { GLASS_PX, GLOW, GRID_OPACITY, PALETTES } from "../tables.js";

export const WIDTH = 64;
export const HEIGHT = 128;
const UNLIT = 0;
const LIT = 1;
const SECOND = 2; // colour + SECOND: in the yellow rows of a two-colour module, sixteen columns when held upright
const GLASS = 4;
const STRIPE = 16;
const PITCH = WIDTH + 2; // a dark pixel at each end of a row, and a dark row above and below
const NEAR = 6; // the most light on a pixel: its own counts twice, that of each neighbour once
const GLOWS = 2; // inks: unlit, lit, then the glow of each amount of light; the same again for the stripe
const LEAST_BETWEEN = 2; // from this scale on, fractional scales look as sharp as whole ones
const WHOLE_SHARE = 0.97; // a whole scale is used if it has at least this share of the size that fits

/** The width of the dark line between two pixels at `scale` screen pixels a pixel, as in sim/oled.py. */
export const gap = (/** @type {number} */ scale) => (scale < 3 ? 0 : Math.max(1, Math.round(scale * 0.14)));

const css = (/** @type {number[]} */ rgb, alpha = 1) => `rgb(${rgb.join(" ")} / ${alpha})`;

export class Glass {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {keyof typeof PALETTES} colour
   */
  constructor(canvas, colour = "white") {
    this.canvas = canvas;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.colour = colour;
    this.scale = 0;
    /** @type {CanvasPattern|null} */
    this.grid = null;
    this.pixels = layer(WIDTH, HEIGHT);
    this.glow = layer(WIDTH, HEIGHT);
    this.inks = new Uint32Array(2 * (GLOWS + NEAR + 1));
    this.seen = new Uint8Array((WIDTH * HEIGHT) / 8); // the picture in the layers, upright
    this.lit = new Uint8Array(PITCH * (HEIGHT + 2));
    this.stripe = 0; // its first column
    this.look = ""; // of the drawn picture, "" if all must be drawn
  }

  /**
   * Fill the room: at a whole scale if that costs little size, else scaled down from the next whole scale.
   * @param {number} width of the room, in CSS pixels
   * @param {number} height
   * @param {number} ratio screen pixels per CSS pixel
   */
  fit(width, height, ratio) {
    const across = WIDTH + 2 * GLASS_PX;
    const down = HEIGHT + 2 * GLASS_PX;
    const most = Math.max(1, Math.min((width * ratio) / across, (height * ratio) / down));
    const whole = Math.floor(most);
    const shown = most < LEAST_BETWEEN || whole >= most * WHOLE_SHARE ? whole : most;
    const scale = Math.ceil(shown);
    if (scale !== this.scale) {
      this.scale = scale;
      this.canvas.width = across * scale;
      this.canvas.height = down * scale;
      this.grid = null;
      this.look = "";
    }
    this.canvas.style.width = `${(across * shown) / ratio}px`;
    this.canvas.style.height = `${(down * shown) / ratio}px`;
  }

  /**
   * Draw a picture: only the rows that changed, if nothing else did.
   * @param {Uint8Array|null} picture 1024 bytes, or null for a dark panel
   * @param {number} contrast
   * @param {boolean} [turned]
   */
  draw(picture, contrast, turned) {
    const palette = this.palette(contrast);
    const { pen, scale } = this;
    const border = GLASS_PX * scale;
    const [wide, high] = [WIDTH * scale, HEIGHT * scale];
    const look = picture ? `${this.colour} ${contrast} ${turned}` : "";
    const isWhole = !look || look !== this.look;
    this.look = look;
    const [top, bottom] = picture ? this.paint(picture, isWhole ? this.mix(palette, turned) : null, turned) : [0, 0];
    if (!isWhole && top >= bottom) return;
    pen.save();
    if (!isWhole) {
      pen.beginPath();
      // The smooth glow reaches into the next row.
      pen.rect(0, border + (top - 1) * scale, this.canvas.width, (bottom - top + 2) * scale);
      pen.clip();
    }
    pen.fillStyle = css(palette[GLASS]);
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (picture) {
      pen.imageSmoothingEnabled = false;
      pen.drawImage(this.pixels.canvas, border, border, wide, high);
      pen.translate(border, border);
      pen.fillStyle = this.pattern(palette);
      pen.fillRect(0, 0, wide, high);
      pen.imageSmoothingEnabled = true;
      pen.globalCompositeOperation = "lighter";
      pen.drawImage(this.glow.canvas, 0, 0, wide, high);
    }
    pen.restore();
  }

  /**
   * The colours at a contrast, between those of the lowest and the highest.
   * @param {number} contrast
   */
  palette(contrast) {
    const [dim, bright] = PALETTES[this.colour];
    return dim.map((rgb, at) => rgb.map((level, i) => Math.round(level + ((bright[at][i] - level) * contrast) / 255)));
  }

  /**
   * Mix the inks of a palette.
   * @param {number[][]} palette
   * @param {boolean} [turned]
   */
  mix(palette, turned) {
    const { inks } = this;
    const paints = new Uint8ClampedArray(inks.buffer).fill(255);
    for (let at = 0; at < inks.length; at++) {
      const second = at >= inks.length / 2 ? SECOND : 0;
      const ink = at % (inks.length / 2);
      const share = ink < GLOWS ? 1 : ((ink - GLOWS) * GLOW) / (NEAR * 255);
      palette[(ink ? LIT : UNLIT) + second].forEach((level, i) => (paints[4 * at + i] = level * share));
    }
    this.stripe = turned ? WIDTH - STRIPE : 0;
    return inks;
  }

  /**
   * Draw the pixels, and a blur of the lit pixels, into layers at scale 1.
   * @param {Uint8Array} picture
   * @param {Uint32Array|null} mixed the inks, if they are new: then all is drawn
   * @param {boolean} [turned]
   * @returns {[number, number]} the first row that was drawn, and the row after the last
   */
  paint(picture, mixed, turned) {
    const { pixels, glow, seen, lit, inks, stripe } = this;
    let [top, bottom] = mixed ? [0, HEIGHT] : [HEIGHT, 0];
    for (let byte = 0; byte < seen.length; byte++) {
      const from = turned ? seen.length - 1 - byte : byte;
      if (!mixed && picture[from] === seen[byte]) continue;
      seen[byte] = picture[from];
      const row = byte >> 3;
      const at = (row + 1) * PITCH + 1 + 8 * (byte & 7);
      for (let i = 0; i < 8; i++) lit[at + i] = (seen[byte] >> (turned ? 7 - i : i)) & 1;
      top = Math.min(top, Math.max(0, row - 1));
      bottom = Math.max(bottom, Math.min(HEIGHT, row + 2));
    }
    for (let row = top; row < bottom; row++) {
      for (let x = 0; x < WIDTH; x++) {
        const at = (row + 1) * PITCH + 1 + x;
        const to = row * WIDTH + x;
        const first = x >= stripe && x < stripe + STRIPE ? inks.length / 2 : 0;
        const light = 2 * lit[at] + lit[at - 1] + lit[at + 1] + lit[at - PITCH] + lit[at + PITCH];
        pixels.inks[to] = inks[first + lit[at]];
        glow.inks[to] = inks[first + GLOWS + light];
      }
    }
    if (top < bottom) {
      for (const one of [pixels, glow]) one.pen.putImageData(one.image, 0, 0, 0, top, WIDTH, bottom - top);
    }
    return [top, bottom];
  }

  /**
   * The dark lines between the pixels, as a pattern of one pixel.
   * @param {number[][]} palette
   */
  pattern(palette) {
    if (this.grid) return this.grid;
    const { scale } = this;
    const cell = layer(scale, scale);
    cell.pen.clearRect(0, 0, scale, scale);
    cell.pen.fillStyle = css(palette[GLASS], GRID_OPACITY);
    cell.pen.fillRect(scale - gap(scale), 0, gap(scale), scale);
    cell.pen.fillRect(0, scale - gap(scale), scale - gap(scale), gap(scale));
    return (this.grid = /** @type {CanvasPattern} */ (this.pen.createPattern(cell.canvas, "repeat")));
  }
}

/**
 * @param {number} width
 * @param {number} height
 */
function layer(width, height) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height }); // no OffscreenCanvas: Safari had none until 2023
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = pen.createImageData(width, height);
  image.data.fill(255);
  return { canvas, pen, image, inks: new Uint32Array(image.data.buffer) };
}
