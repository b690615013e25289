/** Switch the handheld on, with its program, its saves, and the game that a link may hold. */

import { Handheld } from "./handheld.js";
import { fetchParts, fetchRest, start } from "./interpreter.js";
import { explain, offer, tell } from "../menus/notice.js";
import { readFragment, readPlayer, readScreen } from "../link/packing.js";
import { BANKS, claim, Store, waitUntilFree } from "../saves/store.js";
import { BANK_BYTES, FILES, LARGEST } from "../tables.js";

const EIO = 5;
const FREE = "No other tab saves any more. Reload to go on with the saves; what you played here meanwhile is not in them.";

/**
 * @template T
 * @param {(value: number) => T} what to call
 * @param {T} otherwise the result after an exception
 * @returns {(value: number) => T} `what` without exceptions, which MicroPython would not show
 */
function guard(what, otherwise) {
  return (value) => {
    try {
      return what(value);
    } catch (problem) {
      console.error(problem);
      return otherwise;
    }
  };
}

/** @returns {Storage|null} null if the browser's settings forbid storage */
function findStorage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** @returns {boolean} whether the game begins with the title: no link, no save and no choice leads elsewhere */
function isFirstVisit() {
  return !location.hash && !Object.keys(findStorage() ?? {}).some((key) => key.startsWith("skyline"));
}

/**
 * @param {Handheld} handheld
 * @returns {Promise<Uint8Array|null>} the recording in the address, or null; a notice names a fault in it
 */
async function readShared(handheld) {
  try {
    const recording = await readFragment(location.hash, LARGEST);
    const problem = recording && handheld.check(recording);
    if (problem) throw new Error(problem);
    return recording;
  } catch (problem) {
    tell(`This link holds no game: ${explain(problem)}.`);
    return null;
  }
}

const ARROWS = ["<", ">", "DOWN"]; // on the buttons for fingers that have a picture only

/**
 * @param {number} control
 * @param {import("../input/keys.js").Keys} keys
 * @returns {string} its first key, or on a phone or a tablet the words on its button, in letters that a handheld has
 */
function name(control, keys) {
  const button = matchMedia("(pointer: coarse)").matches && document.querySelector(`[data-control="${control}"]`);
  if (button) return button.textContent?.trim() || ARROWS[control];
  return keys.find(control).map((code) => keys.capitals(code))[0] ?? "";
}

/** Let the page take input and draw between two long tasks; no timer, because a test may have stopped timers. */
export function pause() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => done(port1.close());
    port2.postMessage(0);
  });
}

/**
 * @param {import("./clock.js").Clock} clock
 * @param {import("../input/keys.js").Keys} keys
 * @returns {Promise<{handheld: Handheld, isWhole: boolean, recording: Uint8Array|null, remind: () => void}>} isWhole: whether
 *     the handheld has the rest of its firmware; recording: from the link; remind: says that nothing is saved, or that saves
 *     can work again
 */
export async function switchOn(clock, keys) {
  const alone = await claim();
  const store = new Store(findStorage(), (line) => tell(line, true), alone);
  let isFree = false;
  const remind = () => {
    if (isFree) offer(FREE, "Reload", () => location.reload());
    else if (store.unkept) tell(store.unkept, true);
  };
  const free = () => {
    isFree = true;
    tell(""); // what was said before is no longer so
    remind();
  };
  if (!alone) waitUntilFree().then(free);
  /** @type {Handheld} */
  let handheld; // eslint-disable-line prefer-const -- host refers to it before it exists
  const host = {
    now_ms: guard(() => clock.ticks(), 0),
    keep: guard((number) => store.keep(number, handheld.bank(number, BANK_BYTES)), EIO),
    keep_game: guard((length) => store.keepGame(handheld.blob(length)), undefined),
    name_keys: guard((control) => handheld.put(new TextEncoder().encode(keys.find(control).map((code) => keys.capitals(code)).join("  "))), 0),
    name_prompt: guard((control) => handheld.put(new TextEncoder().encode(name(control, keys))), 0),
    reset_keys: guard(() => keys.reset(), undefined),
    draw_chance: guard(() => crypto.getRandomValues(new Uint32Array(1))[0] >>> 2, 0),
    read_day: guard(() => Number(new Date().toLocaleDateString("sv").replaceAll("-", "")), 0),
  };
  const isWhole = !isFirstVisit();
  const [parts, rest] = await Promise.all([fetchParts(FILES), isWhole && fetchRest()]);
  const python = await start({ ...parts, host });
  await pause();
  python.runPython("import firmware.app"); // half of what the handheld imports
  await pause();
  handheld = new Handheld(python);
  if (rest) handheld.complete(rest);
  await pause();
  URL.revokeObjectURL(parts.program);
  for (let number = 0; number < BANKS; number++) {
    const kept = store.load(number);
    if (kept) handheld.bank(number, BANK_BYTES).set(kept);
  }
  const recording = await readShared(handheld);
  const player = readPlayer(location.hash);
  const problem = handheld.switchOn({ recording, player, calm: matchMedia("(prefers-reduced-motion: reduce)").matches });
  if (problem) tell(`You cannot play on from this link, so you watch it: ${problem}.`);
  const screen = readScreen(location.hash);
  if (screen && !handheld.open(screen)) tell("This link names no screen of the handheld.");
  const noted = store.loadGame();
  if (noted) handheld.revive(noted);
  await pause();
  return { handheld, isWhole, recording, remind };
}
