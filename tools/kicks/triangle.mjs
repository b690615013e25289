/** Turn Tetriminos by triangle: node triangle.mjs BUNDLE TABLE, then lines as tools/kicks/__main__.py describes. */

import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const { performKick, tetrominoes } = createRequire(import.meta.url)(process.argv[2]);
const table = process.argv[3];

for await (const line of createInterface({ input: process.stdin })) {
  const words = line.split(" ");
  const [facing, turn] = [Number(words[1]), Number(words[2])];
  const numbers = words.slice(3).map(Number);
  const board = numbers.slice(8).map((row) => Array.from({ length: 10 }, (_, x) => (row >> x) & 1));
  const states = tetrominoes[words[0].toLowerCase()].matrix.data;
  const lowest = (cells, i) => Math.min(...cells.map((cell) => cell[i]));
  const cells = [0, 2, 4, 6].map((i) => [numbers[i], numbers[i + 1]]);
  const blocks = states[facing];
  const top = Math.max(...cells.map((cell) => cell[1]));
  const location = [lowest(cells, 0) - lowest(blocks, 0), top + lowest(blocks, 1)];
  const target = (facing + [3, 1, 2][turn]) % 4;
  const result = performKick(table, words[0], location, [0, 0], true, states[target], facing, target, board);
  const [x, y] = result === true ? location : result ? result.newLocation : [];
  const answer = result && states[target].map((block) => (y - block[1]) * 10 + x + block[0]).sort((a, b) => a - b);
  console.log(answer ? answer.join(" ") : "-");
}
