/** Tell a time that stands still while nobody sees the page. */

import { POWER_ON_MS } from "../tables.js";

const PERIOD = 2 ** 29; // as on a board, whose clock wraps for the first time 65 s after power-on

export class Clock {
  /** @param {() => number} now milliseconds, as those of events */
  constructor(now = () => performance.now()) {
    this.now = now;
    this.lost = now();
    this.stopped = 0; // when, where it stands
    this.stands = false;
  }

  /** The milliseconds that passed at the moment `t` of an event. */
  passed(t = this.now()) {
    return Math.max(0, (this.stands ? this.stopped : t) - this.lost);
  }

  /** What the handheld's clock reads, 0..2**29-1. */
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
