/** Join the windows of this page in one browser to a ring, without a server. */

const NAME = "skyline-link";
const GONE_MS = 2000; // a window that nobody sees says something every second

/** @returns {boolean} whether the windows of this browser can speak to each other */
export const canMeet = () => "BroadcastChannel" in globalThis;

export class Tabs {
  /** @param {Receive} receive called with what the one before in the ring said */
  constructor(receive) {
    this.me = crypto.getRandomValues(new Uint32Array(1))[0];
    /** @type {Map<number, number>} when each was heard */
    this.others = new Map();
    if (!canMeet()) return;
    this.channel = new BroadcastChannel(NAME);
    this.channel.onmessage = ({ data: { from, bytes } }) => {
      this.others.set(from, performance.now());
      if (from === this.findBefore()) receive(bytes);
    };
  }

  /**
   * Say something to the next one. All hear it, and so know who is there; only that one listens.
   * @param {Uint8Array} bytes
   */
  send(bytes) {
    this.channel?.postMessage({ from: this.me, bytes });
  }

  /** @returns {number} who comes before this one in the ring, by their numbers; -Infinity where there is nobody */
  findBefore() {
    const since = performance.now() - GONE_MS;
    for (const [other, heard] of this.others) if (heard < since) this.others.delete(other);
    const others = [...this.others.keys()];
    const smaller = others.filter((other) => other < this.me);
    return Math.max(...(smaller.length ? smaller : others));
  }

  close() {
    this.channel?.close();
  }
}
