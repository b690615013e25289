/** Press controls with a keyboard, as in sim/desktop/keyboard.py: by the place of a key. */

import { RESTART, RESTART_HELD_MS, STATE } from "../tables.js";
import { isCovered, PAUSE } from "./contacts.js";

const WORKS_BY_ITSELF = "a, input, select, textarea, [role=slider]";
// A focused button takes these keys; all other keys go to the game, wherever the focus is.
const OF_BUTTONS = new Set(["Enter", "NumpadEnter", "Space"]);
const HOLD_MS = 60; // a pause takes three frames to resume, pause again and restart

export class Keyboard {
  /**
   * @param {Window} page
   * @param {import("./keys.js").Keys} keys
   * @param {import("./contacts.js").Contacts} contacts
   * @param {import("../device/session.js").Session} session
   */
  constructor(page, keys, contacts, session) {
    this.keys = keys;
    this.contacts = contacts;
    this.session = session;
    page.addEventListener("keydown", (event) => this.press(event));
    page.addEventListener("keyup", (event) => this.release(event.code, event.timeStamp));
    /** The key that restarts once a frame has begun. */
    this.restarting = "";
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { code, key, timeStamp } = event;
    if (event.altKey || event.metaKey || event.isComposing || isCovered()) return;
    this.keys.learn(event);
    const focused = event.target instanceof Element ? event.target : null;
    if (focused?.closest(WORKS_BY_ITSELF)) return;
    if (this.take(event)) return;
    const atMenu = this.session.isAtMenu;
    if (atMenu && event.ctrlKey) return;
    if (focused?.closest("button") && OF_BUTTONS.has(code)) return;
    const control = this.keys.control(code, key, atMenu, this.session.restarts);
    if (control === undefined) return;
    event.preventDefault();
    if (event.repeat) return;
    if (control !== RESTART) {
      this.contacts.press(code, control, timeStamp);
      return;
    }
    this.restarting = code;
    const { releases } = this.contacts;
    requestAnimationFrame(() => {
      if (this.restarting === code && releases === this.contacts.releases) this.contacts.press(code, PAUSE, timeStamp - RESTART_HELD_MS);
    });
  }

  /**
   * Release a key; a tap shorter than a frame restarts nothing, a longer one as much as START that stays down.
   * @param {string} code
   * @param {number} t
   */
  release(code, t) {
    if (code === this.restarting) {
      this.restarting = "";
      setTimeout(() => this.contacts.release(code, t + HOLD_MS), HOLD_MS);
    } else this.contacts.release(code, t);
  }

  /**
   * Give a key to the control that waits for one.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether one waits
   */
  take(event) {
    const { state } = this.session.handheld;
    const asked = state[STATE.ASKED];
    if (!asked) return false;
    if (!event.repeat && this.keys.choose(asked - 1, event.code)) {
      state[STATE.ASKED] = 0;
      event.preventDefault();
    }
    return true;
  }
}
