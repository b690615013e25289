/** Let a relay carry the answer to an invitation (tools/web/relay.py): a friend opens the link, and both are linked. */

import { RELAY } from "../tables.js";

const PART = "&relay=";
const NAME = new RegExp(RELAY);
const GOOD = 1000; // as a close code

/**
 * @param {string} link
 * @returns {string|undefined} the room in which the sender waits for the answer, if such a place is allowed
 */
export function findRelay(link) {
  const room = link.match(/&relay=(\S+)\s*$/)?.[1];
  return room && NAME.test(room) ? room : undefined;
}

/**
 * @param {string} address
 * @param {(line: string) => void} lose called when the relay hangs up
 * @returns {Promise<WebSocket>}
 */
function call(address, lose) {
  const socket = new WebSocket(address);
  return new Promise((done, fail) => {
    socket.onopen = () => done(socket);
    socket.onclose = ({ code, reason }) => {
      const line = code === GOOD ? "" : reason || "the relay does not answer";
      fail(new Error(line));
      lose(line);
    };
  });
}

/**
 * Wait in a new room of a relay.
 * @param {string} relay
 * @param {(answer: string) => void} take
 * @param {(line: string) => void} lose
 * @returns {Promise<{part: string, socket: WebSocket}>} part: the end of the link.  socket: close it to leave
 */
export async function waitAt(relay, take, lose) {
  const address = relay.replace(/^(?!wss?:)/, "wss://");
  if (!NAME.test(address)) throw new Error("a relay has a name like relay.example.org");
  const room = `${address}/${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
  const socket = await call(room, lose);
  socket.onmessage = ({ data }) => take(data);
  return { part: PART + room, socket };
}

/**
 * Send an answer to a room.
 * @param {string} room
 * @param {string} answer
 * @returns {Promise<void>} fulfilled when the waiting player has the answer and closes the room
 */
export function answerAt(room, answer) {
  return new Promise((done, fail) => {
    call(`${room}?answer`, (line) => (line ? fail(new Error(line)) : done())).then((socket) => socket.send(answer), fail);
  });
}
