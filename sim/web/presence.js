/** Know whether anybody is there: leave the game when they go, keep the screen lit while they play. */

export class Presence {
  /**
   * @param {import("./clock.js").Clock} clock stands still while the page is hidden
   * @param {{leave: () => void}} game
   */
  constructor(clock, game) {
    this.game = game;
    this.lock = null;
    this.wanted = false;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) {
        game.leave();
        clock.stop();
      } else {
        clock.go();
      }
    });
    window.addEventListener("blur", () => game.leave());
    window.addEventListener("pagehide", () => game.leave());
  }

  /** Do as when somebody goes: pause the game, and save it. */
  leave() {
    this.game.leave();
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
