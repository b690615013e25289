/** Draw the OLED as sim/desktop/oled_surface.py does: pixels sharp, the grid over them, their glow over both. */

import { GLASS_PX, GLOW, GRID_OPACITY, PALETTES } from "../tables.js";

export const WIDTH = 64;
export const HEIGHT = 128;
const UNLIT = 0;
const LIT = 1;
const SECOND = 2; // colour + SECOND: in the yellow rows of a two-colour module, sixteen columns when held upright
const GLASS = 4;
const STRIPE = 16;
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
    }
    this.canvas.style.width = `${(across * shown) / ratio}px`;
    this.canvas.style.height = `${(down * shown) / ratio}px`;
  }

  /**
   * @param {Uint8Array|null} picture 1024 bytes, or null for a dark panel
   * @param {number} contrast
   * @param {boolean} [turned]
   */
  draw(picture, contrast, turned) {
    const palette = this.palette(contrast);
    const { pen, scale } = this;
    const border = GLASS_PX * scale;
    const [wide, high] = [WIDTH * scale, HEIGHT * scale];
    pen.fillStyle = css(palette[GLASS]);
    pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (!picture) return;
    this.paint(picture, palette, turned);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.pixels.canvas, border, border, wide, high);
    pen.fillStyle = this.pattern(palette);
    pen.save();
    pen.translate(border, border);
    pen.fillRect(0, 0, wide, high);
    pen.restore();
    pen.imageSmoothingEnabled = true;
    pen.globalCompositeOperation = "lighter";
    pen.drawImage(this.glow.canvas, border, border, wide, high);
    pen.globalCompositeOperation = "source-over";
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
   * Draw the pixels, and a blur of the lit pixels, into layers at scale 1.
   * @param {Uint8Array} picture
   * @param {number[][]} palette
   * @param {boolean} [turned]
   */
  paint(picture, palette, turned) {
    const { pixels, glow } = this;
    const lit = new Uint8Array(WIDTH * HEIGHT);
    for (let at = 0; at < lit.length; at++) {
      const from = turned ? lit.length - 1 - at : at;
      lit[at] = (picture[from >> 3] >> (from & 7)) & 1;
    }
    for (let at = 0; at < lit.length; at++) {
      const x = at % WIDTH;
      const stripe = (turned ? WIDTH - 1 - x : x) < STRIPE ? SECOND : 0;
      const rgb = palette[(lit[at] ? LIT : UNLIT) + stripe];
      const light = palette[LIT + stripe];
      const left = x ? lit[at - 1] : 0;
      const right = x < WIDTH - 1 ? lit[at + 1] : 0;
      const share = ((2 * lit[at] + left + right + (lit[at - WIDTH] ?? 0) + (lit[at + WIDTH] ?? 0)) * GLOW) / (6 * 255);
      for (let i = 0; i < 3; i++) {
        pixels.image.data[4 * at + i] = rgb[i];
        glow.image.data[4 * at + i] = light[i] * share;
      }
    }
    for (const one of [pixels, glow]) one.pen.putImageData(one.image, 0, 0);
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
  return { canvas, pen, image };
}
