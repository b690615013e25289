/** Tell the player one line, at the top of the page. */

const place = () => document.getElementById("notice");

/** @param {string} line "" takes it away */
export function tell(line) {
  place().replaceChildren(line);
}

/**
 * @param {unknown} problem
 * @returns {string} why something failed, in one line: of an exception of Python its last one, without the kind
 */
export function explain(problem) {
  const { name, message } = /** @type {Error} */ (problem);
  return name === "PythonError" ? message.trim().replace(/^[^]*\n/, "").replace(/^\w+: /, "") : message;
}

/** Tell a line with a button that does something about it. */
export function offer(line, name, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.addEventListener("click", () => {
    tell("");
    act();
  });
  place().replaceChildren(`${line} `, button);
}
