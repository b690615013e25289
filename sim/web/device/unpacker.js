/** Unpack in a Worker, where it holds up nobody. */

import { restore, unpack } from "./unpacking.js";

onmessage = ({ data: { bytes, sorted } }) => {
  const content = unpack(bytes);
  const made = sorted ? restore(content) : content;
  postMessage(made, { transfer: [made.buffer] });
};
