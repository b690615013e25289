/** Connect the handheld's link to its other end: a peer, a cable, or by default the other windows of this page. */

import { Tabs } from "./tabs.js";

export class Link {
  /** @param {import("../device/handheld.js").Handheld} handheld */
  constructor(handheld) {
    this.handheld = handheld;
    /** @type {LinkEnd} */
    this.end = new Tabs(this.receive);
  }

  /** Pass the handheld's bytes on to the other end. */
  carry() {
    const bytes = this.handheld.takeSaid();
    if (bytes.length) this.end.send(bytes);
  }

  /** The function that an end calls with received bytes. */
  get receive() {
    return (/** @type {Uint8Array} */ bytes) => this.handheld.receive(bytes);
  }

  /**
   * Connect the link to another end; null for the other windows.
   * @param {LinkEnd|null} end
   */
  use(end) {
    this.end.close();
    this.end = end ?? new Tabs(this.receive);
  }
}
