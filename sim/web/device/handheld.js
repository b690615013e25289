/** The page's half of the Device: memory shared with sim/web/handheld.py, and calls with small integers. */

import { CAPACITY, LARGEST, LINK_BYTES, PLACES, STATE } from "../tables.js";

const PICTURE_BYTES = 1024;
const PASTED_LETTERS = 2000; // more than any line of rules has, with what stands around it

export class Handheld {
  /** @param {Python} python an interpreter (interpreter.js); its host may call this object's bank() */
  constructor(python) {
    this.python = python;
    this.module = python._module;
    python.runPython("from sim.web import handheld");
    /** @type {Program} */
    this.program = python.globals.get("handheld");
    /** @type {Record<number, Int32Array>} */
    this.views = {};
    /** @type {ArrayBuffer|null} the memory of the views */
    this.buffer = null;
    this.step = this.program.step;
    this.addresses = [...new Int32Array(this.heap.buffer, this.program.places(), Object.keys(PLACES).length)];
  }

  /** The interpreter's memory; a new array after it grew. */
  get heap() {
    return this.module.HEAPU8;
  }

  /** The 1024 bytes of the picture, row after row, the lowest bit leftmost. */
  get picture() {
    const at = this.addresses[PLACES.CANVAS] + 1;
    return this.heap.subarray(at, at + PICTURE_BYTES);
  }

  /**
   * @param {number} number of a bank; write its bytes before switchOn()
   * @param {number} bytes
   */
  bank(number, bytes) {
    const at = this.addresses[PLACES.BANK0 + number];
    return this.heap.subarray(at, at + bytes);
  }

  /**
   * @param {number} place
   * @param {number} count
   */
  words(place, count) {
    const heap = this.heap;
    if (this.buffer !== heap.buffer) {
      this.buffer = heap.buffer;
      this.views = {};
    }
    return (this.views[place] ??= new Int32Array(heap.buffer, this.addresses[place], count));
  }

  /** The words that memory.STATE names. */
  get state() {
    return this.words(PLACES.STATE, Object.keys(STATE).length);
  }

  /**
   * Give the handheld an edge of a button; edges beyond CAPACITY between two frames are lost.
   * @param {number} control
   * @param {boolean} pressed
   * @param {number} tMs
   */
  move(control, pressed, tMs) {
    const state = this.state;
    if (state[STATE.WRITTEN] - state[STATE.TAKEN] >= CAPACITY) return;
    const at = 2 * (state[STATE.WRITTEN] % CAPACITY);
    const edges = this.words(PLACES.EDGES, 2 * CAPACITY);
    edges[at] = control | (pressed ? 16 : 0);
    edges[at + 1] = tMs;
    state[STATE.WRITTEN]++;
  }

  /**
   * Give the handheld bytes of its link; if it has no room or does not listen, they are lost, as on a wire.
   * @param {Uint8Array} bytes
   */
  receive(bytes) {
    const { state } = this;
    if (!state[STATE.LINKED]) return;
    const count = Math.min(bytes.length, LINK_BYTES - (state[STATE.HEARD] - state[STATE.READ]));
    const at = this.addresses[PLACES.INBOX];
    for (let i = 0; i < count; i++) this.heap[at + ((state[STATE.HEARD] + i) % LINK_BYTES)] = bytes[i];
    state[STATE.HEARD] += count;
  }

  /** @returns {Uint8Array<ArrayBuffer>} the bytes that the handheld sent over its link since the last call */
  takeSaid() {
    const { heap, state } = this;
    const at = this.addresses[PLACES.OUTBOX];
    const from = state[STATE.SENT];
    state[STATE.SENT] = state[STATE.SAID];
    return Uint8Array.from({ length: state[STATE.SAID] - from }, (_, i) => heap[at + ((from + i) % LINK_BYTES)]);
  }

