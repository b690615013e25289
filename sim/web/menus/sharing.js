/** Share texts and files with the player: the clipboard, the share sheet, a download. */

import { find } from "./element.js";

const BY_HAND = "The page may not copy here. The text is selected: copy it yourself.";
const LONG_MS = 60_000; // enough for any browser to save a file

/** Whether this device shares text by a share sheet instead of the clipboard. */
export const hasShareSheet = () => Boolean(navigator.share) && matchMedia("(pointer: coarse)").matches;

/**
 * Give a text to the player: in a field, and in the clipboard or the share sheet; without both, select it there.
 * @param {string} id of the field; its label is ID-shown
 * @param {string} text
 * @param {ShareData} share
 * @returns {Promise<boolean>} whether it was copied or shared
 */
export async function shareText(id, text, share) {
  find(`${id}-shown`, HTMLElement).hidden = false;
  const field = find(id, HTMLInputElement);
  field.value = text;
  field.select();
  const place = find("by-hand", HTMLElement);
  place.textContent = "";
  try {
    if (hasShareSheet()) await navigator.share(share);
    else await navigator.clipboard.writeText(text); // none without TLS
    return true;
  } catch (problem) {
    if (/** @type {Error} */ (problem).name === "AbortError") return false; // the player closed the share sheet
    field.labels?.[0].after(place);
    field.focus();
    field.select();
    place.textContent = BY_HAND;
    return false;
  }
}

/**
 * Have the browser save a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), LONG_MS);
}
