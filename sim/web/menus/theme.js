/** Make the page light or dark: like the system, or as the player chose. */

import { recall, remember } from "../saves/choices.js";
import { find } from "./element.js";

const SYSTEM = "(prefers-color-scheme: light)";

/** Apply the saved choice; call this before the first picture. */
export function wearTheme() {
  const chosen = recall("theme", "");
  const light = find("light", HTMLLinkElement);
  light.media = chosen ? (chosen === "light" ? "all" : "not all") : SYSTEM;
  for (const [at, meta] of document.querySelectorAll("meta[name=theme-color]").entries()) {
    meta.setAttribute("media", chosen ? ((chosen === "light") === (at === 1) ? "all" : "not all") : at ? SYSTEM : "(prefers-color-scheme: dark)");
  }
}

/** Let the player choose. */
export function chooseTheme() {
  const list = find("theme", HTMLSelectElement);
  list.value = recall("theme", "");
  list.addEventListener("change", () => {
    remember("theme", list.value);
    wearTheme();
  });
}
