/**
 * Play on MicroPython in Node, with a clock of its own; a Python process asks line by line (tests/test_web_node.py).
 *
 *     node node.mjs APP PROGRAM FIRMWARE    the folder of scripts, micropython.wasm, the unpacked image
 */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";

const [app, program, firmware] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${app}/${name}`).href);

const { BANK_BYTES, FILES, POWER_ON_MS, STATE } = await load("tables.js");
const { start } = await load("interpreter.js");
const { Handheld } = await load("handheld.js");
const { loadMicroPython } = await load(FILES.micropython);

let passedMs = 0;
let kept = 0;
const ticks = () => (POWER_ON_MS + passedMs) % 2 ** 29;
const host = {
  now_ms: ticks,
  keep: () => {
    kept += 1;
    return 0;
  },
  draw_chance: () => 0,
};
const python = await start({ loadMicroPython, program, firmware: new Uint8Array(readFileSync(firmware)), host, print: console.error });
const handheld = new Handheld(python);
let frame = 0;

/** Step once, at sixty frames in a second. */
function step() {
  handheld.step();
  frame += 1;
  passedMs = Math.floor((frame * 50) / 3);
}

const answers = {
  /** Switch on anew, with empty banks. */
  begin({ seed = -1, recording = null }) {
    for (const number of [0, 1]) handheld.bank(number, BANK_BYTES).fill(255);
    frame = passedMs = 0;
    handheld.state.fill(0);
    handheld.begin({ seed, recording: recording && new Uint8Array(readFileSync(recording)) });
  },
  /** Watch to the end; the CRC of all pictures on the way. */
  watch({ frames }) {
    let crc = 0;
    for (let i = 0; i < frames; i++) {
      step();
      crc = crc32(handheld.picture, crc);
    }
    return { crc, scene: handheld.scene };
  },
  /** Press and release buttons one after the other, null for a moment's wait; the scene that is on the screen then. */
  press({ controls, rest = 3 }) {
    for (const control of controls) {
      if (control !== null) handheld.move(control, true, ticks());
      step();
      if (control !== null) handheld.move(control, false, ticks());
      for (let frames = control === null ? 30 : rest; frames; frames--) step();
    }
    const state = handheld.state;
    return { scene: handheld.scene, at_menu: state[STATE.AT_MENU], playing: state[STATE.PLAYING], kept };
  },
  /** Play a recording without a picture: its trace, Lock Downs, score and lines. */
  trace({ recording }) {
    const bytes = new Uint8Array(readFileSync(recording));
    const problem = handheld.check(bytes);
    if (problem) return { problem };
    python.runPython(`content = bytes(memoryview(handheld.blob)[:${bytes.length}])\n${TRACE}`);
    return { outcome: python.globals.get("outcome") };
  },
};

const TRACE = `
from firmware.modes.catalogue import make_mode
from firmware.save.recording import Player, Recording
from firmware.save.recording_trace import Trace
recording = Recording(content)
trace = Trace(make_mode(recording.variant))
game = recording.game(trace)
player = Player(recording, game)
time_ms = 0
while not player.finished():
    time_ms += 250
    player.advance(time_ms)
outcome = "%08x %d %d %d" % (trace.value, trace.lock_downs, game.score, game.lines)
`;

for await (const line of createInterface({ input: process.stdin })) {
  const { what, ...how } = JSON.parse(line);
  let answer;
  try {
    answer = answers[what](how) ?? {};
  } catch (problem) {
    answer = { error: String(problem) };
  }
  console.log(JSON.stringify(answer));
}
