/** Press controls with a keyboard, as in sim/desktop/keyboard.py: letters by their label, other keys by their position. */

import { BACK, KEYS, MENU_KEYS, RESTARTS, START_HELD_MS, TAKES_BACK } from "../tables.js";

const LATIN = /^[a-z]$/i;
const WORKS_BY_ITSELF = "a, input, select, textarea, [role=slider]";
// A focused button takes these keys; all other keys go to the game, wherever the focus is.
const OF_BUTTONS = new Set(["Enter", "NumpadEnter", "Space"]);

/**
 * @param {KeyboardEvent} event
 * @returns {string} the name of a key in tables.js
 */
function name(event) {
  return LATIN.test(event.key) ? `Key${event.key.toUpperCase()}` : event.code;
}

export class Keyboard {
  /**
   * @param {Window} page
   * @param {import("./contacts.js").Contacts} contacts
   * @param {import("../device/session.js").Session} session
   */
  constructor(page, contacts, session) {
    this.contacts = contacts;
    this.session = session;
    page.addEventListener("keydown", (event) => this.press(event));
    page.addEventListener("keyup", (event) => this.release(event.code, event.timeStamp));
  }

  /**
   * @param {string} code
   * @param {number} t
   */
  release(code, t) {
    this.contacts.release(code, t);
    if (code === TAKES_BACK) for (const each of BACK.toReversed()) this.contacts.release(code + each, t);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const atMenu = this.session.isAtMenu;
    if (event.altKey || event.metaKey || (atMenu && event.ctrlKey) || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const focused = event.target instanceof Element ? event.target : null;
    if (focused?.closest(WORKS_BY_ITSELF)) return;
    if (focused?.closest("button") && OF_BUTTONS.has(event.code)) return;
    const key = name(event);
    const control = atMenu && key in MENU_KEYS ? MENU_KEYS[key] : KEYS[key];
    if (control === undefined) return;
    event.preventDefault();
    if (event.repeat) return;
    if (key === TAKES_BACK && this.session.takesBack) {
      for (const each of BACK) this.contacts.press(event.code + each, each, event.timeStamp);
      return;
    }
    this.contacts.press(event.code, control, event.timeStamp - (key === RESTARTS ? START_HELD_MS : 0));
  }
}
