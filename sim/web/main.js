/** Put the handheld into the page: this is what runs first. */

import { Clock } from "./clock.js";
import { Contacts, PAUSE } from "./contacts.js";
import { Frames } from "./frames.js";
import { Gamepads } from "./gamepads.js";
import { Glass } from "./glass.js";
import { Handheld } from "./handheld.js";
import { fetchParts, start } from "./interpreter.js";
import { Keyboard } from "./keyboard.js";
import { feel } from "./layout.js";
import { readFragment } from "./link.js";
import { More } from "./more.js";
import { offer, tell } from "./notice.js";
import { keepOffline } from "./offline.js";
import { Presence } from "./presence.js";
import { Speaker } from "./speaker.js";
import { BANKS, Store } from "./store.js";
import { BANK_BYTES, FILES, STATE } from "./tables.js";
import { Touch } from "./touch.js";
import { Toolbar } from "./toolbar.js";

const element = (id) => document.getElementById(id);

/** @returns {object} what MicroPython asks of the page: an exception would pass through it unseen, so there is none */
function makeHost(clock, store, find) {
  const safe = (what, otherwise) => (...values) => {
    try {
      return what(...values);
    } catch (problem) {
      console.error(problem);
      return otherwise;
    }
  };
  return {
    now_ms: safe(() => clock.ticks(), 0),
    keep: safe((number) => store.keep(number, find().bank(number, BANK_BYTES)), 5),
    draw_chance: safe(() => crypto.getRandomValues(new Uint32Array(1))[0] >>> 2, 0),
  };
}

/** @returns {Storage|null} null where the player lets no page keep anything */
function findStorage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** @returns {Promise<Uint8Array|null>} the recording that an address holds; what is wrong with it is told */
async function readShared(fragment, handheld) {
  try {
    const recording = await readFragment(fragment);
    const problem = recording && handheld.check(recording);
    if (problem) throw new Error(problem);
    return recording;
  } catch (problem) {
    tell(`This link shows no game: ${problem.message}.`);
    return null;
  }
}

function offerToPlayOn(contacts) {
  offer("Somebody shared this game with you.", "Play on from here", () => contacts.tap(PAUSE, performance.now()));
}

async function main() {
  performance.mark("script");
  const clock = new Clock();
  const store = new Store(findStorage());
  store.complain = tell;
  let handheld = null;
  const parts = await fetchParts(FILES);
  handheld = new Handheld(await start({ ...parts, host: makeHost(clock, store, () => handheld) }));
  URL.revokeObjectURL(parts.program);
  for (let number = 0; number < BANKS; number++) {
    const kept = store.load(number);
    if (kept) handheld.bank(number, BANK_BYTES).set(kept);
  }
  const shared = await readShared(location.hash, handheld);
  handheld.begin({ recording: shared, calm: matchMedia("(prefers-reduced-motion: reduce)").matches });

  const contacts = new Contacts((control, pressed, t) => handheld.move(control, pressed, clock.ticks(t)));
  const isAtMenu = () => handheld.state[STATE.AT_MENU] !== 0;
  const isPlaying = () => handheld.state[STATE.PLAYING] !== 0;
  const speaker = new Speaker();
  const glass = new Glass(element("glass"));
  const gamepads = new Gamepads(contacts, isAtMenu);
  const frames = new Frames();
  new Toolbar(speaker);
  const touch = new Touch(document.querySelector("main"), contacts, feel);
  new Keyboard(window, contacts, isAtMenu);
  contacts.show = (control, pressed) => touch.light(control, pressed);
  for (const kind of ["pointerdown", "pointerup", "keydown"]) window.addEventListener(kind, () => speaker.resume(), true);

  let running = true;
  const step = () => {
    try {
      handheld.step();
    } catch (problem) {
      running = false;
      console.error(problem);
      tell("Something went wrong in the game. Reload the page to go on; what was saved is safe.");
    }
    const state = handheld.state;
    speaker.tone(running ? state[STATE.HZ] : 0, state[STATE.DUTY]);
  };

  let drawn = "";
  const draw = () => {
    const state = handheld.state;
    const seen = [STATE.PICTURE, STATE.CONTRAST, STATE.ASLEEP, STATE.TURNED].map((at) => state[at]) + ` ${glass.scale}`;
    if (seen === drawn) return;
    drawn = seen;
    glass.draw(state[STATE.ASLEEP] ? null : handheld.picture, state[STATE.CONTRAST], state[STATE.TURNED] !== 0);
  };

  const presence = new Presence(clock, {
    leave() {
      contacts.releaseAll(performance.now());
      if (isPlaying()) contacts.tap(PAUSE, performance.now());
      if (running) step();
      speaker.tone(0, 0);
      draw();
    },
  });

  const fit = () => {
    const room = element("glass").parentElement;
    glass.fit(room.clientWidth - 4, room.clientHeight - 4, window.devicePixelRatio);
    draw();
  };
  new ResizeObserver(fit).observe(element("glass").parentElement);
  fit();

  const frame = (now) => {
    if (!running) return;
    requestAnimationFrame(frame);
    if (!frames.take(now)) return;
    gamepads.poll(performance.now());
    step();
    draw();
    presence.keepAwake(isPlaying());
  };
  frame(performance.now());
  performance.mark("picture");
  window.addEventListener("hashchange", () => location.reload()); // another game was pasted there
  new More({
    handheld,
    glass,
    leave: () => presence.leave(),
    stop: () => (running = false),
    redraw: () => {
      drawn = "";
      fit();
    },
    playOn: () => contacts.tap(PAUSE, performance.now()),
  });
  if (shared) offerToPlayOn(contacts);
  document.documentElement.dataset.ready = "";
  keepOffline(() => presence.leave());
  // For whoever looks in with the browser's console, and for the tests.
  globalThis.skyline = {
    handheld,
    scripts: new URL(".", import.meta.url).href,
    state: (name) => handheld.state[STATE[name]],
    ask: (expression) => handheld.python.runPython(`answer = ${expression}`) ?? handheld.python.globals.get("answer"),
  };
}

main().catch((problem) => {
  console.error(problem);
  tell(`The game could not be started: ${problem.message}.`);
});
