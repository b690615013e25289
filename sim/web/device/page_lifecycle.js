/** Follow the page's lifecycle: leave the game when the page is hidden, keep the screen lit in play. */

const HIDDEN_MS = 250; // between steps of a linked handheld on a hidden page; browsers extend it to a second

export class PageLifecycle {
  /**
   * @param {import("./clock.js").Clock} clock stands still while the page is hidden
   * @param {import("./session.js").Session} session
   */
  constructor(clock, session) {
    const leave = () => session.leave();
    this.timer = 0;
    /** @type {WakeLockSentinel|null} */
    this.lock = null;
    this.wanted = false;
    document.addEventListener("visibilitychange", () => {
      clearInterval(this.timer);
      if (document.hidden) {
        leave();
        // A linked match only pauses: the handheld must still pass on the others' messages.
        if (session.isLinked) this.timer = setInterval(() => session.running && session.step(), HIDDEN_MS);
        else clock.stop();
      } else {
        clock.go();
      }
    });
    // The player of another window may sit at the same computer.
    window.addEventListener("blur", () => (session.isLinked ? session.letGo() : leave()));
    window.addEventListener("pagehide", leave);
  }

  /**
   * Keep the screen lit, or let it go dark.
   * @param {boolean} wanted
   */
  async keepAwake(wanted) {
    if (wanted === this.wanted || !navigator.wakeLock) return;
    this.wanted = wanted;
    try {
      if (wanted) this.lock = await navigator.wakeLock.request("screen");
      else await this.lock?.release();
    } catch {
      // The browser may refuse when the battery is low.
    }
  }
}
