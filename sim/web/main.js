/** Put the handheld into the page: this is what runs first. */

import { Clock } from "./device/clock.js";
import { Invitations } from "./link/invitations.js";
import { Keyboard } from "./input/keyboard.js";
import { feel } from "./input/layout.js";
import { look } from "./saves/library.js";
import { More } from "./menus/more.js";
import { explain, tell } from "./menus/notice.js";
import { keepOffline } from "./offline/offline.js";
import { switchOn } from "./device/power.js";
import { Presence } from "./device/presence.js";
import { Session } from "./device/session.js";
import { STATE } from "./tables.js";
import { Toolbar } from "./menus/toolbar.js";
import { Touch } from "./input/touch.js";

async function main() {
  performance.mark("script");
  const clock = new Clock();
  const { handheld, recording, alone } = await switchOn(clock);
  const session = new Session(handheld, clock, document.getElementById("glass"));
  const { contacts, speaker } = session;
  const presence = new Presence(clock, session);
  new Keyboard(window, contacts, session);
  const touch = new Touch(document.querySelector("main"), contacts, feel);
  contacts.show = (control, pressed) => touch.light(control, pressed);
  for (const kind of ["pointerdown", "pointerup", "keydown"]) {
    window.addEventListener(kind, () => speaker.resume(), { capture: true });
  }
  session.run(() => {
    presence.keepAwake(!session.isAtMenu || session.isLinked);
    look(handheld);
  });
  performance.mark("picture");

  new Toolbar(speaker);
  new More(session);
  new Invitations(session.link);
  if (recording) {
    const elsewhere = alone ? "" : " This tab keeps nothing: another one is open.";
    session.introduce(`A game that was shared with you.${elsewhere}`, recording);
  }
  window.addEventListener("hashchange", () => location.reload()); // another game was pasted there
  keepOffline(() => session.leave());
  // For whoever looks in with the browser's console, and for the tests.
  globalThis.skyline = {
    handheld,
    state: (name) => handheld.state[STATE[name]],
    ask: (expression) => handheld.python.runPython(`answer = ${expression}`) ?? handheld.python.globals.get("answer"),
  };
  document.documentElement.dataset.ready = "";
}

main().catch((problem) => {
  console.error(problem);
  tell(`The game could not be started: ${explain(problem)}.`);
});
