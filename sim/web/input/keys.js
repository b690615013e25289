/** Know which key presses which control, as sim/desktop/keyboard.py does, and what the layout prints on each key. */

import { ALWAYS_IN_MENUS, KEYS, LABELS, LETTERS, RESTART } from "../tables.js";
import { recall, remember } from "../saves/choices.js";

export const CHOICE = "pressed by"; // in the page's choices
/** @type {Record<string, string>} in letters that a handheld has */
const ARROWS = { ArrowLeft: "<", ArrowRight: ">", ArrowUp: "UP", ArrowDown: "DOWN" };

// The keys whose name tells their label.
const PLAIN = /^(Key[A-Z]|Digit\d|Numpad\d|F([1-9]|10|12)|Space|Enter|Backspace|Insert|Delete|Home|End|Page(Up|Down))$/;

/**
 * @param {string} code
 * @returns {string} what a US layout prints on a key; "" for a key that can have no control
 */
function usual(code) {
  return (Object.hasOwn(LABELS, code) && LABELS[code]) || (PLAIN.test(code) ? code.replace(/^(Key|Digit)/, "").replace("Numpad", "Num ") : "");
}

/** @param {string} code of a key on which every layout prints one letter or sign */
function isPrinted(code) {
  return usual(code).length === 1 && !(code in ARROWS);
}

/** @returns {Map<string, number>} the kept controls of keys; the usual ones if there are none, or damaged ones */
export function load() {
  /** @type {Record<string, unknown>} */
  const kept = recall(CHOICE, {});
  const controls = Object.entries(kept ?? {});
  const isWhole = controls.every(([code, control]) => usual(code) && typeof control === "number" && Object.hasOwn(KEYS, control));
  if (controls.length && isWhole) return new Map(/** @type {[string, number][]} */ (controls));
  return new Map(KEYS.flatMap((codes, control) => codes.split(" ").map((code) => [code, control])));
}

const CAPITALS = /^[A-Z\d +\-/.,:<>']+$/; // as in sim/desktop/keyboard.py

export class Keys {
  /** @param {{getLayoutMap?: () => Promise<Map<string, string>>}|undefined} keyboard the browser's, which not all have */
  constructor(keyboard = navigator.keyboard) {
    this.table = load();
    /** @type {Map<string, string>} what the layout prints */
    this.letters = new Map();
    /** Called after each change. */
    this.changed = () => {};
    keyboard?.getLayoutMap?.().then(
      (layout) => {
        for (const [code, letter] of layout) if (isPrinted(code)) this.letters.set(code, letter);
        this.changed();
      },
      () => {}, // not here: the letters come with the presses
    );
  }

  /**
   * Learn from a press what the layout prints on its key.
   * @param {KeyboardEvent} event
   */
  learn({ code, key, shiftKey, ctrlKey, altKey }) {
    if (!isPrinted(code) || key.length !== 1 || shiftKey || ctrlKey || altKey || this.letters.get(code) === key) return;
    const before = this.label(code);
    this.letters.set(code, key);
    if (before !== this.label(code)) this.changed();
  }

  /** @param {string} code */
  label(code) {
    const letter = this.letters.get(code)?.toUpperCase();
    return letter?.length === 1 ? letter : usual(code);
  }

  /**
   * @param {string} code
   * @returns {string} the label in letters that a handheld has; else that of a US layout, or the name of the key
   */
  capitals(code) {
    const names = [ARROWS[code] ?? this.label(code), usual(code), code].map((name) => name.toUpperCase());
    return names.find((name) => CAPITALS.test(name)) ?? "";
  }

  /**
   * @param {number} control
   * @returns {string[]} its keys
   */
  find(control) {
    return [...this.table].filter(([, other]) => other === control).map(([code]) => code);
  }

  /**
   * @param {string} code
   * @param {string} letter that the key has in its layout
   * @param {boolean} atMenu
   * @param {boolean} restarts whether the key that restarts means something in this menu
   * @returns {number|null|undefined} the control; undefined if the key means nothing here
   */
  control(code, letter, atMenu, restarts = false) {
    const control = this.table.get(code);
    if (!atMenu) return control;
    if (code in ALWAYS_IN_MENUS) return ALWAYS_IN_MENUS[code];
    return control === RESTART && !restarts ? null : (control ?? LETTERS[letter.toLowerCase()]);
  }

  /**
   * Give a control a key in place of its keys. A control that thereby loses its last key gets the first one of these.
   * @param {number} control
   * @param {string} code
   * @returns {boolean} whether the key can have a control
   */
  choose(control, code) {
    if (!usual(code)) return false;
    const free = this.find(control).filter((each) => each !== code);
    for (const each of free) this.table.delete(each);
    const lost = this.table.get(code);
    this.table.delete(code);
    if (free.length && lost !== undefined && lost !== control && !this.find(lost).length) this.table.set(free[0], lost);
    this.table.set(code, control);
    remember(CHOICE, Object.fromEntries(this.table));
    this.changed();
    return true;
  }

  /** Give every control its usual keys again. */
  reset() {
    remember(CHOICE, undefined);
    this.table = load();
    this.changed();
  }
}
