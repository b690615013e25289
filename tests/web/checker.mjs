/**
 * Check one settings.toml as the page for builders does, in Node.
 *
 *     node checker.mjs APP PROGRAM IMAGE SETTINGS RECORD    the unpacked image; RECORD is the board's profile as JSON
 */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [app, program, image, settings, record] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${app}/${name}`).href);
const { FILES } = await load("tables.js");
const { loadMicroPython } = await load(`device/${FILES.micropython}`);
const { start } = await load("device/interpreter.js");
const python = await start({ loadMicroPython, program, firmware: new Uint8Array(readFileSync(image)), host: {} });
python.runPython("from sim.web.builder import check");
console.log(python.globals.get("check")(settings, record));
