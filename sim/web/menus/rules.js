/** Copy, share and load the rules of the handheld as a line: a part of the dialog's section about sharing. */

import { find } from "./element.js";
import { shareText } from "./sharing.js";

const MARK = "#rules=";
const OPENS = /^#rules(=|%3D)/i; // some messengers escape it

export class Rules {
  /** @param {import("./more.js").More} more */
  constructor(more) {
    this.more = more;
    this.field = find("rules", HTMLInputElement);
    this.line = "";
    find("copy-rules", HTMLElement).addEventListener("click", () => shareText("rules", this.line, { text: this.line }));
    find("share-rules", HTMLElement).addEventListener("click", () => {
      const url = new URL(MARK + this.line, location.href).href;
      shareText("rules", url, { title: "Skyline", url });
    });
    this.field.addEventListener("change", () => this.load(this.field.value));
    this.field.addEventListener("input", (event) => {
      if (/** @type {InputEvent} */ (event).inputType === "insertFromPaste") this.load(this.field.value);
    });
  }

  /** Show the line of the current rules, if the handheld shows a menu. */
  show() {
    this.line = this.field.value = this.more.session.handheld.rules;
    for (const id of ["copy-rules", "share-rules"]) find(id, HTMLButtonElement).disabled = !this.line;
  }

  /**
   * Load the line in a text.
   * @param {string} text
   */
  load(text) {
    this.more.session.leave();
    const problem = this.more.session.handheld.loadRules(text);
    this.more.say(problem && `These rules cannot be loaded: ${problem}.`);
  }

  /**
   * @param {string} fragment of an address
   * @returns {boolean} whether it holds rules
   */
  open(fragment) {
    if (!OPENS.test(fragment)) return false;
    history.replaceState(null, "", location.pathname + location.search);
    this.load(fragment);
    return true;
  }
}
