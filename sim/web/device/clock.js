/** A clock that stands still while the page is hidden. */

import { POWER_ON_MS } from "../tables.js";

const PERIOD = 2 ** 29; // as on a board, whose clock wraps for the first time 65 s after power-on

export class Clock {
  /** @param {() => number} now milliseconds, like the time stamps of events */
  constructor(now = () => performance.now()) {
    this.now = now;
    this.lost = now();
    this.stopped = 0; // since when it stands still
    this.stands = false;
  }

  /** The milliseconds that had passed at the time stamp `t`. */
  passed(t = this.now()) {
    return Math.max(0, (this.stands ? this.stopped : t) - this.lost);
  }

  /** The time of the handheld's clock, 0..2**29-1. */
  ticks(t = this.now()) {
    return (POWER_ON_MS + Math.floor(this.passed(t))) % PERIOD;
  }

  stop() {
    if (this.stands) return;
    this.stopped = this.now();
    this.stands = true;
  }

  go() {
    if (!this.stands) return;
    this.lost += this.now() - this.stopped;
    this.stands = false;
  }
}
