/** Unpack in a Worker, so that the page does not wait. */

import { restore, unpack } from "./unpacking.js";

onmessage = ({ data: { bytes, sorted } }) => {
  const content = unpack(bytes);
  const made = sorted ? restore(content) : content;
  postMessage(made, { transfer: [made.buffer] });
};
