/** The page for builders: a drawing to choose pins, settings.toml, and facts about a connected handheld. */

import { find } from "../menus/element.js";
import { download } from "../menus/sharing.js";
import { explain } from "../menus/notice.js";
import { fetchParts, start as startPython } from "../device/interpreter.js";
import { PicoDrawing } from "./pico.js";
import { askBoard } from "./serial.js";
import { FILES } from "../tables.js";
import { KEYS, NONE, PICO, PIN, PIN_OR_NONE, PREFIX } from "../wiring.js";

/** @typedef {typeof KEYS[number]["allowed"]} Allowed */
const keys = find("keys", HTMLElement);
const refused = find("refused", HTMLElement);
const settings = find("settings", HTMLTextAreaElement);
const save = find("save", HTMLButtonElement);
const connect = find("connect", HTMLButtonElement);
const told = find("told", HTMLElement);
const isPin = (/** @type {Allowed} */ allowed) => allowed === PIN || allowed === PIN_OR_NONE;
const PINS = [...PICO.left, ...PICO.right].filter((name) => name.startsWith("GP"));

/** The value of each key, in the order of the table. */
const values = new Map(KEYS.map(({ key, start }) => [key, String(start)]));
/** @type {Map<string, HTMLSelectElement>} */
const lists = new Map();
let chosen = "SDA";
/** @type {((text: string) => string)|null} returns why the firmware would refuse a settings.toml, or "" */
let refuse = null;

/** @returns {string} the file: a line for every key without its default value */
function write() {
  const lines = KEYS.filter(({ key, start }) => values.get(key) !== String(start)).map(({ key }) => {
    const value = values.get(key) ?? "";
    return `${PREFIX}${key} = ${/^(0x[0-9a-f]+|[0-9]+)$/i.test(value) ? value : `"${value}"`}`;
  });
  return ["# What is wired to which pin, where it is not as in the build guide.", ...lines, ""].join("\n");
}

/**
 * @param {Allowed} allowed
 * @returns {unknown[]} the values that a key may have
 */
function choices(allowed) {
  if (allowed === PIN) return PINS;
  if (allowed === PIN_OR_NONE) return [...PINS, NONE];
  if (typeof allowed === "string" || allowed.length !== 2) return [...allowed];
  return Number(allowed[1]) < 256 ? ["0x3c", "0x3d"] : [100000, 400000, 1000000]; // addresses; speeds of the bus
}

/**
 * @param {string} key
 * @param {string} value
 */
function set(key, value) {
  values.set(key, value);
  /** @type {HTMLSelectElement} */ (lists.get(key)).value = value;
}

function show() {
  const text = write();
  const problem = refuse ? refuse(text) : "";
  refused.textContent = problem;
  settings.value = problem ? "" : text;
  save.disabled = Boolean(problem) || !refuse;
  drawing.show(new Map(KEYS.filter(({ allowed }) => isPin(allowed)).map(({ key, what }) => [values.get(key) ?? "", what])));
  for (const label of keys.querySelectorAll("label")) {
    label.classList.toggle("chosen", label.htmlFor === `key-${chosen}`);
  }
}

const drawing = new PicoDrawing(find("pico", SVGElement), PICO, (pin) => {
  set(chosen, pin);
  show();
});

for (const { key, allowed, what } of KEYS) {
  const label = document.createElement("label");
  label.htmlFor = `key-${key}`;
  label.textContent = what || key;
  const list = document.createElement("select");
  list.id = label.htmlFor;
  list.append(...choices(allowed).map((choice) => new Option(String(choice))));
  lists.set(key, list);
  set(key, values.get(key) ?? "");
  if (isPin(allowed)) {
    const choose = () => {
      chosen = key;
      show();
    };
    label.addEventListener("click", choose);
    list.addEventListener("focus", choose);
  }
  list.addEventListener("change", () => {
    values.set(key, list.value);
    show();
  });
  keys.append(label, list);
}

save.addEventListener("click", () => download(new Blob([settings.value]), "settings.toml"));

connect.addEventListener("click", async () => {
  if (!navigator.serial) return;
  try {
    told.textContent = "Reading the board.";
    const { facts, settings: found } = await askBoard(navigator.serial, KEYS.map(({ key }) => PREFIX + key));
    find("facts", HTMLElement).replaceChildren(
      ...facts.flatMap(([name, value]) => {
        const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
        [term.textContent, detail.textContent] = [name, value];
        return [term, detail];
      }),
    );
    for (const { key } of KEYS) {
      const value = found.get(PREFIX + key);
      const list = lists.get(key);
      if (value === undefined || !list) continue;
      if (![...list.options].some((option) => option.value === value)) list.append(new Option(value));
      set(key, value);
    }
    told.textContent = "Read from the board. Its settings are above.";
    show();
  } catch (problem) {
    told.textContent = `${explain(problem)}.`;
  }
});
if (!navigator.serial) {
  connect.disabled = true;
  told.textContent = "This browser has no USB access. Use Chrome or Edge on a computer.";
}
show();

// The firmware's own code checks the settings.
try {
  const parts = await fetchParts(FILES);
  const python = await startPython({ ...parts, host: {} });
  python.runPython("from sim.web.builder import check");
  const check = python.globals.get("check");
  refuse = (/** @type {string} */ text) => check(text, PINS.join(" "));
  document.documentElement.dataset.ready = "";
} catch (problem) {
  refused.textContent = `The settings cannot be checked: ${explain(problem)}.`;
}
if (refuse) show();
