/** Tell the player one line, in a toast that leaves the screen of the handheld free. */

import { find } from "./element.js";

const LASTS_MS = 8000; // of a line that offers nothing

let timer = 0;

/**
 * @param {string} line "" takes it away
 * @param {HTMLElement[]} buttons
 */
function show(line, ...buttons) {
  clearTimeout(timer);
  const place = find("notice", HTMLElement);
  if (!line) {
    place.replaceChildren();
    return;
  }
  const text = document.createElement("span");
  text.textContent = line;
  const body = document.createElement("div"); // beside which ✕ stays, where there is more to read than room
  body.append(text, ...buttons);
  place.replaceChildren(body, make("✕", () => tell(""), "Close"));
}

/**
 * @param {string} name
 * @param {() => void} act
 * @param {string} [label] where the name is a sign
 */
function make(name, act, label) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.addEventListener("click", act);
  if (label) {
    button.className = "plain";
    button.ariaLabel = label;
  }
  return button;
}

/**
 * Tell a line for a while.
 * @param {string} line "" takes away what was told
 * @param {boolean} lasting whether it stays until it is closed
 */
export function tell(line, lasting = false) {
  show(line);
  if (line && !lasting) timer = setTimeout(() => tell(""), LASTS_MS);
}

/**
 * Tell a line with a button that does something about it; it stays until one of its buttons is pressed.
 * @param {string} line
 * @param {string} name
 * @param {() => void} act
 */
export function offer(line, name, act) {
  show(
    line,
    make(name, () => {
      tell("");
      act();
    }),
  );
}

/**
 * @param {unknown} problem
 * @returns {string} why something failed, in one line: of an exception of Python its last one, without the kind
 */
export function explain(problem) {
  const { name, message } = /** @type {Error} */ (problem);
  return name === "PythonError" ? message.trim().replace(/^[^]*\n/, "").replace(/^\w+: /, "") : message;
}
