/**
 * Show the player lines, in a toast that does not cover the handheld's screen unless they are long.
 *
 * The last line that was told comes first, then each offer that waits for an answer: no line replaces an offer.
 */

import { find } from "./element.js";

const LASTS_MS = 8000; // for a line without a button

let timer = 0;
/** @type {Map<string, HTMLElement>} by the name of the button; "" for a line without one */
const rows = new Map();

/** Let the toast span the body if its place is too small for the lines. */
function fit() {
  const place = find("notice", HTMLElement);
  place.classList.remove("long");
  place.classList.toggle("long", place.scrollHeight > place.clientHeight);
}
globalThis.addEventListener?.("resize", fit); // Node has none

/**
 * @param {string} name of the button; a line replaces the one with the same button
 * @param {string} line "" only removes that one
 * @param {HTMLElement[]} buttons
 */
function show(name, line, ...buttons) {
  rows.get(name)?.remove();
  if (line) {
    const text = document.createElement("span");
    text.textContent = line;
    const row = document.createElement("div");
    row.append(text, ...buttons, make("✕", () => show(name, ""), "Close"));
    rows.set(name, row);
    find("notice", HTMLElement)[name ? "append" : "prepend"](row);
  }
  fit();
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
  clearTimeout(timer);
  show("", line);
  if (line && !lasting) timer = setTimeout(() => tell(""), LASTS_MS);
}

/**
 * Show a line with a button for an action; it stays until one of its buttons is pressed.
 * @param {string} line "" withdraws the offer
 * @param {string} name
 * @param {() => void} act
 */
export function offer(line, name, act) {
  const take = () => {
    show(name, "");
    act();
  };
  show(name, line, make(name, take));
}

/**
 * @param {unknown} problem
 * @returns {string} why something failed, in one line: the last line of a Python exception, without its type
 */
export function explain(problem) {
  const { name, message } = /** @type {Error} */ (problem);
  return name === "PythonError" ? message.trim().replace(/^[^]*\n/, "").replace(/^\w+: /, "") : message;
}
