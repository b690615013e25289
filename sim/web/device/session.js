/** Run one handheld from frame to frame: buttons in, a picture and a tone out. */

import { Contacts, PAUSE } from "../input/contacts.js";
import { Link } from "../link/link.js";
import { Frames } from "./frames.js";
import { Gamepads } from "../input/gamepads.js";
import { Glass } from "../glass/glass.js";
import { offer, tell } from "../menus/notice.js";
import { Rest } from "./rest.js";
import { Speaker } from "./speaker.js";
import { STATE } from "../tables.js";

const FORMAT_AT = 3; // in a recording
const LINKED = 5; // the format of a match with other devices

export class Session {
  /**
   * @param {import("./handheld.js").Handheld} handheld
   * @param {import("./clock.js").Clock} clock
   * @param {HTMLCanvasElement} canvas its grandparent limits its size
   * @param {boolean} isWhole whether the handheld has the rest of its firmware
   */
  constructor(handheld, clock, canvas, isWhole) {
    this.handheld = handheld;
    this.rest = new Rest(handheld, isWhole);
    this.contacts = new Contacts((control, pressed, t) => {
      if (pressed) this.isAway = false;
      handheld.move(control, pressed, clock.ticks(t));
    });
    this.gamepads = new Gamepads(this.contacts, () => this.isAtMenu, tell);
    this.speaker = new Speaker();
    this.link = new Link(handheld);
    this.glass = new Glass(canvas);
    this.frames = new Frames();
    this.running = true;
    /** Whether a step is running: Firefox fires events in it while localStorage waits for another process. */
    this.isStepping = false;
    this.isLeft = false; // whether such an event called leave()
    this.isAway = false; // whether a pause is due: since leave(), until a game paused or a button was pressed
    this.drawn = "";
    const fit = () => this.fit();
    this.bezel = /** @type {HTMLElement} */ (canvas.parentElement);
    this.room = /** @type {HTMLElement} */ (this.bezel.parentElement);
    new ResizeObserver(fit).observe(this.room);
    window.addEventListener("resize", fit); // also when the window moves to a finer screen
    this.fit();
  }

  /** Whether the buttons lead through menus. */
  get isAtMenu() {
    return this.handheld.state[STATE.AT_MENU] !== 0;
  }

  /** Whether START begins a game again there if it is held. */
  get restarts() {
    return this.handheld.state[STATE.AT_MENU] === 2;
  }

  /** Whether START would pause a game, also in a countdown to it. */
  get isPlaying() {
    return this.handheld.state[STATE.PLAYING] !== 0;
  }

  /** Whether other devices may wait for this handheld. */
  get isLinked() {
    return this.handheld.state[STATE.LINKED] !== 0;
  }

  /**
   * Run frames, sixty a second.
   * @param {() => void} after called after each frame
   */
  run(after) {
    const frame = (/** @type {number} */ now) => {
      if (!this.running) return;
      requestAnimationFrame(frame);
      if (!this.frames.claimFrame(now)) return;
      this.gamepads.poll(performance.now());
      this.step();
      this.draw();
      this.rest.look();
      after();
    };
    frame(performance.now());
  }

  /** Release all buttons. */
  letGo() {
    this.contacts.releaseAll(performance.now());
  }

  /** Pause a game, which saves it, as soon as START does so: a game may still be loading. Release all buttons. */
  leave() {
    this.isLeft = this.isStepping;
    if (this.isLeft) return;
    this.letGo();
    this.isAway = true;
    if (this.running) this.step();
    this.speaker.tone(0, 0);
    this.draw();
  }

  /** Pause the game and open LINK. */
  openLink() {
    this.leave();
    this.handheld.openLink();
  }

  /** Stop the handheld, so that it saves nothing more. */
  stop() {
    this.running = false;
  }

  /**
   * Name the watched recording, and offer to play on from its present moment, except in a linked match.
   * @param {string} line
   * @param {Uint8Array} recording
   */
  introduce(line, recording) {
    const isLinked = recording[FORMAT_AT] === LINKED;
    if (isLinked) tell(line);
    offer(isLinked ? "" : line, "Play on", () => {
      if (this.handheld.watched >= 0) this.press(PAUSE);
    });
  }

  /**
   * Press and release a button.
   * @param {number} control
   */
  press(control) {
    this.contacts.tap(control, performance.now());
  }

  step() {
    if (this.isStepping) return;
    this.isStepping = true;
    const pauses = this.isAway && this.isPlaying;
    if (pauses) this.press(PAUSE);
    try {
      this.handheld.step();
    } catch (problem) {
      this.stop();
      console.error(problem);
      tell("The game stopped with an error. Reload the page to continue. Your saves are safe.", true);
    }
    this.isStepping = false;
    if (pauses) this.isAway = this.isPlaying;
    this.link.carry();
    const { state } = this.handheld; // after the step: memory that grew has a new array
    this.speaker.tone(this.running ? state[STATE.HZ] : 0, state[STATE.DUTY]);
    if (this.isLeft) this.leave();
  }

  /** Draw the picture if anything changed. */
  draw() {
    const { glass, handheld } = this;
    const { state } = handheld;
    const shown = [STATE.PICTURE, STATE.CONTRAST, STATE.ASLEEP, STATE.TURNED].map((at) => state[at]);
    const seen = [...shown, glass.scale, glass.colour].join();
    if (seen === this.drawn) return;
    this.drawn = seen;
    glass.draw(state[STATE.ASLEEP] ? null : handheld.picture, state[STATE.CONTRAST], state[STATE.TURNED] !== 0);
  }

  fit() {
    const { clientWidth, clientHeight } = this.room;
    const { paddingLeft, paddingTop, paddingBottom } = getComputedStyle(this.bezel);
    const [side, top, chin] = [paddingLeft, paddingTop, paddingBottom].map(parseFloat);
    this.glass.fit(clientWidth - 2 * side, clientHeight - top - chin, window.devicePixelRatio);
    this.draw();
  }
}
