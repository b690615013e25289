/** Press controls with gamepads, as sim/desktop/gamepad.py does; browsers fire no events of buttons, so poll. */

import { MENU_STICKS, PAD_BUTTONS, PAD_STICKS } from "../tables.js";

const CLOSES = 0.55; // share of a stick's range; OPENS is lower, or a trembling thumb would press again and again
const OPENS = 0.4;

/** @returns {() => (Gamepad|null)[]} what lists the gamepads: none where the browser knows none, or its policy forbids them */
function findList() {
  try {
    navigator.getGamepads();
    return () => navigator.getGamepads();
  } catch {
    return () => [];
  }
}

export class Gamepads {
  /**
   * @param {import("./contacts.js").Contacts} contacts
   * @param {() => boolean} isAtMenu
   * @param {(line: string) => void} tell called once for each gamepad without a mapping
   * @param {() => (Gamepad|null)[]} list
   */
  constructor(contacts, isAtMenu, tell, list = findList()) {
    this.contacts = contacts;
    this.isAtMenu = isAtMenu;
    this.tell = tell;
    /** @type {Set<string>} */
    this.unknown = new Set();
    this.list = list;
    /** @type {Set<string>} */
    this.closed = new Set();
  }

  /**
   * Read all gamepads.
   * @param {number} t the time of all edges since the last poll
   */
  poll(t) {
    /** @type {Set<string>} */
    const seen = new Set();
    for (const pad of this.list()) {
      if (!pad?.connected) continue;
      if (pad.mapping !== "standard") {
        this.refuse(pad.id);
        continue;
      }
      pad.buttons.forEach((button, at) => {
        this.set(`${pad.index} ${at}`, button.pressed, PAD_BUTTONS[at], t, seen);
      });
      pad.axes.forEach((share, at) => {
        for (const sign of [-1, 1]) {
          const stick = `${at}${sign < 0 ? "-" : "+"}`;
          const contact = `${pad.index} ${stick}`;
          const control = PAD_STICKS[stick] ?? (this.isAtMenu() ? MENU_STICKS[stick] : undefined);
          this.set(contact, sign * share > (this.closed.has(contact) ? OPENS : CLOSES), control, t, seen);
        }
      });
    }
    for (const contact of this.closed) if (!seen.has(contact)) this.set(contact, false, null, t, seen); // unplugged
  }

  /**
   * Say once that the browser does not know the buttons of a gamepad.
   * @param {string} id
   */
  refuse(id) {
    if (this.unknown.has(id)) return;
    this.unknown.add(id);
    this.tell(`${id} has no mapping here, so it does nothing. Steam Input or its mode XInput (X) gives it one.`);
  }

  /**
   * @param {string} contact
   * @param {boolean} closed
   * @param {number|null|undefined} control
   * @param {number} t
   * @param {Set<string>} seen
   */
  set(contact, closed, control, t, seen) {
    seen.add(contact);
    if (closed === this.closed.has(contact)) return;
    if (closed) {
      this.closed.add(contact);
      this.contacts.press(`pad ${contact}`, control, t);
    } else {
      this.closed.delete(contact);
      this.contacts.release(`pad ${contact}`, t);
    }
  }
}