  /**
   * Switch on.
   * @param {object} [how]
   * @param {Uint8Array|null} [how.recording] to watch, which passed check()
   * @param {boolean} [how.calm] turns motion off if no settings are saved
   * @param {number} [how.seed] of the next game
   * @param {number} [how.player] who plays on from the end of the recording at once, from 1; 0 for nobody, -1 for a wrong number
   * @returns {string} why the player cannot, and watches the recording; "" if nothing is wrong
   */
  switchOn({ recording = null, calm = false, seed = -1, player = 0 } = {}) {
    this.program.begin(calm ? 1 : 0, seed);
    if (!recording) return "";
    const length = this.put(recording);
    if (player) return this.text(this.requests.try_again(length, player));
    this.requests.watch(length);
    return "";
  }

  /**
   * Add the rest of the firmware. Until then only a first game can be played, and `requests` must not be used.
   * @param {Uint8Array} image of a file system
   */
  complete(image) {
    const at = this.module._malloc(image.length);
    this.heap.set(image, at);
    this.program.complete(at, image.length);
    this.python.runPython("from sim.web import requests");
    /** @type {Requests} */
    this.requests = this.python.globals.get("requests");
  }

  /** Open the main menu instead of a scene that needs the rest of the firmware. */
  giveUp() {
    this.program.give_up();
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {string} why these bytes are no recording that can be watched; "" if they are one
   */
  check(bytes) {
    if (bytes.length > LARGEST) return "the recording is too long for a handheld";
    return this.text(this.requests.check(this.put(bytes)));
  }

  /** Open LINK, unless it or a linked match is open. */
  openLink() {
    this.program.open_link();
  }

  /**
   * @param {string} name of a screen in requests.py
   * @returns {boolean} whether there is one, which opens
   */
  open(name) {
    return this.requests.open_screen(this.put(new TextEncoder().encode(name))) !== 0;
  }

  /**
   * Show a recording that passed check().
   * @param {Uint8Array} bytes
   */
  watch(bytes) {
    this.requests.watch(this.put(bytes));
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {string} the result line of a recorded daily game, as tools/daily.py checks it, or why there is none
   */
  prove(bytes) {
    return this.text(this.requests.write_daily_line(this.put(bytes)));
  }

  /** @returns {string} the line of the current rules, "" if the scene is no menu */
  get rules() {
    return this.text(this.requests.write_rules());
  }

  /**
   * @param {string} text that holds a line of rules, whose page opens
   * @returns {string} why the line is wrong; "" if it is not
   */
  loadRules(text) {
    return this.text(this.requests.load_rules(this.put(new TextEncoder().encode(text.slice(0, PASTED_LETTERS)))));
  }

  /**
   * Restore the recording of the game in progress, as host.keep_game() received it.
   * @param {Uint8Array} noted
   */
  revive(noted) {
    if (noted.length <= LARGEST) this.program.revive(this.put(noted));
  }

  /**
   * @returns {Uint8Array<ArrayBuffer>|null} the game in play or watched, else the last game; empty if there is none yet, null if
   * the game in play is not recorded from its beginning
   */
  record() {
    const length = this.program.write_recording();
    return length < 0 ? null : this.blob(length).slice();
  }

  /** @returns {string} the result of the finished game: a number, then its text */
  get result() {
    return this.text(this.program.result());
  }

  /** How many percent of a recording were shown; -1 while it is loaded, or if none is watched. */
  get watched() {
    return this.program.watched();
  }

  /** @returns {string} what the game told by ear in this frame, in words */
  get told() {
    return this.text(this.program.told());
  }

  /** @returns {string} what is new on the screen outside play, in words, once two calls found the same there */
  get read() {
    return this.text(this.program.read());
  }

  /** Set BY EAR to ALL. */
  playByEar() {
    this.program.play_by_ear();
  }

  /** @returns {string} the initials of all players of the lobby or linked match, "ANN and BOB" */
  get initials() {
    return this.text(this.program.initials());
  }

  /** @returns {string} the name of the scene on the screen */
  get scene() {
    return this.text(this.program.name());
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {number} their count
   */
  put(bytes) {
    this.blob(bytes.length).set(bytes);
    return bytes.length;
  }

  /** @param {number} length */
  blob(length) {
    const at = this.addresses[PLACES.BLOB];
    return this.heap.subarray(at, at + length);
  }

  /** @param {number} length */
  text(length) {
    return new TextDecoder().decode(this.blob(length));
  }
}
