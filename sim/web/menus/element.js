/** Find elements of the page. */

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T} the element with this id; throws if there is none of this kind
 */
export function find(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} "${id}"`);
}
