/** Name the keys of the controls, as sim/desktop/legend_rows.py does. */

import { ALWAYS_IN_MENUS, IN_MENUS, IN_PLAY, MOST_CAPS } from "../tables.js";
import { find } from "./element.js";

/**
 * @param {string} code
 * @param {string[]} codes
 * @returns {boolean} whether a key is on the numpad, or the right one of two
 */
function isSpare(code, codes) {
  return code.startsWith("Numpad") || (code.endsWith("Right") && codes.includes(code.replace("Right", "Left")));
}

/**
 * @param {import("../input/keys.js").Keys} keys
 * @param {number[]} controls
 * @returns {string[]} the keys to name in play, without spare ones
 */
function listInPlay(keys, controls) {
  return controls.flatMap((control) => {
    const every = keys.find(control);
    const needed = every.filter((code) => !isSpare(code, every));
    return (needed.length ? needed : every.slice(0, 1)).slice(0, controls.length > 1 ? 1 : MOST_CAPS);
  });
}

/**
 * @param {import("../input/keys.js").Keys} keys
 * @param {number[]} controls
 * @returns {string[]} the first key that the player has, and the first that is always there
 */
function listInMenus(keys, controls) {
  return controls.flatMap((control) => {
    const always = Object.keys(ALWAYS_IN_MENUS).filter((code) => ALWAYS_IN_MENUS[code] === control);
    if (controls.length > 1) return always.slice(0, 1);
    const every = keys.find(control);
    const chosen = every.filter((code) => !(code in ALWAYS_IN_MENUS) && !isSpare(code, every));
    return [...chosen.slice(0, 1), ...always.slice(0, 1)];
  });
}

/**
 * Write the legend.
 * @param {import("../input/keys.js").Keys} keys
 */
export function drawLegend(keys) {
  for (const [id, actions, list] of /** @type {const} */ ([
    ["keys-in-play", IN_PLAY, listInPlay],
    ["keys-in-menus", IN_MENUS, listInMenus],
  ])) {
    const rows = actions.flatMap(([action, controls]) => {
      const codes = list(keys, controls);
      if (!codes.length) return [];
      const term = document.createElement("dt");
      term.append(
        ...codes.flatMap((code) => {
          const cap = document.createElement("kbd");
          cap.textContent = keys.label(code);
          return [cap, " "];
        }),
      );
      const words = document.createElement("dd");
      words.textContent = action;
      return [term, words];
    });
    find(id, HTMLElement).replaceChildren(...rows);
  }
}
