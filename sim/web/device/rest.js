/** Load the rest of the firmware, which a first game does not need, after the first picture. */

import { fetchRest } from "./interpreter.js";
import { explain, offer, tell } from "../menus/notice.js";
import { STATE } from "../tables.js";

const SLOW_MS = 8000;
const SLOW = "The rest of Skyline is still loading: the network is slow, or hangs.";
const HASTE = "Do not wait";

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
      const image = await fetchRest();
      if (this.isThere) return; // an earlier try has ended after all
      this.handheld.complete(image);
      this.note();
    } catch (problem) {
      this.loading = null;
      throw problem;
    }
  }

  /**
   * Do what needs the whole firmware: at once if it is there. A notice says if that takes long, and ends it if the player wants.
   * @param {() => void} act
   * @param {() => void} [otherwise] done if it cannot be loaded; a notice says why
   */
  whenThere(act, otherwise = () => {}) {
    if (this.isThere) {
      act();
      return;
    }
    let isWanted = true;
    let isSlow = false;
    const slow = setTimeout(() => {
      isSlow = true;
      offer(SLOW, HASTE, () => {
        isWanted = false;
        this.loading = null; // the next call asks again
        otherwise();
      });
    }, SLOW_MS);
    const end = (/** @type {() => void} */ then, line = "") => {
      clearTimeout(slow);
      if (!isWanted) return;
      if (isSlow) offer("", HASTE, act);
      if (line) tell(line);
      then();
    };
    this.load().then(
      () => end(act),
      (problem) => end(otherwise, `The rest of Skyline cannot be loaded: ${explain(problem)}. Try again, or reload the page.`),
    );
  }

  /** Load it for a scene that waits for it; call this after each frame. */
  look() {
    const waits = this.handheld.state[STATE.WAITING] !== 0;
    if (waits && !this.isAwaited) this.whenThere(() => {}, () => this.handheld.giveUp());
    this.isAwaited = waits;
  }
}
