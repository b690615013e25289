/** List the games of the library in the dialog "More", each with its last picture. */

import { Glass } from "../glass/glass.js";
import { work } from "../saves/library.js";
import { find } from "./element.js";
import { download } from "./sharing.js";

const [WIDE, HIGH] = [70, 134]; // a Glass at scale 1
const BRIGHT = 255;
const SURE = "Really delete?";
const NONE = "This browser does not store games.";

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {(string|Node)[]} content
 */
function make(tag, ...content) {
  const made = document.createElement(tag);
  made.append(...content);
  return made;
}

export class Games {
  /** @param {import("./more.js").More} more shows and shares the chosen game */
  constructor(more) {
    this.more = more;
    this.list = find("games", HTMLElement);
    this.search = find("search", HTMLInputElement);
    this.search.addEventListener("input", () => this.find());
    this.damaged = 0; // entries that cannot be shown
  }

  /** Empty the list: more games may end before it is opened again. */
  close() {
    this.list.replaceChildren();
    this.say("");
  }

  async show() {
    try {
      /** @type {Game[]} */
      const games = await work((stored) => stored.getAll());
      const items = games.reverse().flatMap((game) => this.item(game) ?? []);
      this.damaged = games.length - items.length;
      this.list.replaceChildren(...items);
      this.find();
    } catch {
      this.say(NONE);
    }
  }

  /** @param {string} line */
  say(line) {
    find("found", HTMLElement).textContent = line;
  }

  /** Show the games whose line has all the words, in upper or lower case. */
  find() {
    const words = this.search.value.toLowerCase().split(" ");
    const items = [...this.list.children].filter((item) => item instanceof HTMLElement);
    for (const item of items) item.hidden = !words.every((word) => item.textContent?.toLowerCase().includes(word));
    const damaged = this.damaged ? `; ${this.damaged} more cannot be read` : "";
    this.say(`${items.filter((item) => !item.hidden).length} of ${items.length} games${damaged}`);
  }

  /**
   * @param {Game} game
   * @returns {HTMLElement|null} null for a damaged entry: any script of this site may have written it
   */
  item(game) {
    if (typeof game.told !== "string" || ![game.recording, game.picture].every((each) => each instanceof Uint8Array)) return null;
    const glass = new Glass(make("canvas"), this.more.session.glass.colour);
    glass.fit(WIDE, HIGH, 1);
    glass.draw(game.picture, BRIGHT);
    const date = new Date(game.at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    const row = make("div");
    row.className = "row";
    const item = make("li", glass.canvas, make("div", make("p", `${game.told}, ${date}`), row));
    const id = /** @type {number} */ (game.id);
    /** @type {Record<string, (button: HTMLButtonElement) => unknown>} */
    const acts = {
      Watch: () => this.more.watch(game.name, game.recording),
      Link: () => this.more.share("game-link", game.recording),
      ...(game.told.startsWith("daily ") && { Result: () => this.more.prove(game.name, game.recording) }),
      "Save as .sky": () => download(new Blob([game.recording]), `${game.name}.sky`),
      [game.pinned ? "Unpin" : "Pin"]: async (button) => {
        game.pinned = !game.pinned;
        await work((stored) => stored.put(game));
        button.textContent = game.pinned ? "Unpin" : "Pin";
      },
      Delete: async (button) => {
        if (button.textContent !== SURE) {
          button.textContent = SURE;
          return;
        }
        await work((stored) => stored.delete(id));
        item.remove();
        this.find();
        this.list.focus();
      },
    };
    for (const [name, act] of Object.entries(acts)) {
      const button = make("button", name);
      button.type = "button";
      button.addEventListener("click", () => Promise.resolve(act(button)).catch(() => this.say(NONE)));
      row.append(button);
    }
    return item;
  }
}
