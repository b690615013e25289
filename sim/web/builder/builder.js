/** The page for builders: a drawing to choose pins, settings.toml, and facts about a connected handheld. */

import { find } from "../menus/element.js";
import { download } from "../menus/sharing.js";
import { explain } from "../menus/notice.js";
import { fetchParts, start as startPython } from "../device/interpreter.js";
import { PicoDrawing } from "./pico.js";
import { askBoard } from "./serial.js";
import { FILES } from "../tables.js";
import { BOARDS, KEYS, NONE, PICO, PIN, PIN_OR_NONE, PREFIX } from "../wiring.js";

/** @typedef {typeof KEYS[number]["allowed"]} Allowed */
const board = find("board", HTMLSelectElement);
const note = find("note", HTMLElement);
const keys = find("keys", HTMLElement);
const more = find("more", HTMLElement);
const refused = find("refused", HTMLElement);
const settings = find("settings", HTMLTextAreaElement);
const save = find("save", HTMLButtonElement);
const connect = find("connect", HTMLButtonElement);
const told = find("told", HTMLElement);
const isPin = (/** @type {Allowed} */ allowed) => allowed === PIN || allowed === PIN_OR_NONE;
const PINS_OF_A_PICO = [...PICO.left, ...PICO.right].filter((name) => name.startsWith("GP"));
let pins = PINS_OF_A_PICO;

/** The numbers that the lists offer. @type {Record<string, (string|number)[]>} */
const NUMBERS = {
  I2C_ADDRESS: ["0x3c", "0x3d"],
  I2C_HZ: [100000, 400000, 1000000],
  SPI_HZ: [10000000, 24000000, 62500000],
  WIDTH: [128, 160, 240, 320],
  HEIGHT: [128, 160, 240, 320],
  FIRST_COLUMN: [0, 1, 2, 26, 40],
  FIRST_ROW: [0, 1, 24, 80],
  LINK_USB: [0, 1],
};
/** What each key is without a line in settings.toml: by the table, or by the profile of the chosen board. */
const start = new Map(KEYS.map((row) => [row.key, String(row.start)]));
/** The value of each key, in the order of the table. */
const values = new Map(start);
/** @type {Map<string, HTMLSelectElement>} */
const lists = new Map();
let chosen = "SDA";
/** @type {((text: string) => string)|null} returns why the firmware would refuse a settings.toml, or "" */
let refuse = null;

/**
 * @param {boolean} all whether to name also the keys that have their usual value
 * @returns {string} the lines of settings.toml
 */
function write(all) {
  const lines = KEYS.filter(({ key }) => all || values.get(key) !== start.get(key)).map(({ key }) => {
    const value = values.get(key) ?? "";
    return `${PREFIX}${key} = ${/^(0x[0-9a-f]+|[0-9]+)$/i.test(value) ? value : `"${value}"`}`;
  });
  return ["# What is wired to which pin, where it is not usual for this board.", ...lines, ""].join("\n");
}

/**
 * @param {string} key
 * @param {Allowed} allowed
 * @returns {unknown[]} the values that a key may have
 */
function choices(key, allowed) {
  if (allowed === PIN) return pins;
  if (allowed === PIN_OR_NONE) return [...pins, NONE];
  return NUMBERS[key] ?? (typeof allowed === "string" ? [NONE] : [...allowed]);
}

/**
 * @param {string} key
 * @param {string} value
 */
function set(key, value) {
  values.set(key, value);
  const list = /** @type {HTMLSelectElement} */ (lists.get(key));
  if (![...list.options].some((option) => option.value === value)) list.append(new Option(value));
  list.value = value;
}

/** Set every key as the profile of the chosen board has it. */
function setBoard() {
  const record = BOARDS.find((one) => one.board === board.value) ?? {};
  note.textContent = record.note ?? "";
  const mine = "DISPLAY" in record; // the board is no Pico of the build guide
  find("pico", SVGElement).toggleAttribute("hidden", mine);
  find("wires", HTMLElement).hidden = mine;
  pins = record.pins?.split(" ").map((pair) => pair.split("=")[0]) ?? PINS_OF_A_PICO;
  for (const { key, start: usual, allowed } of KEYS) {
    lists.get(key)?.replaceChildren(...choices(key, allowed).map((choice) => new Option(String(choice))));
    const value = record[key] ?? String(usual);
    start.set(key, value);
    set(key, value);
  }
  if (record.board?.startsWith("waveshare")) set("BOARD", record.board); // CircuitPython cannot see it
  show();
}

function show() {
  const text = write(false);
  const problem = refuse ? refuse(write(true)) : "";
  refused.textContent = problem;
  settings.value = problem ? "" : text;
  save.disabled = Boolean(problem) || !refuse;
  drawing.show(new Map(KEYS.filter(({ allowed }) => isPin(allowed)).map(({ key, what }) => [values.get(key) ?? "", what])));
  for (const label of document.querySelectorAll("label")) {
    label.classList.toggle("chosen", label.htmlFor === `key-${chosen}`);
  }
}

const drawing = new PicoDrawing(find("pico", SVGElement), PICO, (pin) => {
  set(chosen, pin);
  show();
});

board.append(...BOARDS.map((record) => new Option(record.name, record.board)));
board.addEventListener("change", setBoard);

for (const { key, allowed, what, usual } of KEYS) {
  const label = document.createElement("label");
  label.htmlFor = `key-${key}`;
  label.textContent = what || key;
  const list = document.createElement("select");
  list.id = label.htmlFor;
  list.append(...choices(key, allowed).map((choice) => new Option(String(choice))));
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
  (usual ? keys : more).append(label, list);
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
    const named = found.get(`${PREFIX}BOARD`) ?? facts.find(([name]) => name === "Board")?.[1];
    if (BOARDS.some((one) => one.board === named)) {
      board.value = named ?? "";
      setBoard();
    }
    for (const { key } of KEYS) {
      const value = found.get(PREFIX + key);
      if (value !== undefined) set(key, value);
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
  const parts = await fetchParts({ ...FILES, firmware: FILES.checker });
  const python = await startPython({ ...parts, host: {} });
  python.runPython("from sim.web.builder import check");
  const check = python.globals.get("check");
  refuse = (/** @type {string} */ text) => check(text, JSON.stringify(BOARDS.find((one) => one.board === board.value)));
  document.documentElement.dataset.ready = "";
} catch (problem) {
  refused.textContent = `The settings cannot be checked: ${explain(problem)}.`;
}
if (refuse) show();
