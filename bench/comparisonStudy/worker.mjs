/** A process of the comparison study: does the chunks that it is sent, and writes each whole or not at all. */
import { renameSync, writeFileSync } from 'node:fs';
import { answers, truth } from './chunk.mjs';
import { SCENARIOS } from './scenarios.mjs';

const KINDS = { answers, truth };

process.on('message', async ({ kind, id, from, to, seed, file }) => {
  const started = performance.now();
  const scenario = SCENARIOS.find((each) => each.id === id);
  const found = await KINDS[kind](scenario, seed, from, to);
  writeFileSync(`${file}.part`, JSON.stringify(found));
  renameSync(`${file}.part`, file);
  process.send({ file, ms: performance.now() - started });
});
