/** Link to a handheld on USB, by the second serial port that it opens for a match. */

const BAUD = 115200;
const MOST_WAITING = 1 << 13; // bytes; further bytes are lost, as on a wire

export class Cable {
  /**
   * Ask the player for a port and open it; rejects if there is none.
   * @param {Serial} serial navigator.serial
   * @param {Receive} receive called with bytes from the handheld
   * @param {() => void} lose called when the handheld is unplugged
   */
  static async open(serial, receive, lose) {
    const port = await serial.requestPort();
    await port.open({ baudRate: BAUD });
    await port.setSignals({ dataTerminalReady: true }); // tells the handheld that somebody listens
    const cable = new Cable(port);
    cable.listen(receive).then(lose, lose);
    return cable;
  }

  /** @param {SerialPort} port */
  constructor(port) {
    this.port = port;
    this.reader = port.readable.getReader();
    this.writer = port.writable.getWriter();
    this.waiting = 0;
  }

  /** @param {Receive} receive */
  async listen(receive) {
    for (;;) {
      const { value, done } = await this.reader.read();
      if (done) return;
      receive(value);
    }
  }

  /** @param {Uint8Array} bytes */
  send(bytes) {
    if (this.waiting + bytes.length > MOST_WAITING) return;
    this.waiting += bytes.length;
    const sent = () => (this.waiting -= bytes.length);
    this.writer.write(bytes).then(sent, sent);
  }

  async close() {
    await this.reader.cancel().catch(() => {});
    this.reader.releaseLock();
    this.writer.releaseLock();
    await this.port.close().catch(() => {});
  }
}
