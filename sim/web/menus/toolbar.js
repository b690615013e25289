/** The buttons of the page itself, and what they remember. */

import { recall, remember } from "../saves/choices.js";

export class Toolbar {
  /** @param {import("../device/speaker.js").Speaker} speaker */
  constructor(speaker) {
    const find = (id) => document.getElementById(id);
    const legend = find("legend");
    const keys = find("keys-shown");
    const sound = find("sound");

    // Where the style puts the legend over the game, it shows while it is asked for and no longer.
    const isBeside = () => getComputedStyle(legend).position === "static";
    let beside = isBeside();
    const showKeys = (shown) => {
      legend.hidden = !shown;
      keys.setAttribute("aria-expanded", String(shown));
    };
    const showAtFirst = () => showKeys(beside && recall("keys", matchMedia("(pointer: fine)").matches));
    const setSound = (on) => {
      speaker.mute(!on);
      sound.setAttribute("aria-pressed", String(on));
      remember("sound", on);
    };
    showAtFirst();
    window.addEventListener("resize", () => {
      if (beside === isBeside()) return;
      beside = !beside;
      showAtFirst();
    });
    setSound(recall("sound", true));
    keys.addEventListener("click", () => {
      showKeys(legend.hidden);
      if (beside) remember("keys", !legend.hidden);
    });
    sound.addEventListener("click", () => setSound(speaker.muted));
    this.takeFullscreen(find("fullscreen"));

    // After a click the keys are the game's again; who came by keyboard stays where they are.
    for (const button of document.querySelectorAll("button")) {
      button.addEventListener("click", (event) => {
        if (event.detail) button.blur();
      });
    }
  }

  takeFullscreen(button) {
    if (!document.fullscreenEnabled) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
      change.catch(() => {});
    });
    document.addEventListener("fullscreenchange", () => {
      button.setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
    });
  }
}
