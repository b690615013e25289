/** Let the player choose the other end of the link: the dialog's section about playing together. */

import { recall, remember } from "../saves/choices.js";
import { find } from "../menus/element.js";
import { hasShareSheet, shareText } from "../menus/sharing.js";
import { explain, offer, tell } from "../menus/notice.js";
import { Cable } from "./cable.js";
import { Camera } from "./camera.js";
import { readDescription } from "./description.js";
import { Peer } from "./peer.js";
import { answerAt, findRelay, waitAt } from "./relay.js";
import { openChannel } from "./tabs.js";

const JOIN = "#join=";
const ANSWER = "#answer=";
const POST = "skyline-answer"; // the channel by which a new tab passes an answer to the waiting tab
const PATIENCE_MS = 1000;
const HERE = "Linked. Press A on both devices.";
const PLUGGED = "The port is open. Waiting for the handheld.";
const CUT = "The link is cut.";
const SILENT = "The other side of the link does not answer.";
const APART = "Windows of this browser cannot connect: it has no BroadcastChannel.";
const UNREACHED = "The two devices cannot reach each other. Use the same network, or name an address server under More ways.";
const DELIVERED = "The answer arrived. Go back to the tab with your invitation.";
const HUNG_UP = "The relay hung up. Your friend can still send the answer by hand.";
const UNWANTED = "No tab waits for this answer. Paste it where you made the invitation: More, Play together.";

/** The instructions for both players, step by step. */
const STEPS = {
  host: { step: "1. Send this link to your friend", sent: "2. Paste your friend's answer here, or open it in this browser" },
  relayed: { step: "Send this link to your friend", sent: "No answer arrives? Paste it here" },
  guest: { step: "Send this answer back", sent: "Another invitation? Paste it here" },
};

export class Invitations {
  /**
   * @param {import("./link.js").Link} link
   * @param {import("../menus/more.js").More} more
   * @param {() => void} land opens LINK on the handheld
   */
  constructor(link, more, land) {
    this.link = link;
    this.more = more;
    this.land = land;
    /** @type {Peer|null} */
    this.peer = null;
    this.url = "";
    this.told = find("told-shown", HTMLElement);
    this.state = find("link-state", HTMLElement);
    this.server = find("server", HTMLInputElement);
    this.server.value = recall("server", "");
    this.server.addEventListener("change", () => remember("server", this.server.value.trim()));
    this.relay = find("relay", HTMLInputElement);
    this.relay.value = recall("relay", this.relay.defaultValue);
    this.relay.addEventListener("change", () => remember("relay", this.relay.value.trim()));
    /** @type {WebSocket|null} a relay's room in which we wait for an answer */
    this.room = null;
    this.camera = new Camera(find("seen", HTMLVideoElement));
    const scan = find("scan", HTMLElement);
    Camera.canRead().then((can) => (scan.hidden = !can));
    const cable = find("cable", HTMLElement);
    cable.hidden = !navigator.serial;
    for (const [button, deed] of /** @type {[HTMLElement, () => Promise<void>][]} */ ([
      [find("invite", HTMLElement), () => this.invite()],
      [find("copy", HTMLElement), () => this.send()],
      [find("unlink", HTMLElement), async () => this.change(this.link.end, false)],
      [scan, () => this.scan()],
      [cable, () => this.plug()],
    ])) {
      button.addEventListener("click", () => this.attempt(deed));
    }
    more.dialog.addEventListener("close", () => this.camera.stop());
    more.shown = () => this.nameLinked();
    const sent = find("sent", HTMLInputElement);
    sent.addEventListener("input", (event) => {
      // A typed text is incomplete until its last letter.
      const { data, inputType } = /** @type {InputEvent} */ (event);
      const typed = data?.length === 1 || inputType?.startsWith("delete");
      this.attempt(() => this.read(sent, !typed));
    });
    sent.addEventListener("change", () => this.attempt(() => this.read(sent, true)));
    // Or the other device would wait for half a minute.
    window.addEventListener("pagehide", () => this.peer?.close());
    const post = openChannel(POST);
    if (post) this.takePost(post);
    else this.say(APART);
  }

