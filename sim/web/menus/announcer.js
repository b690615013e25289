/** Describe the screen and a game in words, for players who do not see the screen. */

import { AIM_REACHED, CLEARS, STATE } from "../tables.js";

/** @type {Record<string, string|undefined>} by the results of matches */
const OUTCOMES = { "1 won": "You won", "0 lost": "You lost" };
const READ_FRAMES = 8; // longer than a menu takes to repeat a held direction
/** @type {Record<string, string|undefined>} */
const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const [LEFT, RIGHT, HARD_DROP, ROTATE_CW, HOLD, MORE] = [0, 1, 3, 4, 6, 8]; // as in firmware/engine/controls.py; the ninth tells more
const NEVER = { lines: 0, level: 0, clear: 0, ended: 0 };

/**
 * @param {import("../input/keys.js").Keys} keys
 * @returns {string} how to play by ear with the player's keys
 */
function explain(keys) {
  const name = (/** @type {number} */ control) => {
    const [code = "nothing"] = keys.find(control);
    return ARROWS[code] ?? keys.label(code);
  };
  const [left, right, turn, drop, hold, more] = [LEFT, RIGHT, ROTATE_CW, HARD_DROP, HOLD, MORE].map(name);
  return `By ear is on: tones and this voice tell a game. The key ${left} moves left, ${right} moves right, and the column is told. The key ${turn} turns, ${drop} drops, ${hold} holds. The key ${more} tells the surface, pressed again the queues. In menus the arrows choose, Space selects, Escape goes back.`;
}

export class Announcer {
  /**
   * @param {import("../device/handheld.js").Handheld} handheld
   * @param {HTMLElement} place a live region
   * @param {HTMLElement} glass
   */
  constructor(handheld, place, glass) {
    this.handheld = handheld;
    this.place = place;
    this.glass = glass;
    this.byEar = 0;
    this.before = NEVER;
    this.frames = 0;
    this.picture = 0;
    this.due = 0; // calls until the screen stands still
  }

  /**
   * Let a button lead to BY EAR.
   * @param {HTMLElement} button
   * @param {import("../input/keys.js").Keys} keys
   * @param {() => void} leave the game
   */
  offer(button, keys, leave) {
    button.addEventListener("click", () => {
      leave();
      this.handheld.playByEar();
      this.place.textContent = explain(keys);
      this.takeKeys();
      this.glass.focus();
    });
  }

  /** Have a screen reader pass its keys on while BY EAR is at ALL. */
  takeKeys() {
    const byEar = this.handheld.state[STATE.BY_EAR];
    if (byEar === this.byEar) return;
    this.byEar = byEar;
    this.glass.setAttribute("role", byEar ? "application" : "img");
  }

  /** Announce changes; call this after each frame. */
  look() {
    const { state } = this.handheld;
    this.takeKeys();
    const told = state[STATE.TOLD] ? this.handheld.told : ""; // if the player plays by ear
    const change = this.findChange();
    const numbers = `Score ${state[STATE.SCORE]}, level ${state[STATE.LEVEL]}, lines ${state[STATE.LINES]}.`;
    const said = [told, change && `${change}. ${numbers}`, this.readScreen()].filter(Boolean);
    if (said.length) this.place.textContent = said.join(" ");
  }

  /** @returns {string} what is new on the screen outside play */
  readScreen() {
    this.frames += 1;
    const { state } = this.handheld;
    if (this.frames % READ_FRAMES || state[STATE.PLAYING] === 1) return ""; // a countdown is read
    const picture = state[STATE.PICTURE];
    if (picture !== this.picture) this.due = 2;
    this.picture = picture;
    if (!this.due) return "";
    this.due -= 1;
    return this.handheld.read;
  }

  /** @returns {string} what has changed since the last frame */
  findChange() {
    const { state } = this.handheld;
    const ended = state[STATE.ENDED];
    if (!state[STATE.PLAYING] && !ended) {
      if (this.before.ended) this.before = NEVER;
      return "";
    }
    const now = { lines: state[STATE.LINES], level: state[STATE.LEVEL], clear: state[STATE.CLEAR], ended };
    const { before } = this;
    this.before = now;
    if (now.lines < before.lines || (before === NEVER && !ended)) return ""; // another game
    const said = [];
    if (now.clear && (now.lines !== before.lines || now.clear !== before.clear)) {
      said.push(Object.entries(CLEARS).flatMap(([name, bit]) => (now.clear & bit ? name : [])).join(" "));
    } else if (before !== NEVER && now.level !== before.level) said.push("Level up");
    if (ended && !before.ended) {
      said.push(ended === AIM_REACHED ? "Completed" : (OUTCOMES[this.handheld.result] ?? "Game over"));
    }
    return said.join(". ");
  }
}
