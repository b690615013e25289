/** Play on MicroPython with a virtual clock, as fast as possible, in Node or a browser. */

const FRAME_MS = 50 / 3;

const BUTTONS = 8;
const SOFT_DROP = 2;
const ROTATE_CW = 4;
const WAY = `
menu = getattr(handheld.app.router.scene, "cover", None) or handheld.app.router.scene
way = (menu.lines.index(b'LINE') - menu.at) % len(menu.lines)
`;

const PLACE = `
scene = handheld.app.router.scene
menu = getattr(scene, "cover", None) or scene
names = ("at", "page", "fast", "heading", "asked")
value = menu.value(menu.at) if hasattr(menu, "value") else b""
place = str((handheld.app.router.name, [getattr(menu, name, 0) for name in names], bytes(getattr(menu, "letters", b"")), value))
`;

const TRACE = `
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_trace import Trace
recording = Recording(content)
game = recording.game(make_mode(recording.variant))
game.mode = trace = Trace(game.mode)
player = Player(recording, game)
time_ms = 0
while not player.finished():
    time_ms += 250
    player.advance(time_ms)
outcome = "%08x %d %d %d" % (trace.value, trace.lock_downs, game.score, game.lines)
`;

const TRACE_MATCH = `
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording_trace import Trace
player = MatchPlayer(MatchRecording(content))
match = player.match
rounds = []
while True:
    for seat in match.seats:
        seat.game.mode = Trace(seat)
    while not player.is_round_over():
        player.advance(match.time_ms + 250)
    text = "round %d won by %d at %d" % (match.round, match.winner, match.time_ms)
    for seat in match.seats:
        trace = seat.game.mode
        text += ", %08x %d %d %d" % (trace.value, trace.lock_downs, seat.sent, seat.received)
    rounds.append(text)
    if not player.begin_next():
        break
outcome = chr(10).join(rounds)
`;

/**
 * @param {object} modules interpreter.js, handheld.js and tables.js of the page
 * @param {object} parts of interpreter.js, without a host; rest: of the firmware, if there
 * @param {(bytes: Uint8Array, crc: number) => number} crc32
 */
export async function makePlayer({ start, Announcer, Handheld, BANK_BYTES, POWER_ON_MS, STATE }, parts, crc32) {
  let passedMs = 0;
  let frame = 0;
  const ticks = () => (POWER_ON_MS + passedMs) % 2 ** 29;
  const python = await start({ ...parts, host: { now_ms: ticks, keep: () => 0, keep_game: () => 0, name_keys: () => 0, name_prompt: () => 0, reset_keys: () => 0, draw_chance: () => 0, read_day: () => 0 } });
  const handheld = new Handheld(python);
  if (parts.rest) handheld.complete(parts.rest);
  const memory = handheld.heap.length;

  const said = [];
  const region = { set textContent(line) { said.push(line); } };
  let announcer = new Announcer(handheld, region);

  const find = () => (python.runPython(PLACE), [python.globals.get("place"), handheld.state[STATE.AT_MENU] > 0]);

  /** Do something, and wait in menus until the screen was told; return what was told. */
  const hear = (pressed, act) => {
    const [from, was] = find();
    act();
    for (let rest = 24; rest && handheld.state[STATE.AT_MENU]; rest--) step();
    const [to, is] = find();
    return { pressed, places: [from, to], at_menu: [was, is], said: said.splice(0) };
  };

  const step = () => {
    handheld.step();
    announcer.look();
    frame += 1;
    passedMs = Math.floor(frame * FRAME_MS);
  };

  const trace = (bytes, program) => {
    const problem = handheld.check(bytes);
    if (problem) return { problem };
    python.runPython(`content = bytes(memoryview(handheld.blob)[:${bytes.length}])\n${program}`);
    return { outcome: python.globals.get("outcome") };
  };

  return {
    /** Switch on again, with empty banks. */
    switch_on({ seed = -1, recording = null }) {
      for (const number of [0, 1]) handheld.bank(number, BANK_BYTES).fill(255);
      frame = passedMs = 0;
      handheld.state.fill(0);
      handheld.switchOn({ seed, recording: recording && Uint8Array.from(recording) });
      announcer = new Announcer(handheld, region);
      said.length = 0;
    },

    /** Watch `frames` frames; return the CRC of all their pixels. */
    watch({ frames }) {
      let crc = 0;
      for (let i = 0; i < frames; i++) {
        step();
        crc = crc32(handheld.picture, crc);
      }
      return { crc, scene: handheld.scene, grown: handheld.heap.length - memory };
    },

    /**
     * Press and release buttons one after the other. null waits a moment; a text chooses this line of the open menu.
     * Return the name and the class of the scene at the end.
     */
    press({ controls }) {
      const press = (control) => {
        handheld.move(control, true, ticks());
        step();
        handheld.move(control, false, ticks());
        for (let rest = 3; rest; rest--) step();
      };
      const told = [];
      for (const control of controls) {
        if (control === null) {
          told.push(hear(false, () => { for (let rest = 30; rest; rest--) step(); }));
        } else if (typeof control === "number") {
          told.push(hear(true, () => press(control)));
        } else {
          python.runPython(WAY.replace("LINE", control));
          for (let way = python.globals.get("way"); way; way--) told.push(hear(true, () => press(SOFT_DROP)));
          told.push(hear(true, () => press(ROTATE_CW)));
        }
      }
      python.runPython("kind = type(handheld.app.router.scene).__name__");
      return {
        told,
        scene: handheld.scene,
        kind: python.globals.get("kind"),
        at_menu: handheld.state[STATE.AT_MENU],
        playing: handheld.state[STATE.PLAYING],
      };
    },

    /** Press buttons at random; give up each scene that waits. Return the names of the scenes that opened or waited. */
    wander({ presses, seed }) {
      let noise = seed;
      const draw = (below) => ((noise = (Math.imul(noise, 1103515245) + 12345) >>> 0) >>> 16) % below;
      const opened = new Set();
      const waited = new Set();
      for (let left = presses; left; left--) {
        const control = draw(BUTTONS);
        for (const down of [true, false]) {
          handheld.move(control, down, ticks());
          for (let frames = 1 + draw(20); frames; frames--) step();
        }
        if (handheld.state[STATE.WAITING]) {
          python.runPython("wanted = handheld.app.router.wanted");
          waited.add(python.globals.get("wanted"));
          handheld.giveUp();
          step();
        }
        opened.add(handheld.scene);
      }
      return { opened: [...opened].sort(), waited: [...waited].sort() };
    },

    /** Run frames; return the heap bytes that they allocated. */
    rest({ frames }) {
      const measure = () => (python.runPython("import gc; taken = gc.mem_alloc()"), python.globals.get("taken"));
      python.runPython("import gc; gc.collect()"); // or a collection falls into what is measured
      measure();
      const before = measure();
      for (let i = 0; i < frames; i++) step();
      return { taken: measure() - before, playing: handheld.state[STATE.PLAYING] };
    },

    /** Play a recording without a picture; return its trace, Lock Downs, score and lines, or its fault. */
    trace({ recording }) {
      return trace(Uint8Array.from(recording), TRACE);
    },

    /** Play a recorded match without a picture; return the winner of each round, and each player's trace. */
    trace_match({ recording }) {
      return trace(Uint8Array.from(recording), TRACE_MATCH);
    },
  };
}
