/** The dialog behind "More": games and saves as files, a link, pictures; how the page looks. */

import { recall, remember } from "../saves/choices.js";
import { Games } from "./games.js";
import { adjustLayout } from "../input/layout.js";
import { download, handOut } from "./handout.js";
import { explain, offer, tell } from "./notice.js";
import { writeFragment } from "../link/packing.js";
import { isSaves, packSaves, unpackSaves } from "../saves/saves.js";
import { BANKS, replaceBanks } from "../saves/store.js";
import { BANK_BYTES } from "../tables.js";

const NO_GAME = "There is no game yet. Play one first.";
const NOT_NOTED = "This game has no recording: it continued from a save without one.";
const PROOF = "SKYLINE DAILY";

export class More {
  /** @param {import("../device/session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.dialog = document.getElementById("more");
    this.games = new Games(this);
    const clicks = {
      "more-shown": () => this.show(),
      share: () => this.share(this.record()),
      "save-sky": () => this.saveRecording(),
      "save-gif": () => this.saveGif(),
      "save-png": () => session.glass.canvas.toBlob((blob) => download(blob, "skyline.png")),
      "save-banks": () => this.saveBanks(),
      open: () => document.getElementById("file").click(),
    };
    for (const [id, act] of Object.entries(clicks)) document.getElementById(id).addEventListener("click", act);
    document.getElementById("file").addEventListener("change", (event) => {
      this.open(event.target.files[0]);
      event.target.value = "";
    });
    this.takeDrops();
    adjustLayout();
    this.takeColour(document.getElementById("colour"));
  }

  show() {
    this.session.leave();
    for (const id of ["link-shown", "line-shown"]) document.getElementById(id).hidden = true;
    this.games.close(); // what is in it is read where it is opened
    this.dialog.showModal();
  }

  /** @returns {Uint8Array|null} the game; where there is none that is told */
  record() {
    const recording = this.session.handheld.record();
    if (recording?.length) return recording;
    this.say(recording ? NO_GAME : NOT_NOTED);
    return null;
  }

  say(line) {
    this.dialog.close();
    tell(line);
  }

  async share(recording) {
    if (!recording) return;
    const link = new URL(await writeFragment(recording), location.href).href;
    await handOut("link", link, { title: "Skyline", url: link });
  }

  /** Hand out the line that says what a daily game came to, or tell why it has none. */
  async prove(name, recording) {
    const line = this.session.handheld.prove(recording);
    if (line.startsWith(PROOF)) await handOut("line", line, { text: line });
    else this.say(`${name}: ${line}.`);
  }

  saveRecording() {
    const recording = this.record();
    if (recording) download(new Blob([recording]), "game.sky");
  }

  saveGif() {
    const recording = this.record();
    if (!recording) return;
    this.say("Making the GIF.");
    const studio = new Worker(new URL("studio.js", import.meta.url), { type: "module" });
    studio.onmessage = ({ data }) => {
      if (data.done !== undefined) {
        tell(`Making the GIF: ${data.done} %.`);
        return;
      }
      studio.terminate();
      tell(data.problem ? `The GIF failed: ${data.problem}.` : "");
      if (data.gif) download(data.gif, "game.gif");
    };
    studio.postMessage({ recording, colour: this.session.glass.colour });
  }

  saveBanks() {
    this.session.leave();
    const banks = Array.from({ length: BANKS }, (_, number) => this.session.handheld.bank(number, BANK_BYTES));
    download(new Blob([packSaves(banks)]), "skyline.saves");
  }

  /** Watch a recording, or take saves. */
  async open(file) {
    if (!file) return;
    this.dialog.close();
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (isSaves(bytes)) {
        this.offerSaves(unpackSaves(bytes));
        return;
      }
      this.watch(file.name, bytes);
    } catch (problem) {
      tell(`${file.name}: ${explain(problem)}.`);
    }
  }

  /** Watch a recording, or tell what is wrong with it. */
  watch(name, recording) {
    const { session } = this;
    this.dialog.close();
    const problem = session.handheld.check(recording);
    if (problem) {
      tell(`${name}: ${problem}.`);
      return;
    }
    session.leave();
    session.handheld.watch(recording);
    session.introduce(`This is ${name}.`, recording);
  }

  offerSaves(banks) {
    offer("These saves replace the ones in this browser.", "Take them", () => {
      this.session.leave();
      this.session.stop();
      if (replaceBanks(banks)) location.reload();
      else tell("This browser could not store them.");
    });
  }

  takeDrops() {
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      this.open(event.dataTransfer.files[0]);
    });
  }

  takeColour(select) {
    const apply = () => {
      this.session.glass.colour = select.value;
      this.session.draw();
    };
    select.value = recall("colour", select.value);
    if (!select.value) select.selectedIndex = 0;
    apply();
    select.addEventListener("change", () => {
      remember("colour", select.value);
      apply();
    });
  }
}
