/**
 * Answer a Python process, line by line, what a handheld does in Node.
 *
 *     node node.mjs APP PROGRAM FIRMWARE [REST]    the folder of scripts, micropython.wasm, the unpacked images
 */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";

import { makePlayer } from "./player.js";

const [app, program, ...images] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${app}/${name}`).href);
const tables = await load("tables.js");
const modules = { ...(await load("device/interpreter.js")), ...(await load("device/handheld.js")), ...(await load("menus/announcer.js")), ...tables };
const { loadMicroPython } = await load(`device/${tables.FILES.micropython}`);
const [firmware, rest] = images.map((image) => new Uint8Array(readFileSync(image)));
const parts = { loadMicroPython, program, firmware, rest, print: console.error };
const player = await makePlayer(modules, parts, (bytes, crc) => crc32(bytes, crc));

for await (const line of createInterface({ input: process.stdin })) {
  const { what, ...how } = JSON.parse(line);
  let answer;
  try {
    answer = player[what](how) ?? {};
  } catch (problem) {
    answer = { error: String(problem) };
  }
  console.log(JSON.stringify(answer));
}
