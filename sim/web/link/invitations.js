/** Let the player choose where the link ends: the part of the dialog that is about matches with others. */

import { Cable } from "./cable.js";
import { Camera } from "./camera.js";
import { recall, remember } from "../saves/choices.js";
import { handOut } from "../menus/handout.js";
import { explain, tell } from "../menus/notice.js";
import { Peer, readDescription } from "./peer.js";
import { canMeet } from "./tabs.js";

const HERE = "Linked: Versus, Link, and A on each.";
const CUT = "The link is cut.";
const SILENT = "The other side of the link does not answer.";
const APART = "Windows of this browser cannot connect: it has no BroadcastChannel.";

export class Invitations {
  /** @param {import("./ends.js").Link} link */
  constructor(link) {
    this.link = link;
    this.peer = null;
    const find = (id) => document.getElementById(id);
    this.told = find("told-shown");
    this.state = find("link-state");
    find("invite").addEventListener("click", () => this.attempt(() => this.invite()));
    const sent = find("sent");
    sent.addEventListener("input", ({ data, inputType }) => {
      // Letter by letter it is whole at the last one.
      const typed = data?.length === 1 || inputType?.startsWith("delete");
      this.attempt(() => this.read(sent, !typed));
    });
    sent.addEventListener("change", () => this.attempt(() => this.read(sent, true)));
    // Else the other one would wait for half a minute.
    window.addEventListener("pagehide", () => this.peer?.close());
    if (!canMeet()) this.say(APART);
    this.server = find("server");
    this.server.value = recall("server", "");
    this.server.addEventListener("change", () => remember("server", this.server.value.trim()));
    this.camera = new Camera(find("seen"));
    const scan = find("scan");
    Camera.canRead().then((can) => (scan.hidden = !can));
    scan.addEventListener("click", () => this.attempt(() => this.scan()));
    find("more").addEventListener("close", () => this.camera.stop());
    const cable = find("cable");
    cable.hidden = !navigator.serial;
    cable.addEventListener("click", () => this.attempt(() => this.plug()));
  }

  async attempt(deed) {
    this.say("");
    try {
      await deed();
    } catch (problem) {
      this.say(`Not linked: ${explain(problem)}.`);
    }
  }

  say(line) {
    this.state.textContent = line;
  }

  makePeer() {
    const server = this.server.value.trim();
    if (server) this.say(`Asking ${server}.`);
    if (this.peer !== this.link.end) this.peer?.close(); // nobody found it
    const waver = (heard) => this.link.end === peer && tell(heard ? HERE : SILENT);
    const peer = new Peer(server, this.link.hear, (open) => this.change(peer, open), waver);
    this.peer = peer;
    return peer;
  }

  async invite() {
    await this.give(await this.makePeer().invite());
    this.say("Paste the answer that the other side sends back.");
  }

  /** Take what is in the field; of what is not `whole` nothing is told. */
  async read(field, whole) {
    const text = field.value.trim();
    if (!text) return;
    let description;
    try {
      description = await readDescription(text);
    } catch (problem) {
      if (!whole) return;
      field.select(); // what is put in next takes its place
      throw problem;
    }
    field.value = "";
    await this.take(description);
  }

  /** Take what another player sent: an invitation, or the answer to one. */
  async take(description) {
    if (description.type === "offer") {
      await this.give(await this.makePeer().answer(description));
      this.say("Send this answer back to the other side.");
    } else {
      if (!this.peer?.awaitsAnswer) throw new Error("this answer belongs to an invitation that is closed");
      await this.peer.complete(description);
    }
  }

  /** Show a text in letters and as a QR code. */
  async give(text) {
    const { correction, generate } = await import("../qr.js");
    const code = document.getElementById("code");
    generate(text, { minCorrectionLevel: correction.L }).toCanvas(code, { on: [0, 0, 0], off: [255, 255, 255] });
    this.told.hidden = false;
    code.scrollIntoView({ block: "nearest" });
    await handOut("told", text, { text });
  }

  /** Take what another player shows. */
  async scan() {
    const text = await this.camera.read();
    if (text) await this.take(await readDescription(text));
  }

  async plug() {
    const cable = await Cable.open(navigator.serial, this.link.hear, () => this.change(cable, false));
    this.change(cable, true);
  }

  /** Use an end that was found, or another one where the one in use was lost. */
  change(end, open) {
    if (!open && this.link.end !== end) return;
    this.link.use(open ? end : null);
    this.told.hidden = true;
    document.getElementById("more").close();
    tell(open ? HERE : CUT);
  }
}
