/** The dialog "More": sharing, the games, playing together, and the page's settings. */

import { adjustLayout } from "../input/layout.js";
import { writeFragment } from "../link/packing.js";
import { recall, remember } from "../saves/choices.js";
import { hasCopy } from "../saves/store.js";
import { LARGEST } from "../tables.js";
import { find } from "./element.js";
import { Games } from "./games.js";
import { download, shareText } from "./sharing.js";
import { explain, tell } from "./notice.js";
import { Rules } from "./rules.js";
import { Sections } from "./sections.js";
import { chooseTheme } from "./theme.js";

const NO_GAME = "There is no game yet. Play one first.";
const NOT_NOTED = "This game has no recording: it continued from a save without one.";
const PROOF = "SKYLINE DAILY";

export class More {
  /** @param {import("../device/session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.dialog = find("more", HTMLDialogElement);
    this.games = new Games(this);
    this.rules = new Rules(this);
    this.sections = new Sections();
    this.shown = () => {}; // called before the dialog is shown
    this.sections.turned = (tab) => {
      find("undo", HTMLElement).hidden = !hasCopy();
      if (tab === "tab-games") this.games.show();
      else this.games.close();
    };
    const file = find("file", HTMLInputElement);
    const clicks = {
      "more-shown": () => this.show(),
      share: () => this.share("link", this.record()),
      "save-sky": () => this.saveRecording(),
      "save-gif": () => this.saveGif(),
      "save-png": () => session.glass.canvas.toBlob((blob) => blob && download(blob, "skyline.png")),
      "save-all": () => this.move((archive) => archive.save(session)),
      undo: () => this.move((archive) => archive.undo(session)),
      open: () => file.click(),
      "open-saves": () => file.click(),
    };
    for (const [id, act] of Object.entries(clicks)) find(id, HTMLElement).addEventListener("click", act);
    file.addEventListener("change", () => {
      this.take(file.files?.[0]);
      file.value = "";
    });
    this.takeDrops();
    adjustLayout();
    chooseTheme();
    this.takeColour(find("colour", HTMLSelectElement));
  }

  /** @param {string} tab the section to show first */
  show(tab = "tab-share") {
    this.session.rest.whenThere(() => this.open(tab));
  }

  /** @param {string} tab */
  open(tab) {
    this.session.leave();
    for (const id of ["link-shown", "game-link-shown", "line-shown"]) find(id, HTMLElement).hidden = true;
    find("by-hand", HTMLElement).textContent = "";
    this.rules.show();
    this.shown();
    this.sections.show(tab);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** @returns {Uint8Array<ArrayBuffer>|null} the game; null after a notice that there is none */
  record() {
    const recording = this.session.handheld.record();
    if (recording?.length) return recording;
    this.say(recording ? NO_GAME : NOT_NOTED);
    return null;
  }

  /** @param {string} line */
  say(line) {
    this.dialog.close();
    tell(line);
  }

  /**
   * @param {string} field that shows the link
   * @param {Uint8Array<ArrayBuffer>|null} recording
   */
  async share(field, recording) {
    if (!recording) return;
    const link = new URL(await writeFragment(recording), location.href).href;
    await shareText(field, link, { title: "Skyline", url: link });
  }

  /**
   * Share the result line of a daily game, or show why there is none.
   * @param {string} name
   * @param {Uint8Array} recording
   */
  async prove(name, recording) {
    const line = this.session.handheld.prove(recording);
    if (line.startsWith(PROOF)) await shareText("line", line, { text: line });
    else this.say(`${name}: ${line}.`);
  }

  saveRecording() {
    const recording = this.record();
    if (recording) download(new Blob([recording]), "game.sky");
  }

  saveGif() {
    const recording = this.record();
    if (!recording) return;
    this.dialog.close();
    tell("Making the GIF.", true);
    const studio = new Worker(new URL("studio.js", import.meta.url), { type: "module" });
    studio.onerror = () => tell("The GIF failed: its script cannot be loaded.");
    studio.onmessage = ({ data }) => {
      if (data.done !== undefined) {
        tell(`Making the GIF: ${data.done} %.`, true);
        return;
      }
      studio.terminate();
      tell(data.problem ? `The GIF failed: ${data.problem}.` : "");
      if (data.gif) download(data.gif, "game.gif");
    };
    studio.postMessage({ recording, colour: this.session.glass.colour });
  }

  /**
   * Load the script that saves and loads all in one file.
   * @param {(archive: typeof import("../saves/archive.js")) => unknown} act
   */
  async move(act) {
    this.dialog.close();
    try {
      act(await import("../saves/archive.js"));
    } catch {
      tell("This part of Skyline cannot be loaded. Go online and try again.");
    }
  }

  /**
   * Watch a recording, or offer to load all from an archive.
   * @param {File|undefined} file
   */
  async take(file) {
    if (!file) return;
    this.dialog.close();
    try {
      if (/^(PK|SKYL)/.test(await file.slice(0, 4).text())) this.move((archive) => archive.open(this.session, file));
      else {
        const bytes = new Uint8Array(await file.slice(0, LARGEST + 1).arrayBuffer());
        this.watch(file.name, bytes);
      }
    } catch (problem) {
      tell(`${file.name}: ${explain(problem)}.`);
    }
  }

  /**
   * Watch a recording, or show its fault.
   * @param {string} name
   * @param {Uint8Array} recording
   */
  watch(name, recording) {
    const { session } = this;
    this.dialog.close();
    session.rest.whenThere(() => {
      const problem = session.handheld.check(recording);
      if (problem) {
        tell(`${name}: ${problem}.`);
        return;
      }
      session.leave();
      session.handheld.watch(recording);
      session.introduce(`This is ${name}.`, recording);
    });
  }

  takeDrops() {
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      this.take(event.dataTransfer?.files[0]);
    });
  }

  /** @param {HTMLSelectElement} list */
  takeColour(list) {
    const apply = () => {
      this.session.glass.colour = /** @type {keyof typeof import("../tables.js").PALETTES} */ (list.value);
      this.session.draw();
    };
    list.value = recall("colour", list.value);
    if (!list.value) list.selectedIndex = 0;
    apply();
    list.addEventListener("change", () => {
      remember("colour", list.value);
      apply();
    });
  }
}
