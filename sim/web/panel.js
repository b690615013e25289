/** What all know who draw the OLED. */

export const WIDTH = 64;
export const HEIGHT = 128;

/** @returns {number} the dark line between two pixels that are `scale` screen pixels apart, as sim/oled.py says */
export const gap = (scale) => (scale < 3 ? 0 : Math.max(1, Math.round(scale * 0.14)));
