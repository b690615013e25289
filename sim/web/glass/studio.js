/** Film a recording on a separate handheld, in a Worker, as fast as possible. */

import { Film } from "./film.js";
import { FRAME_MS } from "../device/frames.js";
import { Handheld } from "../device/handheld.js";
import { fetchParts, fetchRest, start } from "../device/interpreter.js";
import { explain } from "../menus/notice.js";
import { FILES, POWER_ON_MS } from "../tables.js";

const TELL_EVERY = 600; // frames

/**
 * @param {Uint8Array} recording
 * @param {keyof typeof import("../tables.js").PALETTES} colour
 */
async function film(recording, colour) {
  let passed = 0;
  const host = { now_ms: () => (POWER_ON_MS + passed) % 2 ** 29, keep: () => 5, keep_game: () => 0, draw_chance: () => 0, read_day: () => 0 };
  const handheld = new Handheld(await start({ ...(await fetchParts(FILES)), host }));
  handheld.complete(await fetchRest());
  handheld.switchOn({ recording });
  const made = new Film(3, colour);
  for (let frame = 0; ; frame++) {
    passed = Math.floor(frame * FRAME_MS);
    handheld.step();
    const done = handheld.watched;
    if (done < 0) continue; // the recording is still being loaded
    made.see(handheld.picture, passed);
    if (done === 100) break;
    if (frame % TELL_EVERY === 0) postMessage({ done });
  }
  return made.end();
}

onmessage = async ({ data }) => {
  try {
    postMessage({ gif: await film(data.recording, data.colour) });
  } catch (problem) {
    postMessage({ problem: explain(problem) });
  }
};
