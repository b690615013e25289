/** The page's own buttons, and their saved states. */

import { recall, remember } from "../saves/choices.js";
import { find } from "./element.js";

const DESK = "(min-aspect-ratio: 1/1) and (min-height: 541px) and (pointer: fine)"; // as in style.css
const BODY_PX = 40; // free space beside the handheld

/** @returns {boolean} whether the legend fits to the right of the handheld */
function fits() {
  const root = document.documentElement;
  if (!matchMedia(DESK).matches) return false;
  const legend = find("legend", HTMLElement);
  const { hidden } = legend;
  legend.hidden = false;
  root.classList.add("beside");
  const { offsetWidth, scrollHeight } = legend;
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const room = innerWidth - offsetWidth - BODY_PX >= main.scrollWidth && scrollHeight <= innerHeight - main.offsetTop;
  legend.hidden = hidden;
  return room && main.offsetWidth >= main.scrollWidth;
}

export class Toolbar {
  /** @param {import("../device/speaker.js").Speaker} speaker */
  constructor(speaker) {
    this.takeLegend(find("keys-shown", HTMLElement), find("legend", HTMLElement));
    this.takeMenu(find("menu-shown", HTMLElement));
    this.takeFullscreen(find("fullscreen", HTMLElement));
    const sound = find("sound", HTMLElement);
    const setSound = (/** @type {boolean} */ on) => {
      speaker.mute(!on);
      sound.ariaPressed = String(on);
      remember("sound", on);
    };
    setSound(recall("sound", true));
    sound.addEventListener("click", () => setSound(speaker.muted));

    // After a mouse click the keys control the game again. After a key press the button keeps the focus.
    for (const button of document.querySelectorAll("body > :not(dialog) button")) {
      button.addEventListener("click", (event) => {
        if (event instanceof MouseEvent && event.detail && button instanceof HTMLElement) button.blur();
      });
    }
  }

  /**
   * Connect the legend's button. A legend that covers the game is not remembered as open.
   * @param {HTMLElement} keys
   * @param {HTMLElement} legend
   */
  takeLegend(keys, legend) {
    let beside = false;
    const show = (/** @type {boolean} */ shown) => {
      legend.hidden = !shown;
      keys.ariaExpanded = String(shown);
    };
    const measure = () => {
      beside = fits();
      document.documentElement.classList.toggle("beside", beside);
      show(beside && recall("keys", matchMedia("(pointer: fine)").matches));
    };
    measure();
    window.addEventListener("resize", () => {
      if (beside !== fits()) measure();
      else document.documentElement.classList.toggle("beside", beside);
    });
    legend.addEventListener("click", () => beside || show(false));
    keys.addEventListener("click", () => {
      show(Boolean(legend.hidden));
      if (beside) remember("keys", !legend.hidden);
    });
  }

  /** @param {HTMLElement} menu shows the other buttons on a narrow page */
  takeMenu(menu) {
    const open = (/** @type {boolean} */ shown) => (menu.ariaExpanded = String(shown));
    menu.addEventListener("click", () => open(menu.ariaExpanded === "false"));
    for (const kind of ["pointerdown", "keydown", "focusin"]) {
      window.addEventListener(kind, (event) => {
        const inside = event.target instanceof Element && event.target.closest("header") !== null;
        if (!inside || (event instanceof KeyboardEvent && event.key === "Escape")) open(false);
      });
    }
    find("more-shown", HTMLElement).addEventListener("click", () => open(false));
    find("keys-shown", HTMLElement).addEventListener("click", () => open(false));
  }

  /** @param {HTMLElement} button */
  takeFullscreen(button) {
    if (!document.fullscreenEnabled) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
      change.catch(() => {});
    });
    document.addEventListener("fullscreenchange", () => {
      button.ariaPressed = String(Boolean(document.fullscreenElement));
    });
  }
}
