/** Load the rest of the firmware, which a first game does not need, after the first picture. */

import { fetchRest } from "./interpreter.js";
import { explain, tell } from "../menus/notice.js";
import { STATE } from "../tables.js";

export class Rest {
  /**
   * @param {import("./handheld.js").Handheld} handheld
   * @param {boolean} isThere
   */
  constructor(handheld, isThere) {
    this.handheld = handheld;
    this.isThere = false;
    if (isThere) this.note();
    /** @type {Promise<void>|null} */
    this.loading = null;
    this.isAwaited = false; // by a scene
  }

  /** @returns {Promise<void>} rejects if it cannot be loaded; the next call tries again */
  load() {
    this.loading ??= this.isThere ? Promise.resolve() : this.fetch();
    return this.loading;
  }

  note() {
    this.isThere = true;
    document.documentElement.dataset.whole = ""; // for the tests
  }

  async fetch() {
    try {
      this.handheld.complete(await fetchRest());
      this.note();
    } catch (problem) {
      this.loading = null;
      throw problem;
    }
  }

  /**
   * Do what needs the whole firmware: at once if it is there.
   * @param {() => void} act
   * @param {() => void} [otherwise] done if it cannot be loaded; a notice says why
   */
  whenThere(act, otherwise = () => {}) {
    if (this.isThere) {
      act();
      return;
    }
    this.load().then(act, (problem) => {
      otherwise();
      tell(`The rest of Skyline cannot be loaded: ${explain(problem)}. Try again, or reload the page.`);
    });
  }

  /** Load it for a scene that waits for it; call this after each frame. */
  look() {
    const waits = this.handheld.state[STATE.WAITING] !== 0;
    if (waits && !this.isAwaited) this.whenThere(() => {}, () => this.handheld.giveUp());
    this.isAwaited = waits;
  }
}
