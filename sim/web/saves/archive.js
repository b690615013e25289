/**
 * Save all that this browser keeps to one file, and load one; sim/desktop/archive.py says what is in it. The page loads this
 * script when a player asks for it.
 */

import { BANK_FILES, GAME_FILE, MANIFEST, MOST_BYTES, MOST_GAMES, NAME, SECTION, VERSION } from "../archive_form.js";
import { CHOICE, load } from "../input/keys.js";
import { explain, offer, tell } from "../menus/notice.js";
import { download } from "../menus/sharing.js";
import { BANK_BYTES, KEYS } from "../tables.js";
import { KEY as CHOICES, read } from "./choices.js";
import { MOST, work } from "./library.js";
import { isSaves, unpackSaves } from "./saves.js";
import { decode, encode, GAME, isErased, isReadable, KEY as BANK, REPLACED } from "./store.js";
import { check, packZip, unpackZip } from "./zip.js";

const PICTURE_BYTES = 1024;
const STOPPED = "The handheld has stopped: reload the page to continue.";

/**
 * @typedef {object} Archive
 * @property {Uint8Array[]} banks
 * @property {Uint8Array} [unfinished] the recording of the game in progress
 * @property {Record<string, Record<string, number>>} keys
 * @property {Record<string, unknown>} [choices]
 * @property {Game[]} games
 */

/** @typedef {import("../device/session.js").Session} Session */
/** @typedef {[string, string|null]} Item a key and its text, null for none */

const fileOf = (/** @type {string} */ game, suffix = "sky") => `library/${game}.${suffix}`;

/**
 * @param {Archive} archive
 * @returns {Uint8Array<ArrayBuffer>} its file
 */
export function pack({ banks, unfinished, games, keys, choices }) {
  const facts = games.map(({ name, at, told, pinned }) => ({ name, at, told, pinned: Boolean(pinned) }));
  const head = new TextEncoder().encode(JSON.stringify({ skyline: VERSION, keys, choices, games: facts }));
  /** @type {[string, Uint8Array|undefined][]} */
  const files = [[MANIFEST, head], ...banks.map((bank, at) => /** @type {[string, Uint8Array]} */ ([BANK_FILES[at], bank])), [GAME_FILE, unfinished]];
  for (const { name, recording, picture } of games) files.push([fileOf(name), recording], [fileOf(name, "picture"), picture]);
  return packZip(/** @type {[string, Uint8Array][]} */ (files.filter(([, bytes]) => bytes?.length)));
}

/**
 * @param {Uint8Array<ArrayBuffer>} file
 * @returns {Archive} throws an Error with one line for any other file
 */
export function unpack(file) {
  if (isSaves(file)) return { banks: unpackSaves(file), keys: {}, games: [] }; // as the page wrote before
  const files = unpackZip(file);
  const claim = (/** @type {string} */ name) => {
    const bytes = files.get(name);
    files.delete(name);
    return bytes;
  };
  const text = claim(MANIFEST);
  if (!text) throw new Error("this zip is no archive of Skyline");
  let head;
  try {
    head = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    check(false);
  }
  const { skyline, keys, choices, games } = head ?? {};
  if (Number.isInteger(skyline) && skyline > VERSION) throw new Error("this archive is of a newer Skyline; reload the page while you are online");
  const isTable = (/** @type {unknown} */ each) => each !== null && typeof each === "object" && !Array.isArray(each);
  check(skyline === VERSION && isTable(keys) && Object.values(keys).every(isTable) && Array.isArray(games));
  check(Object.values(keys).every((table) => Object.values(table).every((control) => Number.isInteger(control) && control in KEYS)));
  check(choices === undefined || isTable(choices));
  check(games.length <= MOST_GAMES && new Set(games.map((/** @type {Game} */ game) => game?.name)).size === games.length);
  const banks = BANK_FILES.map((name) => claim(name) ?? new Uint8Array(0));
  check(banks.every(isReadable));
  const unfinished = claim(GAME_FILE);
  check(!unfinished || isRecording(unfinished.subarray(HEAD_BYTES)));
  for (const game of games) {
    check(isTable(game) && typeof game.name === "string" && new RegExp(NAME).test(game.name) && !isNaN(new Date(game.at).getTime()));
    check(Number.isInteger(game.at) && game.at >= 0 && typeof game.told === "string" && typeof game.pinned === "boolean");
    game.recording = claim(fileOf(game.name));
    game.picture = claim(fileOf(game.name, "picture")) ?? new Uint8Array(PICTURE_BYTES);
    check(isRecording(game.recording) && game.picture.length === PICTURE_BYTES);
  }
  check(!files.size);
  return { banks, unfinished, keys, choices, games };
}

/** @param {Uint8Array|undefined} bytes */
const isRecording = (bytes) => bytes instanceof Uint8Array && String.fromCharCode(...bytes.subarray(0, 3)) === "SKY";
const HEAD_BYTES = 12; // before the recording of the game in progress

/**
 * @param {Session} session
 * @param {Game[]} games
 * @returns {Archive} what the browser keeps now
 */
function gather(session, games) {
  let unfinished;
  try {
    unfinished = localStorage.getItem(GAME);
  } catch {
    // The page keeps nothing here.
  }
  const { [CHOICE]: chosen, ...choices } = read();
  const table = Object.fromEntries([...load()].map(([code, control]) => [code, Number(control)]));
  return {
    banks: BANK_FILES.map((_, number) => session.handheld.bank(number, BANK_BYTES).slice()),
    unfinished: unfinished ? decode(unfinished) : undefined,
    keys: chosen ? { [SECTION]: table } : {},
    choices,
    games,
  };
}