  /** @param {() => Promise<void>} deed */
  async attempt(deed) {
    this.say("");
    try {
      await deed();
    } catch (problem) {
      this.say(`Not linked: ${explain(problem)}.`);
    }
  }

  /** @param {string} line */
  say(line) {
    this.state.textContent = line;
  }

  /** Accept the answers with which other tabs of this browser were opened. */
  takePost(/** @type {BroadcastChannel} */ post) {
    post.onmessage = ({ data }) => {
      if (!this.peer?.awaitsAnswer || typeof data !== "string") return;
      post.postMessage(true);
      this.attempt(() => this.acceptLink(data));
    };
  }

  /**
   * Accept an invitation, or the answer to one, in the page's address.
   * @param {string} fragment
   * @returns {boolean} whether the fragment is either
   */
  open(fragment) {
    const isAnswer = fragment.startsWith(ANSWER);
    if (!isAnswer && !fragment.startsWith(JOIN)) return false;
    history.replaceState(null, "", location.pathname + location.search);
    if (isAnswer && !this.peer?.awaitsAnswer) {
      this.deliver(fragment);
    } else {
      this.more.show("tab-together");
      this.attempt(() => this.acceptLink(fragment, true));
    }
    return true;
  }

  /**
   * Ask before anything is sent to a place that an invitation names; a relay that was allowed once is remembered.
   * @param {string} invitation
   * @param {string} host of its relay, "" for none
   */
  ask(invitation, host) {
    this.more.dialog.close();
    offer(host ? `Connect through ${host}?` : "Connect to your friend's device?", "Connect", () => {
      if (host) remember("allowed", `${recall("allowed", "")} ${host}`.trim());
      this.more.show("tab-together");
      this.attempt(() => this.acceptLink(invitation));
    });
  }

  /**
   * Pass an answer to the tab that waits for it.
   * @param {string} fragment
   */
  deliver(fragment) {
    const post = openChannel(POST);
    if (!post) {
      tell(UNWANTED, true);
      return;
    }
    const timer = setTimeout(() => tell(UNWANTED, true), PATIENCE_MS);
    post.onmessage = ({ data }) => {
      if (data !== true) return;
      clearTimeout(timer);
      tell(DELIVERED, true);
    };
    post.postMessage(fragment);
  }

  makePeer() {
    const server = this.server.value.trim();
    if (server) this.say(`Asking ${server}.`);
    if (this.peer !== this.link.end) this.peer?.close(); // nobody found it
    /** @type {Peer} */
    const peer = new Peer(
      server,
      this.link.receive,
      (open) => this.change(peer, open),
      (heard) => this.link.end === peer && this.light(heard, heard ? HERE : SILENT),
      () => this.say(UNREACHED),
    );
    this.peer = peer;
    return peer;
  }

  async invite() {
    const invitation = JOIN + (await this.makePeer().invite());
    const part = await this.openRoom();
    await this.give(part ? "relayed" : "host", invitation + part);
  }

  /** @returns {Promise<string>} the end of the invitation if the player named a relay, else "" */
  async openRoom() {
    this.leaveRoom();
    const relay = this.relay.value.trim();
    if (!relay) return "";
    const take = (/** @type {unknown} */ data) => {
      // Strangers may send anything.
      if (typeof data !== "string" || !data.startsWith(`${ANSWER}a,`)) return;
      this.leaveRoom();
      this.attempt(() => this.acceptLink(data));
    };
    const { part, socket } = await waitAt(relay, take, () => this.room && this.say(HUNG_UP));
    this.room = socket;
    return part;
  }

  leaveRoom() {
    const { room } = this;
    this.room = null;
    room?.close();
  }

  /**
   * Accept the text in a field.
   * @param {HTMLInputElement} field
   * @param {boolean} whole whether the text is complete; else errors are ignored
   */
  async read(field, whole) {
    const text = field.value.trim();
    if (!text) return;
    try {
      readDescription(text);
    } catch (problem) {
      if (!whole) return;
      field.select(); // the next text replaces it
      throw problem;
    }
    field.value = "";
    await this.acceptLink(text);
  }

