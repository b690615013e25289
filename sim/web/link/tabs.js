/** Join the windows of this page in one browser to a ring, without a server. */

const NAME = "skyline-link";
const GONE_MS = 2000; // a hidden window sends something every second

/**
 * @param {string} name
 * @returns {BroadcastChannel|undefined} a channel to the other windows of this browser, which may lack or forbid it
 */
export function openChannel(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}

export class Tabs {
  /** @param {Receive} receive called with bytes from the previous window in the ring */
  constructor(receive) {
    this.me = crypto.getRandomValues(new Uint32Array(1))[0];
    /** @type {Map<number, number>} when each other window last sent something */
    this.others = new Map();
    this.channel = openChannel(NAME);
    if (!this.channel) return;
    this.channel.onmessage = ({ data: { from, bytes } }) => {
      this.others.set(from, performance.now());
      if (from === this.findBefore()) receive(bytes);
    };
  }

  /**
   * Send bytes to the next window. All windows see the message and so know the sender; only the next one uses it.
   * @param {Uint8Array} bytes
   */
  send(bytes) {
    this.channel?.postMessage({ from: this.me, bytes });
  }

  /** @returns {number} the previous window in the ring of numbers; -Infinity if there is none */
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
