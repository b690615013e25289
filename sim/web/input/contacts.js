/** The eight buttons, as in sim/contacts.py: several contacts of one control press it once. */

export const LEFT = 0;
export const RIGHT = 1;
export const SOFT_DROP = 2;
export const HARD_DROP = 3;
export const ROTATE_CW = 4;
export const ROTATE_CCW = 5;
export const HOLD = 6;
export const PAUSE = 7;

/** @returns {boolean} whether a dialog covers the handheld: then no contact presses a control */
export const isCovered = () => document.querySelector("dialog[open]") !== null;

export class Contacts {
  /** @param {(control: number, pressed: boolean, t: number) => void} move called with each edge and its time */
  constructor(move) {
    this.move = move;
    /** @type {Map<unknown, number>} */
    this.held = new Map();
    this.releases = 0; // of all contacts
    /** Called with a control and whether it is down, after each edge. */
    this.show = (/** @type {number} */ _control, /** @type {boolean} */ _pressed) => {};
  }

  /**
   * Close a contact; a contact without a control does nothing.
   * @param {unknown} contact
   * @param {number|null|undefined} control
   * @param {number} t
   */
  press(contact, control, t) {
    if (control === null || control === undefined || this.held.has(contact) || isCovered()) return;
    if (!this.isDown(control)) this.edge(control, true, t);
    this.held.set(contact, control);
  }

  /**
   * Open a contact; a control is released with the last of its contacts.
   * @param {unknown} contact
   * @param {number} t
   */
  release(contact, t) {
    const control = this.held.get(contact);
    if (control === undefined) return;
    this.held.delete(contact);
    if (!this.isDown(control)) this.edge(control, false, t);
  }

  /** @param {number} t */
  releaseAll(t) {
    this.releases++;
    for (const contact of [...this.held.keys()]) this.release(contact, t);
  }

  /**
   * Press and release a control without a contact.
   * @param {number} control
   * @param {number} t
   */
  tap(control, t) {
    if (this.isDown(control)) return;
    this.edge(control, true, t);
    this.edge(control, false, t);
  }

  /** @param {number} control */
  isDown(control) {
    return [...this.held.values()].includes(control);
  }

  /**
   * @param {number} control
   * @param {boolean} pressed
   * @param {number} t
   */
  edge(control, pressed, t) {
    this.move(control, pressed, t);
    this.show(control, pressed);
  }
}