  /**
   * Accept an invitation or an answer from another player.
   * @param {string} text
   * @param {boolean} opened whether it came by the page's address, without any deed of the player
   */
  async acceptLink(text, opened = false) {
    const description = readDescription(text);
    if (description.type === "offer") {
      const room = findRelay(text);
      const host = room ? new URL(room).host : "";
      const built = this.relay.defaultValue; // the relay that this page was built with
      const allowed = recall("allowed", "").split(" ");
      if (host ? !allowed.includes(host) && !(built && new URL(built).host === host) : opened) {
        this.ask(text, host);
        return;
      }
      const peer = this.makePeer();
      const answer = ANSWER + (await peer.answer(description));
      this.land();
      if (!room) {
        await this.give("guest", answer);
        return;
      }
      this.say("Connecting.");
      try {
        await answerAt(room, answer);
      } catch (problem) {
        await this.give("guest", answer);
        throw problem;
      }
    } else {
      if (!this.peer?.awaitsAnswer) throw new Error("this answer belongs to an invitation that is closed");
      this.say("Connecting.");
      await this.peer.complete(description);
    }
  }

  /**
   * Show a link as text and as a QR code.
   * @param {keyof typeof STEPS} who
   * @param {string} fragment
   */
  async give(who, fragment) {
    /** @type {any} a third-party module without types */
    const { correction, generate } = await import("../qr.js");
    const { step, sent } = STEPS[who];
    this.url = new URL(fragment, location.href).href;
    find("step", HTMLElement).textContent = step;
    find("sent-name", HTMLElement).textContent = sent;
    find("copy-name", HTMLElement).textContent = hasShareSheet() ? "Share" : "Copy the link";
    find("told", HTMLInputElement).value = this.url;
    const code = find("code", HTMLCanvasElement);
    generate(this.url, { minCorrectionLevel: correction.L }).toCanvas(code, { on: [0, 0, 0], off: [255, 255, 255] });
    find("start-together", HTMLElement).hidden = true;
    this.told.hidden = false;
    if (who !== "guest") await this.send();
  }

  /** Copy the link to the clipboard, or share it. */
  async send() {
    const done = await shareText("told", this.url, { title: "Skyline", url: this.url });
    this.say(done ? `${hasShareSheet() ? "Shared" : "Copied"}. Waiting for the other device.` : "Waiting for the other device.");
  }

  /** Scan another player's QR code and accept its text. */
  async scan() {
    const text = await this.camera.read();
    if (text) await this.acceptLink(text);
  }

  async plug() {
    if (!navigator.serial) return;
    let cable = /** @type {Cable|null} */ (null);
    let heard = false;
    const receive = (/** @type {Uint8Array} */ bytes) => {
      this.link.receive(bytes);
      if (cable && !heard) this.light(true, HERE);
      heard = true;
    };
    cable = await Cable.open(navigator.serial, receive, () => cable && this.change(cable, false));
    this.change(cable, true, heard);
  }

  /**
   * Use a connected end, or go back to the other windows if the end in use was lost.
   * @param {LinkEnd} end
   * @param {boolean} open
   * @param {boolean} heard whether it said something: a port is open before anybody is there
   */
  change(end, open, heard = open) {
    if (!open && this.link.end !== end) return;
    this.link.use(open ? end : null);
    this.leaveRoom();
    this.told.hidden = true;
    find("start-together", HTMLElement).hidden = open;
    find("linked", HTMLElement).hidden = !open;
    this.say("");
    this.more.dialog.close();
    this.light(heard, heard ? HERE : open ? PLUGGED : CUT);
    if (open) this.land();
  }

  /**
   * Show whether the other side is connected.
   * @param {boolean} heard
   * @param {string} line
   */
  light(heard, line) {
    find("lamp", HTMLElement).hidden = !heard;
    this.nameLinked();
    tell(line, !heard);
  }

  /** Name the players who are linked, once their handhelds know each other. */
  nameLinked() {
    const { initials } = this.link.handheld;
    const heard = !find("lamp", HTMLElement).hidden;
    find("linked-name", HTMLElement).textContent =
      heard && initials.includes(" ") ? `Linked: ${initials}` : `${heard ? "Linked with" : "Waiting for"} another device`;
  }
}
