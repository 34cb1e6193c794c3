/** A process of the leakage suite: judges the cases that it is sent, and writes each chunk whole or not at all. */
import { renameSync, writeFileSync } from 'node:fs';
import { makeCase, seedOf, statusOf } from './judge.mjs';
import { SCENARIOS } from './scenarios.mjs';

process.on('message', async ({ id, from, to, seed, file }) => {
  const started = performance.now();
  const scenario = SCENARIOS.find((each) => each.id === id);
  const statuses = [];
  for (let at = from; at < to; at++) {
    const own = seedOf(scenario, seed, at);
    statuses.push(await statusOf(scenario, await makeCase(scenario, own), own));
  }
  writeFileSync(`${file}.part`, JSON.stringify(statuses));
  renameSync(`${file}.part`, file);
  process.send({ file, ms: performance.now() - started });
});
