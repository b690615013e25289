/** Keep the two banks of a handheld's flash in the browser, at once: a tab that closes loses nothing. */

import { crc32 } from "../device/crc32.js";
import { BANK_BYTES } from "../tables.js";

export const BANKS = 2;
const EIO = 5;
export const KEY = "skyline-bank";
export const REPLACED = "skyline-replaced"; // an archive of what the last one replaced
export const GAME = "skyline-game";
const LOCK = "skyline";
const FRAME_BYTES = 11;
const INTACT = 0x2144df1c; // the CRC-32 of anything followed by its own
const ERASED = 255;
const DAMAGED = "Your saves are damaged, so you begin anew. This browser keeps a copy: ";
const ELSEWHERE = "Skyline is open in another tab. Only that tab saves scores.";
const RELOAD_MS = 2000; // longer than a page without the saves while it is reloaded
const NOWHERE = "This browser stores nothing here. Games and scores are lost when you close the page.";

export const encode = (/** @type {Uint8Array} */ bytes) => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};
export const decode = (/** @type {string} */ text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * @param {Uint8Array} bank
 * @returns {boolean} whether a bank is erased or begins with a whole record (firmware/save/journal.py)
 */
export function isReadable(bank) {
  const record = bank.subarray(0, FRAME_BYTES + bank[1] + 256 * bank[2]);
  return bank.length === BANK_BYTES && (crc32(record) === INTACT || isErased(bank));
}

/** @param {Uint8Array} bank */
export function isErased(bank) {
  return bank.every((byte) => byte === ERASED);
}

/** @returns {Promise<boolean>} whether this tab owns the saves, until it is closed; else another tab does */
export async function claim() {
  const { locks } = navigator; // none without TLS: then a tab learns with its first save
  if (!locks) return true;
  return new Promise((resolve) => {
    const hold = (/** @type {Lock|null} */ lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {});
    };
    locks.request(LOCK, { ifAvailable: true }, hold).catch(() => resolve(true));
  });
}

/** Wait until no tab owns the saves. */
export async function waitUntilFree() {
  const { locks } = navigator;
  do {
    await locks.request(LOCK, () => {});
    await new Promise((done) => setTimeout(done, RELOAD_MS)); // a tab that is only reloaded takes them again
  } while ((await locks.query()).held?.some(({ name }) => name === LOCK));
}

export class Store {
  /**
   * @param {Storage|null} storage localStorage or an equivalent; null for none
   * @param {(line: string) => void} complain called when something could not be saved
   * @param {boolean} alone whether no other tab keeps this handheld's saves
   */
  constructor(storage, complain, alone = true) {
    this.storage = storage;
    this.complain = complain;
    this.alone = alone;
    /** Why nothing is saved, said at once; "" if it seems to work. */
    this.unkept = alone ? (storage ? "" : NOWHERE) : ELSEWHERE;
    if (this.unkept) complain(this.unkept);
    /** @type {(string|null)[]} each bank in the storage as this handheld last read or wrote it */
    this.seen = [];
  }

  /**
   * @param {number} number
   * @returns {Uint8Array|null} the saved bank; null if there is none, or if it is damaged: a copy of it stays
   */
  load(number) {
    let text = null;
    try {
      text = this.storage?.getItem(KEY + number) ?? null;
      this.seen[number] = text;
      if (text === null) return null;
      const bytes = decode(text);
      if (isReadable(bytes)) return bytes;
    } catch {
      // It is no bank at all.
    }
    if (text !== null) this.setAside(KEY + number, text);
    return null;
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  setAside(name, text) {
    try {
      this.storage?.setItem(`${name}-damaged`, text);
      this.complain(`${DAMAGED}${name}-damaged.`);
    } catch {
      this.storage = null; // without room for a copy, the damaged bank itself stays
    }
  }

  /**
   * @param {number} number
   * @param {Uint8Array} bytes
   * @returns {number} 0, or an error number, after which the handheld saves nothing more
   */
  keep(number, bytes) {
    try {
      if (!this.alone) return EIO;
      if (!this.storage) throw new Error("no storage");
      if (this.storage.getItem(KEY + number) !== (this.seen[number] ?? null)) {
        this.complain(ELSEWHERE);
        return EIO;
      }
      const text = encode(bytes);
      this.storage.setItem(KEY + number, text);
      this.seen[number] = text;
      return 0;
    } catch {
      this.complain(NOWHERE);
      return EIO;
    }
  }

  /** @returns {Uint8Array|null} the recording of the game in progress; null if there is none */
  loadGame() {
    try {
      const text = this.storage?.getItem(GAME);
      return text ? decode(text) : null;
    } catch {
      return null;
    }
  }

  /**
   * Keep the recording of the game in progress; if there is no room, the game continues without one.
   * @param {Uint8Array} noted
   */
  keepGame(noted) {
    try {
      this.storage?.removeItem(GAME);
      if (noted.length) this.storage?.setItem(GAME, encode(noted));
    } catch {
      // The bank still holds the game itself.
    }
  }
}

/** @returns {boolean} whether there is a copy of what an archive replaced */
export function hasCopy() {
  try {
    return localStorage.getItem(REPLACED) !== null;
  } catch {
    return false;
  }
}
