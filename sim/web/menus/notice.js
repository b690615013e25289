/** Show the player one line, in a toast that does not cover the handheld's screen. */

import { find } from "./element.js";

const LASTS_MS = 8000; // for a line without a button

let timer = 0;

/**
 * @param {string} line "" removes the toast
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
  place.replaceChildren(text, ...buttons, make("✕", () => tell(""), "Close"));
}

/**
 * @param {string} name
 * @param {() => void} act
 * @param {string} [label] if the name is only a symbol
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
 * Show a line for a while.
 * @param {string} line "" removes the line
 * @param {boolean} lasting whether the line stays until it is closed
 */
export function tell(line, lasting = false) {
  show(line);
  if (line && !lasting) timer = setTimeout(() => tell(""), LASTS_MS);
}

/**
 * Show a line with a button for an action; it stays until one of its buttons is pressed.
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
 * @returns {string} why something failed, in one line: the last line of a Python exception, without its type
 */
export function explain(problem) {
  const { name, message } = /** @type {Error} */ (problem);
  return name === "PythonError" ? message.trim().replace(/^[^]*\n/, "").replace(/^\w+: /, "") : message;
}
