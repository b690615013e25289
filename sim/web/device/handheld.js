/** The page's half of the Device: memory that it shares with sim/web/handheld.py, and calls of small integers. */

import { CAPACITY, LARGEST, LINK_BYTES, PLACES, STATE } from "../tables.js";

const PICTURE_BYTES = 1024;

export class Handheld {
  /** @param {Python} python an interpreter, see interpreter.js, whose host may ask this one for bank() */
  constructor(python) {
    this.python = python;
    this.module = python._module;
    python.runPython("from sim.web import handheld");
    /** @type {Program} */
    this.program = python.globals.get("handheld");
    /** @type {Record<number, Int32Array>} */
    this.views = {};
    /** @type {ArrayBuffer|null} whose memory the views are of */
    this.buffer = null;
    this.step = this.program.step;
    this.addresses = [...new Int32Array(this.heap.buffer, this.program.places(), Object.keys(PLACES).length)];
  }

  /** The interpreter's memory; another one after it grew. */
  get heap() {
    return this.module.HEAPU8;
  }

  /** The 1024 bytes of the picture, row after row, the least bit leftmost. */
  get picture() {
    const at = this.addresses[PLACES.CANVAS] + 1;
    return this.heap.subarray(at, at + PICTURE_BYTES);
  }

  /**
   * @param {number} number of a bank; its bytes are to be written before switchOn()
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
   * Give the handheld an edge of a button; what is more than CAPACITY between two frames is lost.
   * @param {number} control
   * @param {boolean} pressed
   * @param {number} tMs
   */
  move(control, pressed, tMs) {
    const state = this.state;
    if (state[STATE.WRITTEN] - state[STATE.TAKEN] >= CAPACITY) return;
    const at = 2 * (state[STATE.WRITTEN] % CAPACITY);
    const edges = this.words(PLACES.EDGES, 2 * CAPACITY);
    edges[at] = control | (pressed ? 8 : 0);
    edges[at + 1] = tMs;
    state[STATE.WRITTEN]++;
  }

  /**
   * Give the handheld bytes of its link; what finds no room, or nobody who listens, is lost as on a wire.
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

  /** @returns {Uint8Array<ArrayBuffer>} what the handheld said over its link since it was asked last */
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
   * @param {Uint8Array|null} [how.recording] to be watched, which check() found sound
   * @param {boolean} [how.calm] spare whoever never chose flashes and motion
   * @param {number} [how.seed] of the next game
   */
  switchOn({ recording = null, calm = false, seed = -1 } = {}) {
    this.program.begin(recording ? this.put(recording) : 0, calm ? 1 : 0, seed);
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {string} why these bytes are no recording that can be watched; "" where they are one
   */
  check(bytes) {
    if (bytes.length > LARGEST) return "the recording is too long for a handheld";
    return this.text(this.program.check(this.put(bytes)));
  }

  /** Go to LINK, where devices meet, unless a match with others goes on. */
  openLink() {
    this.program.open_link();
  }

  /**
   * Show a recording that check() found sound.
   * @param {Uint8Array} bytes
   */
  watch(bytes) {
    this.program.watch(this.put(bytes));
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {string} the result line of a recorded daily game, as tools/daily.py checks it, or why there is none
   */
  prove(bytes) {
    return this.text(this.program.write_daily_line(this.put(bytes)));
  }

  /**
   * Have the game in progress go on with what was noted of it, as host.keep_game() was given it.
   * @param {Uint8Array} noted
   */
  revive(noted) {
    if (noted.length <= LARGEST) this.program.revive(this.put(noted));
  }

  /**
   * @returns {Uint8Array<ArrayBuffer>|null} the game in play or watched, else the last one; empty where there is none yet, null where
   * what is played went on without what was noted before
   */
  record() {
    const length = this.program.write_recording();
    return length < 0 ? null : this.blob(length).slice();
  }

  /** @returns {string} the result of the game that is over: a number, and how it is written */
  get result() {
    return this.text(this.program.result());
  }

  /** How many percent of a recording were shown; -1 where it is still read, or nothing is watched. */
  get watched() {
    return this.program.watched();
  }

  /** @returns {string} the name of the scene on the screen */
  get scene() {
    return this.text(this.program.name());
  }

  /**
   * @param {Uint8Array} bytes
   * @returns {number} how many these are
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
