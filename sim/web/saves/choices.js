/** Remember the player's choices for the page; the game saves its own settings in its banks. */

export const KEY = "skyline-page";

let chosen = read();

/** @returns {Record<string, any>} the kept choices; none if they are damaged */
export function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/**
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T} the choice, `otherwise` if there is none of the same type
 */
export function recall(name, otherwise) {
  return typeof chosen[name] === typeof otherwise ? chosen[name] : otherwise;
}

/**
 * Keep a choice, beside those that other tabs have kept meanwhile.
 * @param {string} name
 * @param {unknown} value
 */
export function remember(name, value) {
  chosen = { ...chosen, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [name]: value }));
  } catch {
    // The choice lasts until the page is closed.
  }
}
