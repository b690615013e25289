/**
 * Hand a text to the player: in a field, and in the clipboard; where fingers are, to whatever shares texts.
 * @param {string} id of the field; its label is ID-shown
 * @param {string} text
 * @param {ShareData} share
 */
export async function handOut(id, text, share) {
  document.getElementById(`${id}-shown`).hidden = false;
  const field = document.getElementById(id);
  field.value = text;
  field.select();
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share(share);
    else await navigator.clipboard.writeText(text);
  } catch {
    // The field shows it all the same.
  }
}
