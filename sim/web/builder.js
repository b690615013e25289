/** The page for builders: pins picked from a drawing, settings.toml, and what a connected handheld tells. */

import { download } from "./handout.js";
import { fetchParts, start } from "./interpreter.js";
import { PicoDrawing } from "./pico.js";
import { askBoard } from "./serial.js";
import { FILES } from "./tables.js";
import { KEYS, NONE, PICO, PIN, PIN_OR_NONE, PREFIX } from "./wiring.js";

const element = (id) => document.getElementById(id);
const isPin = (allowed) => allowed === PIN || allowed === PIN_OR_NONE;
const PINS = [...PICO.left, ...PICO.right].filter((name) => name.startsWith("GP"));

/** What each key is set to, in the order of the table. */
const values = new Map(KEYS.map(({ key, start: value }) => [key, value]));
const lists = new Map();
let chosen = "SDA";
let refuse = null; // tells why the firmware would not take a settings.toml

/** @returns {string} the file: a line for every key that is not at its default */
function write() {
  const lines = KEYS.filter(({ key, start: value }) => String(values.get(key)) !== String(value)).map(({ key }) => {
    const value = values.get(key);
    return `${PREFIX}${key} = ${/^(0x[0-9a-f]+|[0-9]+)$/i.test(value) ? value : `"${value}"`}`;
  });
  return ["# What is wired to which pin, where it is not as in the build guide.", ...lines].join("\n") + "\n";
}

/** @returns {Array} what a key may be */
function choices(allowed) {
  if (allowed === PIN) return PINS;
  if (allowed === PIN_OR_NONE) return [...PINS, NONE];
  if (allowed.length !== 2) return allowed;
  return allowed[1] < 256 ? ["0x3c", "0x3d"] : [100000, 400000, 1000000]; // addresses; speeds of the bus
}

function set(key, value) {
  values.set(key, value);
  lists.get(key).value = String(value);
}

function show() {
  const text = write();
  const problem = refuse ? refuse(text) : "";
  element("refused").textContent = problem;
  element("settings").value = problem ? "" : text;
  element("save").disabled = Boolean(problem) || !refuse;
  drawing.show(new Map(KEYS.filter(({ allowed }) => isPin(allowed)).map(({ key, what }) => [values.get(key), what])));
  for (const label of element("keys").querySelectorAll("label")) {
    label.classList.toggle("chosen", label.htmlFor === `key-${chosen}`);
  }
}

const drawing = new PicoDrawing(element("pico"), PICO, (pin) => {
  set(chosen, pin);
  show();
});

for (const { key, allowed, what } of KEYS) {
  const label = document.createElement("label");
  label.htmlFor = `key-${key}`;
  label.textContent = what || key;
  const list = document.createElement("select");
  list.id = label.htmlFor;
  list.append(...choices(allowed).map((choice) => new Option(choice)));
  lists.set(key, list);
  set(key, values.get(key));
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
  element("keys").append(label, list);
}

element("save").addEventListener("click", () => download(new Blob([element("settings").value]), "settings.toml"));

element("connect").addEventListener("click", async () => {
  const told = element("told");
  try {
    told.textContent = "Reading the board.";
    const { facts, settings } = await askBoard(navigator.serial, KEYS.map(({ key }) => PREFIX + key));
    element("facts").replaceChildren(
      ...facts.flatMap(([name, value]) => {
        const [term, detail] = [document.createElement("dt"), document.createElement("dd")];
        [term.textContent, detail.textContent] = [name, value];
        return [term, detail];
      }),
    );
    for (const { key } of KEYS) {
      const value = settings.get(PREFIX + key);
      if (value === undefined) continue;
      const list = lists.get(key);
      if (![...list.options].some((option) => option.value === value)) list.append(new Option(value));
      set(key, value);
    }
    told.textContent = "Read from the board. Its settings are above.";
    show();
  } catch (problem) {
    told.textContent = `${problem.message}.`;
  }
});
if (!navigator.serial) {
  element("connect").disabled = true;
  element("told").textContent = "This browser has no USB access. Use Chrome or Edge on a computer.";
}
show();

// The firmware itself judges.
try {
  const parts = await fetchParts(FILES);
  const python = await start({ ...parts, host: {} });
  python.runPython("from sim.web.builder import check");
  const check = python.globals.get("check");
  refuse = (text) => check(text, PINS.join(" "));
  document.documentElement.dataset.ready = "";
} catch (problem) {
  element("refused").textContent = `The settings cannot be checked: ${problem.message}.`;
}
if (refuse) show();
