/** Link to another phone or computer by WebRTC, with an invitation and an answer that the players carry by hand. */

import { writeDescription } from "./description.js";

const MOST_WAITING = 1 << 13; // bytes; the rest is lost, as on a wire

export class Peer {
  /**
   * @param {string} server asked how this one looks from outside, "" for nobody: no other comes between the two
   * @param {Receive} receive called with what the other one says
   * @param {(open: boolean) => void} change called when the two found, and when they lost each other
   * @param {(heard: boolean) => void} waver called when nothing more is heard of the other one, and when it is again
   * @param {() => void} fail called when the two cannot find each other
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
        // Before the answer was carried there and back a failure is none.
        if (this.answered && connectionState === "failed") fail();
      } else if (connectionState === "failed") this.channel.close();
      else waver(connectionState === "connected");
    };
  }

  get isOpen() {
    return this.channel.readyState === "open";
  }

  /** Whether an invitation of this one is on its way. */
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
   * Take the answer to the invitation.
   * @param {Description} description
   */
  complete(description) {
    this.answered = true;
    return this.connection.setRemoteDescription(description);
  }

  /** @returns {Promise<string>} what to tell the other one, with all addresses of this one */
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
 * @returns {string} the URL of an address server, named with or without its kind and port
 */
function name(server) {
  if (!/^(stuns?:)?[\w.-]+(:\d{1,5})?$/.test(server)) throw new Error("an address server has a name like stun.example.org");
  return server.replace(/^(?!stuns?:)/, "stun:");
}
