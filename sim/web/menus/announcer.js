/** Describe a game in words, for players who do not see the screen. */

import { AIM_REACHED, CLEARS, STATE } from "../tables.js";

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
    const ended = state[STATE.ENDED];
    if (!state[STATE.PLAYING] && !ended) {
      if (this.before.ended) this.before = NEVER;
      return;
    }
    const now = { lines: state[STATE.LINES], level: state[STATE.LEVEL], clear: state[STATE.CLEAR], ended };
    const { before } = this;
    this.before = now;
    if (now.lines < before.lines || (before === NEVER && !ended)) return; // another game
    if (ended && !before.ended) {
      this.say(ended === AIM_REACHED ? "Completed" : "Game over");
    } else if (now.clear && (now.lines !== before.lines || now.clear !== before.clear)) {
      this.say(Object.entries(CLEARS).flatMap(([name, bit]) => (now.clear & bit ? name : [])).join(" "));
    } else if (now.level !== before.level) {
      this.say("Level up");
    }
  }

  /** @param {string} what */
  say(what) {
    const { state } = this.handheld;
    this.place.textContent = `${what}. Score ${state[STATE.SCORE]}, level ${state[STATE.LEVEL]}, lines ${state[STATE.LINES]}.`;
  }
}
