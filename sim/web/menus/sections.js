/** Show one section of the dialog at a time, by tabs. */

import { find } from "./element.js";

export class Sections {
  constructor() {
    /** @type {HTMLElement[]} */
    this.tabs = [...document.querySelectorAll("[role=tab]")].filter((tab) => tab instanceof HTMLElement);
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.show(tab.id));
      tab.addEventListener("keydown", ({ key }) => {
        const way = { ArrowLeft: -1, ArrowRight: 1 }[key];
        if (!way) return;
        const next = this.tabs[(this.tabs.indexOf(tab) + way + this.tabs.length) % this.tabs.length];
        this.show(next.id);
        next.focus();
      });
    }
    /** Called with the id of the shown tab. */
    this.turned = (/** @type {string} */ _id) => {};
  }

  /** @param {string} id of a tab */
  show(id) {
    for (const tab of this.tabs) {
      const chosen = tab.id === id;
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen ? 0 : -1;
      find(tab.getAttribute("aria-controls") ?? "", HTMLElement).hidden = !chosen;
    }
    this.turned(id);
  }
}
