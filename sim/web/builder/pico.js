/** Draw a Raspberry Pi Pico from above, with the parts that are wired to its pins. */

const SPACE = "http://www.w3.org/2000/svg";
const PITCH = 24;
const TOP = 40;
const LEFT = 128; // the board's edges
const RIGHT = 278;
const WIDTH = 410;

/**
 * @param {string} name
 * @param {Record<string, string|number>} attributes
 */
function make(name, attributes, text = "") {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}

export class PicoDrawing {
  /**
   * @param {Element} place
   * @param {{left: string[], right: string[]}} pins from top down, USB on top
   * @param {(pin: string) => void} pick called with the pin that was clicked
   */
  constructor(place, { left, right }, pick) {
    const height = TOP + PITCH * left.length;
    place.setAttribute("viewBox", `0 0 ${WIDTH} ${height + 16}`);
    place.append(
      make("rect", { class: "board", x: LEFT, y: 16, width: RIGHT - LEFT, height: height - 8, rx: 8 }),
      make("rect", { class: "usb", x: (LEFT + RIGHT) / 2 - 16, y: 4, width: 32, height: 22, rx: 3 }),
    );
    this.pins = new Map();
    left.forEach((name, row) => this.add(place, name, row, true, pick));
    right.forEach((name, row) => this.add(place, name, row, false, pick));
  }

  /**
   * @param {Element} place
   * @param {string} name
   * @param {number} row
   * @param {boolean} isLeft
   * @param {(pin: string) => void} pick
   */
  add(place, name, row, isLeft, pick) {
    const y = TOP + PITCH * row;
    const free = name.startsWith("GP");
    const group = make("g", { class: free ? "free" : "other" });
    const what = make("text", { class: "what", x: isLeft ? LEFT - 12 : RIGHT + 12, y: y + 4, "text-anchor": isLeft ? "end" : "start" });
    group.append(
      make("circle", { class: "pin", cx: isLeft ? LEFT + 8 : RIGHT - 8, cy: y, r: 7 }),
      make("text", { x: isLeft ? LEFT + 20 : RIGHT - 20, y: y + 4, "text-anchor": isLeft ? "start" : "end" }, name),
      what,
    );
    place.append(group);
    if (!free) return;
    group.setAttribute("data-pin", name);
    group.addEventListener("click", () => pick(name));
    this.pins.set(name, { group, what });
  }

  /** @param {Map<string, string>} wired the part at the other end of each pin's wire */
  show(wired) {
    for (const [name, { group, what }] of this.pins) {
      group.classList.toggle("wired", wired.has(name));
      what.textContent = wired.get(name) ?? "";
    }
  }
}
