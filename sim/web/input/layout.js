/** Let the player set the size, place and vibration of the buttons. */

import { find } from "../menus/element.js";
import { recall, remember } from "../saves/choices.js";

const BUZZ_MS = 8;
/** @type {Record<string, (value: number) => [string, string]>} for each slider, the style property that it sets and its value */
const SLIDERS = {
  thumb: (value) => ["--grown", String(value / 100)],
  lift: (value) => ["--lift", `${value}px`],
  inset: (value) => ["--inset", `${value}px`],
};

/** Vibrate, so that the finger feels a button. */
export function feel() {
  if (recall("buzz", true)) navigator.vibrate?.(BUZZ_MS);
}

/** Connect the sliders and the checkbox of the dialog. */
export function adjustLayout() {
  for (const [id, write] of Object.entries(SLIDERS)) {
    const slider = find(id, HTMLInputElement);
    const apply = () => document.documentElement.style.setProperty(...write(Number(slider.value)));
    slider.value = String(recall(id, Number(slider.value)));
    apply();
    slider.addEventListener("input", () => {
      apply();
      remember(id, Number(slider.value));
    });
  }
  const buzz = find("buzz", HTMLInputElement);
  buzz.checked = recall("buzz", true);
  buzz.addEventListener("change", () => remember("buzz", buzz.checked));
}
