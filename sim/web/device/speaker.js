/** Sound the buzzer: a square wave of any width that begins, changes and ends without a click. */

const PEAK = 0.15; // as loud as a piezo on a desk
const FADE_S = 0.004;
const HARMONICS = 64;
const FULL_DUTY = 65536;
const LOUDEST_HZ = 20000;

/**
 * @param {BaseAudioContext} context
 * @param {number} duty
 * @returns {PeriodicWave} a band-limited pulse without an offset that is high for `duty` of 65536
 */
function pulse(context, duty) {
  const cosines = new Float32Array(HARMONICS);
  for (let n = 1; n < HARMONICS; n++) cosines[n] = (4 / (n * Math.PI)) * Math.sin((n * Math.PI * duty) / FULL_DUTY);
  return context.createPeriodicWave(cosines, new Float32Array(HARMONICS), { disableNormalization: true });
}

/** @typedef {{ oscillator: OscillatorNode, gain: GainNode, hz: number }} Voice */

export class Speaker {
  /** @param {() => AudioContext} make called at the first touch, because a browser is silent before */
  constructor(make = () => new AudioContext({ latencyHint: "interactive" })) {
    this.make = make;
    /** @type {AudioContext|null} */
    this.context = null;
    /** @type {Map<number, Voice>} by duty, which sets the volume */
    this.voices = new Map();
    /** @type {Voice|null} */
    this.sounding = null;
    this.muted = false;
  }

  /** Begin, or continue after the system stopped the sound; call this in an event of the player. */
  resume() {
    try {
      this.context ??= this.make();
      if (this.context.state !== "running") this.context.resume?.().catch(() => {});
    } catch {
      this.muted = true; // this device has no sound
    }
  }

  /**
   * Sound a tone from now on.
   * @param {number} hz 0 for silence
   * @param {number} duty 0..65535
   */
  tone(hz, duty) {
    if (!this.context) return;
    const now = this.context.currentTime;
    const audible = !this.muted && hz >= 20 && hz <= LOUDEST_HZ && duty > 0 && duty < FULL_DUTY;
    const voice = audible ? this.voice(this.context, duty) : null;
    if (voice) {
      if (voice.hz !== hz) voice.oscillator.frequency.setValueAtTime(hz, now);
      voice.hz = hz;
    }
    if (voice === this.sounding) return;
    if (this.sounding) fade(this.sounding.gain.gain, 0, now);
    if (voice) fade(voice.gain.gain, PEAK, now);
    this.sounding = voice;
  }

  /** @param {boolean} muted */
  mute(muted) {
    this.muted = muted;
    if (muted) this.tone(0, 0);
  }

  /**
   * @param {AudioContext} context
   * @param {number} duty
   */
  voice(context, duty) {
    let voice = this.voices.get(duty);
    if (!voice) {
      const oscillator = context.createOscillator();
      const gain = context.createGain();
      oscillator.setPeriodicWave(pulse(context, duty));
      gain.gain.value = 0;
      oscillator.connect(gain).connect(context.destination);
      oscillator.start();
      voice = { oscillator, gain, hz: 0 };
      this.voices.set(duty, voice);
    }
    return voice;
  }
}

/**
 * Move a gain smoothly to `level`, in a few periods of the lowest notes.
 * @param {AudioParam} gain
 * @param {number} level
 * @param {number} now
 */
function fade(gain, level, now) {
  gain.cancelScheduledValues(now);
  gain.setTargetAtTime(level, now, FADE_S / 3);
}
