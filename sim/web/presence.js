/** Know whether anybody is there: leave the game when they go, keep the screen lit while they play. */

export class Presence {
  /**
   * @param {import("./clock.js").Clock} clock stands still while the page is hidden
   * @param {() => void} leave pauses the game, and saves it
   */
  constructor(clock, leave) {
    this.lock = null;
    this.wanted = false;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) {
        leave();
        clock.stop();
      } else {
        clock.go();
      }
    });
    window.addEventListener("blur", leave);
    window.addEventListener("pagehide", leave);
  }

  /** Keep the screen from going dark, or let it. */
  async keepAwake(wanted) {
    if (wanted === this.wanted || !navigator.wakeLock) return;
    this.wanted = wanted;
    try {
      if (wanted) this.lock = await navigator.wakeLock.request("screen");
      else await this.lock?.release();
    } catch {
      // A battery that is low may refuse.
    }
  }
}
