/** Describe a game in words, for players who do not see the screen. */

import { AIM_REACHED, CLEARS, STATE } from "../tables.js";

/** @type {Record<string, string|undefined>} by the results of matches */
const OUTCOMES = { "1 won": "You won", "0 lost": "You lost" };
const NEVER = { lines: 0, level: 0, clear: 0, ended: 0 };

export class Announcer {
  /**
   * @param {import("../device/handheld.js").Handheld} handheld
   * @param {HTMLElement} place a live region
   */
  constructor(handheld, place) {
    this.handheld = handheld;
    this.place = place;
    this.before = NEVER;
  }

  /** Announce changes; call this after each frame. */
  look() {
    const { state } = this.handheld;
    const told = state[STATE.TOLD] ? this.handheld.told : ""; // if the player plays by ear
    const change = this.findChange();
    const numbers = `Score ${state[STATE.SCORE]}, level ${state[STATE.LEVEL]}, lines ${state[STATE.LINES]}.`;
    const said = [told, change && `${change}. ${numbers}`].filter(Boolean);
    if (said.length) this.place.textContent = said.join(" ");
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
