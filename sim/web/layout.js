/** Have the buttons as large and where the player's thumbs want them, and felt. */

import { recall, remember } from "./choices.js";

const BUZZ_MS = 8;
// What a slider sets: its element, the property in style.css, and what it writes there.
const SLIDERS = [
  ["thumb", "--grown", (value) => String(value / 100)],
  ["lift", "--lift", (value) => `${value}px`],
  ["inset", "--inset", (value) => `${value}px`],
];

/** Let the finger feel a button. */
export function feel() {
  if (recall("buzz", true)) navigator.vibrate?.(BUZZ_MS);
}

/** Take the sliders and the box of the dialog. */
export function adjustLayout() {
  for (const [id, property, write] of SLIDERS) {
    const slider = document.getElementById(id);
    const apply = () => document.documentElement.style.setProperty(property, write(Number(slider.value)));
    slider.value = String(recall(id, Number(slider.value)));
    apply();
    slider.addEventListener("input", () => {
      apply();
      remember(id, Number(slider.value));
    });
  }
  const buzz = document.getElementById("buzz");
  buzz.checked = recall("buzz", true);
  buzz.addEventListener("change", () => remember("buzz", buzz.checked));
}
