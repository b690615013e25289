/** Say when a frame is due: sixty times a second, however often the screen is drawn. */

export const FRAME_MS = 50 / 3;

const EARLY_MS = 4; // the jitter of a 60 Hz screen
const LATE_MS = 50; // a longer delay is not made up for

export class Frames {
  constructor() {
    this.due = 0;
  }

  /**
   * @param {number} now the time of the screen's frame
   * @returns {boolean} whether to step the handheld now
   */
  claimFrame(now) {
    if (now + EARLY_MS < this.due) return false;
    this.due = now - this.due > LATE_MS ? now + FRAME_MS : this.due + FRAME_MS;
    return true;
  }
}
