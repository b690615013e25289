/**
 * Press controls with fingers, several at once, or a mouse. A finger may slide from button to button, but not to Hard
 * Drop, Hold or pause: a slide there would cost a Tetrimino. For players with one switch the glass is a button, too.
 */

import { HARD_DROP, ROTATE_CW } from "./contacts.js";

const NEAR_PX = 28; // a touch this close to a button presses it, unless another button is nearer

export class Touch {
  /**
   * @param {HTMLElement} place holds the buttons, each with data-control
   * @param {import("./contacts.js").Contacts} contacts
   * @param {() => void} feel called when a finger presses a button
   * @param {() => boolean} hasOneSwitch
   */
  constructor(place, contacts, feel, hasOneSwitch) {
    this.contacts = contacts;
    this.feel = feel;
    this.hasOneSwitch = hasOneSwitch;
    this.buttons = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("[data-control]")]);
    /** @type {Map<number, number|null>} */
    this.fingers = new Map();
    place.addEventListener("pointerdown", (event) => this.down(event));
    place.addEventListener("pointermove", (event) => this.slide(event));
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
      place.addEventListener(kind, (event) => this.up(event));
    }
    place.addEventListener("contextmenu", (event) => event.preventDefault());
    // A click without a pointer, for example by keyboard or a screen reader.
    place.addEventListener("click", (event) => {
      const button = this.buttons.find((one) => one.contains(/** @type {Node} */ (event.target)));
      if (button && !event.detail) contacts.tap(Number(button.dataset.control), event.timeStamp);
    });
  }

  /**
   * Show a button as pressed or released.
   * @param {number} control
   * @param {boolean} pressed
   */
  light(control, pressed) {
    const button = this.buttons.find((one) => Number(one.dataset.control) === control);
    button?.classList.toggle("down", pressed);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.pointerType === "mouse" && event.button) return;
    const onGlass = this.hasOneSwitch() && event.target instanceof HTMLCanvasElement;
    const control = this.find(event, () => true) ?? (onGlass ? ROTATE_CW : null);
    if (control === null) return;
    event.preventDefault();
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    this.hold(event, control);
  }

  /** @param {PointerEvent} event */
  slide(event) {
    const held = this.fingers.get(event.pointerId);
    if (held === undefined || !slides(held)) return;
    const control = this.find(event, slides);
    if (control === held) return;
    this.contacts.release(event.pointerId, event.timeStamp);
    this.hold(event, control);
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    this.contacts.release(event.pointerId, event.timeStamp);
  }

  /**
   * @param {PointerEvent} event
   * @param {number|null} control
   */
  hold(event, control) {
    this.fingers.set(event.pointerId, control);
    if (control === null) return;
    this.contacts.press(event.pointerId, control, event.timeStamp);
    this.feel();
  }

  /**
   * @param {PointerEvent} event
   * @param {(control: number) => boolean} may
   * @returns {number|null} the control of the nearest button that `may` allows
   */
  find(event, may) {
    let nearest = null;
    let least = NEAR_PX;
    for (const button of this.buttons) {
      const control = Number(button.dataset.control);
      if (button.hidden || !may(control)) continue;
      const box = button.getBoundingClientRect();
      const x = Math.max(box.left - event.clientX, 0, event.clientX - box.right);
      const y = Math.max(box.top - event.clientY, 0, event.clientY - box.bottom);
      const distance = Math.hypot(x, y);
      if (distance < least) {
        least = distance;
        nearest = control;
      }
    }
    return nearest;
  }
}

/**
 * @param {number|null} control null: beside all buttons
 * @returns {boolean} whether a finger may slide onto a control and off it
 */
function slides(control) {
  return control === null || (control < 6 && control !== HARD_DROP);
}
