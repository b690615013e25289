/**
 * Keep every game and match that ends in the browser, as sim/library.py does on a PC.
 *
 * A game is {id, at, name, told, recording, picture, pinned}. `at`: the time of its end. `name`: of its file on a PC.
 * `told`: its mode and result. `picture`: the last one.
 */

import { tell } from "../menus/notice.js";
import { KINDS, STATE } from "../tables.js";

export const MOST = 100; // games that are not pinned
const GAMES = "games";
const FORMAT_AT = 3; // in a recording
const VARIANT_AT = 4;
const MATCH = 4; // the formats of matches: on this handheld, then with others; as the last two of KINDS
const FORMATS = 6;

/** @type {Promise<IDBDatabase>|undefined} */
let opened;
let ended = 0;

/** @returns {Promise<IDBDatabase>} */
function open() {
  const request = indexedDB.open("skyline");
  request.onupgradeneeded = () => request.result.createObjectStore(GAMES, { keyPath: "id", autoIncrement: true });
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @template T
 * @param {(games: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T>} the result of the request that `ask` makes to the store of games, once it is saved
 */
export async function work(ask) {
  const transaction = (await (opened ??= open())).transaction(GAMES, "readwrite");
  const request = ask(transaction.objectStore(GAMES));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * Add a game, and delete the oldest unpinned game if there are MOST of them; a notice says if both fail.
 * @param {Game} game
 */
export async function add(game) {
  try {
    await work((games) => {
      /** @type {IDBRequest<Game[]>} */
      const before = games.getAll();
      before.onsuccess = () => {
        const loose = before.result.filter(({ pinned }) => !pinned);
        if (loose.length >= MOST) games.delete(/** @type {number} */ (loose[0].id));
        games.add(game);
      };
      return before;
    });
  } catch {
    tell("This browser has no room for this game. To keep it, open More and save it as a file.");
  }
}

/**
 * Keep a game that has just ended; call this after each frame.
 * @param {import("../device/handheld.js").Handheld} handheld
 * @returns {boolean} whether one has
 */
export function look(handheld) {
  const before = ended;
  ended = handheld.state[STATE.ENDED];
  if (before || !ended) return false;
  const recording = handheld.record();
  if (!recording?.length) {
    tell("This game has no recording, so the library cannot keep it.");
    return true;
  }
  const format = recording[FORMAT_AT];
  const kind = KINDS.at(format < MATCH ? recording[VARIANT_AT] : format - FORMATS);
  const [number, ...result] = handheld.result.split(" ");
  const at = Date.now();
  const stamp = new Date(at).toLocaleString("sv").replace(/[-:]/g, "").replace(" ", "-");
  const [name, told] = [`${stamp}-${kind}-${number}`, [kind, ...result].join(" ")];
  add({ at, name, told, recording, picture: handheld.picture.slice() });
  return true;
}
