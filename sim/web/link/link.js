/** Connect the handheld's link to its other end: a peer, a cable, or by default the other windows of this page. */

import { Tabs } from "./tabs.js";

export class Link {
  /** @param {import("../device/handheld.js").Handheld} handheld */
  constructor(handheld) {
    this.handheld = handheld;
    /** @type {LinkEnd} */
    this.end = new Tabs(this.receive);
  }

  /** Pass on what the handheld said. */
  carry() {
    const bytes = this.handheld.takeSaid();
    if (bytes.length) this.end.send(bytes);
  }

  /** What an end is to call with what comes from there. */
  get receive() {
    return (/** @type {Uint8Array} */ bytes) => this.handheld.receive(bytes);
  }

  /**
   * Let the link end elsewhere, null for the other windows.
   * @param {LinkEnd|null} end
   */
  use(end) {
    this.end.close();
    this.end = end ?? new Tabs(this.receive);
  }
}
