/** Put the handheld into the page; this script runs first. */

import { Clock } from "./device/clock.js";
import { PageLifecycle } from "./device/page_lifecycle.js";
import { Session } from "./device/session.js";
import { pause, switchOn } from "./device/startup.js";
import { Keyboard } from "./input/keyboard.js";
import { Keys } from "./input/keys.js";
import { feel } from "./input/layout.js";
import { Touch } from "./input/touch.js";
import { Invitations } from "./link/invitations.js";
import { readPlayer } from "./link/packing.js";
import { Announcer } from "./menus/announcer.js";
import { find } from "./menus/element.js";
import { drawLegend } from "./menus/legend.js";
import { More } from "./menus/more.js";
import { explain, tell } from "./menus/notice.js";
import { wearTheme } from "./menus/theme.js";
import { Toolbar } from "./menus/toolbar.js";
import { keepOffline, keepRest } from "./offline/offline.js";
import { look } from "./saves/library.js";
import { STATE } from "./tables.js";

async function main() {
  performance.mark("script");
  wearTheme();
  const clock = new Clock();
  const keys = new Keys();
  const { handheld, isWhole, recording, remind } = await switchOn(clock, keys);
  const session = new Session(handheld, clock, find("glass", HTMLCanvasElement), isWhole);
  const { contacts, glass, speaker } = session;
  const lifecycle = new PageLifecycle(clock, session);
  const announcer = new Announcer(handheld, find("said", HTMLElement), glass.canvas);
  announcer.offer(find("ear", HTMLElement), keys, () => session.leave());
  new Keyboard(window, keys, contacts, session);
  const place = /** @type {HTMLElement} */ (document.querySelector("main"));
  const touch = new Touch(place, contacts, feel, () => handheld.state[STATE.SWITCH] !== 0);
  contacts.show = (control, pressed) => touch.light(control, pressed);
  for (const kind of ["pointerdown", "pointerup", "keydown"]) {
    window.addEventListener(kind, () => speaker.resume(), { capture: true });
  }
  const half = find("half", HTMLElement);
  const friend = find("friend", HTMLElement);
  await pause();
  session.run(() => {
    lifecycle.keepAwake(!session.isAtMenu || session.isLinked);
    friend.hidden = handheld.state[STATE.AT_MENU] !== 1 || session.isLinked; // in no pause, in no countdown
    half.hidden = !handheld.state[STATE.HALF_TURNS];
    if (look(handheld)) {
      keepRest();
      remind();
    }
    announcer.look();
  });
  performance.mark("picture");

  await pause();
  drawLegend(keys);
  new Toolbar(speaker);
  keys.changed = () => {
    drawLegend(keys);
    window.dispatchEvent(new Event("resize")); // it may be wider
  };
  const more = new More(session);
  friend.addEventListener("click", () => more.show("tab-together"));
  const invitations = new Invitations(session.link, more, () => session.openLink());
  if (recording && !readPlayer(location.hash)) {
    session.introduce("A game that was shared with you.", recording);
  }
  const open = () => more.rules.open(location.hash) || invitations.open(location.hash);
  open();
  // The player pasted a link with another game, with rules, or with an answer.
  window.addEventListener("hashchange", () => session.rest.whenThere(() => open() || location.reload()));
  keepOffline(() => session.leave());
  // For the browser's console and for the tests.
  globalThis.skyline = {
    handheld,
    state: (/** @type {keyof typeof STATE} */ name) => handheld.state[STATE[name]],
    ask: (/** @type {string} */ expression) =>
      handheld.python.runPython(`answer = ${expression}`) ?? handheld.python.globals.get("answer"),
  };
  document.documentElement.dataset.ready = "";
  session.rest.load().catch((problem) => console.info("The rest of Skyline is loaded when it is needed:", explain(problem)));
}

main().catch((problem) => {
  console.error(problem);
  tell(`The game could not be started: ${explain(problem)}. Reload the page to try again.`, true);
});