/**
 * Save all to a file.
 * @param {Session} session
 */
export async function save(session) {
  session.leave();
  /** @type {Game[]} */
  const kept = await work((games) => games.getAll()).catch(() => []); // some browsers have no IndexedDB
  const games = rename(kept.filter(isWhole));
  download(new Blob([pack(gather(session, games))]), "skyline.zip");
  const left = kept.length - games.length;
  if (left) tell(`The file is without ${left} games that cannot be read.`);
}

/** @param {Game} game */
const isWhole = ({ name, at, told, recording, picture }) =>
  new RegExp(NAME).test(name) && Number.isInteger(at) && typeof told === "string" && isRecording(recording) && picture instanceof Uint8Array && picture.length === PICTURE_BYTES;

/**
 * @param {Game[]} games
 * @returns {Game[]} copies whose names differ
 */
function rename(games) {
  const taken = new Set();
  return games.map((kept) => {
    const game = { ...kept };
    const [, first] = /** @type {RegExpExecArray} */ (new RegExp(NAME).exec(game.name));
    for (let number = 2; taken.has(game.name); number++) game.name = `${first}-${number}`;
    taken.add(game.name);
    return game;
  });
}

/**
 * Offer to load a file.
 * @param {Session} session
 * @param {File} file
 */
export async function open(session, file) {
  try {
    if (file.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES >> 20} MB`);
    const archive = unpack(new Uint8Array(await file.arrayBuffer()));
    const others = archive.choices ? ", keys and choices" : "";
    const games = archive.games.length ? `, and add ${archive.games.length} games` : "";
    offer(`Replace your saves${others}${games}? Settings can undo it.`, "Load it", () => take(session, archive));
  } catch (problem) {
    tell(`${file.name}: ${explain(problem)}.`);
  }
}

/**
 * Offer to load what the last load replaced.
 * @param {Session} session
 */
export function undo(session) {
  return open(session, new File([decode(localStorage.getItem(REPLACED) ?? "")], "The copy"));
}

/**
 * Load an archive; a failure changes nothing.
 * @param {Session} session
 * @param {Archive} archive
 */
async function take(session, archive) {
  session.leave();
  session.stop();
  /** @type {Item[]} what was there */
  let before = [];
  try {
    await work((games) => {
      /** @type {IDBRequest<Game[]>} */
      const kept = games.getAll();
      kept.onsuccess = () => {
        games.clear();
        for (const game of merge(kept.result, archive.games)) {
          delete game.id;
          games.add(game);
        }
        games.count().onsuccess = () => {
          try {
            before = put(list(session, archive));
          } catch {
            games.transaction.abort();
          }
        };
      };
      return kept;
    });
    location.reload();
  } catch {
    restore(before);
    tell(`This browser could not store it, so nothing was changed. ${STOPPED}`, true);
  }
}

/**
 * @param {Game[]} kept
 * @param {Game[]} others
 * @returns {Game[]} all games that were kept, and of the others the pinned and the newest, the oldest first
 */
function merge(kept, others) {
  const same = (/** @type {Game} */ one, /** @type {Game} */ other) => isWhole(one) && encode(one.recording) === encode(other.recording);
  const fresh = others.filter((other) => {
    const found = kept.find((one) => one.at === other.at && same(one, other));
    if (found) found.pinned ||= other.pinned;
    return !found;
  });
  const loose = fresh.filter(({ pinned }) => !pinned).sort((one, other) => one.at - other.at);
  const merged = [...kept, ...fresh.filter(({ pinned }) => pinned), ...loose.slice(-MOST)];
  return merged.sort((one, other) => (Number(one.at) || 0) - (Number(other.at) || 0));
}

/**
 * @param {Session} session
 * @param {Archive} archive
 * @returns {Item[]} of localStorage once it is loaded
 */
function list(session, { banks, unfinished, keys, choices }) {
  const now = gather(session, []);
  const copy = pack({ ...now, keys: { [SECTION]: {}, ...now.keys } });
  const table = keys[SECTION] ?? now.keys[SECTION];
  const chosen = { ...(choices ?? now.choices), ...(table && Object.keys(table).length && { [CHOICE]: table }) };
  return [
    [REPLACED, encode(copy)],
    ...banks.map((bank, number) => /** @type {Item} */ ([BANK + number, isErased(bank) ? null : encode(bank)])),
    [CHOICES, JSON.stringify(chosen)],
    [GAME, unfinished ? encode(unfinished) : null],
  ];
}

/**
 * @param {Item[]} items of localStorage to write, all of them or none; throws an Error if there is no room
 * @returns {Item[]} those that they replaced
 */
function put(items) {
  /** @type {Item[]} */
  const before = [];
  try {
    for (const item of items) {
      const kept = localStorage.getItem(item[0]);
      write(item);
      before.push([item[0], kept]);
    }
  } catch (problem) {
    restore(before);
    throw problem;
  }
  return before;
}

/** @param {Item[]} items that were there */
function restore(items) {
  for (const [key] of items) localStorage.removeItem(key); // so that there is room
  items.forEach(write);
}

/** @param {Item} item */
function write([key, text]) {
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
}
