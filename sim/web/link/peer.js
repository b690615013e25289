/** Link to another phone or computer by WebRTC; the players pass on an invitation and an answer by hand. */

import { writeDescription } from "./description.js";

const MOST_WAITING = 1 << 13; // bytes; further bytes are lost, as on a wire

export class Peer {
  /**
   * @param {string} server asked for this device's public address; "" asks none. No other server is involved
   * @param {Receive} receive called with bytes from the other device
   * @param {(open: boolean) => void} change called when the connection opens or closes
   * @param {(heard: boolean) => void} waver called when the connection is interrupted, and when it is back
   * @param {() => void} fail called when the devices cannot connect
   */
  constructor(server, receive, change, waver, fail) {
    if (!("RTCPeerConnection" in globalThis)) throw new Error("this browser has no WebRTC, or WebRTC is off");
    this.connection = new RTCPeerConnection({ iceServers: server ? [{ urls: name(server) }] : [] });
    this.answered = false;
    this.channel = this.connection.createDataChannel("skyline", { negotiated: true, id: 0 });
    this.channel.binaryType = "arraybuffer";
    this.channel.onmessage = ({ data }) => data instanceof ArrayBuffer && receive(new Uint8Array(data));
    this.channel.onopen = () => change(true);
    this.channel.onclose = () => change(false);
    this.connection.onconnectionstatechange = () => {
      const { connectionState } = this.connection;
      if (!this.isOpen) {
        // Before we have the answer, a failure does not count.
        if (this.answered && connectionState === "failed") fail();
      } else if (connectionState === "failed") this.channel.close();
      else waver(connectionState === "connected");
    };
  }

  get isOpen() {
    return this.channel.readyState === "open";
  }

  /** Whether we sent an invitation and wait for the answer. */
  get awaitsAnswer() {
    return this.connection.signalingState === "have-local-offer";
  }

  /** @returns {Promise<string>} the invitation */
  invite() {
    return this.describe();
  }

  /**
   * @param {Description} description
   * @returns {Promise<string>} the answer to an invitation
   */
  async answer(description) {
    await this.connection.setRemoteDescription(description);
    return this.describe();
  }

  /**
   * Accept the answer to the invitation.
   * @param {Description} description
   */
  complete(description) {
    this.answered = true;
    return this.connection.setRemoteDescription(description);
  }

  /** @returns {Promise<string>} this device's description with all its addresses, for the other device */
  async describe() {
    const { connection } = this;
    const gathered = new Promise((done) => {
      connection.onicegatheringstatechange = () => connection.iceGatheringState === "complete" && done(null);
    });
    await connection.setLocalDescription();
    await gathered;
    return writeDescription(/** @type {RTCSessionDescription} */ (connection.localDescription));
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  send(bytes) {
    if (this.isOpen && this.channel.bufferedAmount < MOST_WAITING) this.channel.send(bytes);
  }

  close() {
    this.channel.onopen = this.channel.onclose = null;
    this.connection.close();
  }
}

/**
 * @param {string} server
 * @returns {string} the URL of an address server; `server` may lack the scheme and the port
 */
function name(server) {
  if (!/^(stuns?:)?[\w.-]+(:\d{1,5})?$/.test(server)) throw new Error("an address server has a name like stun.example.org");
  return server.replace(/^(?!stuns?:)/, "stun:");
}
