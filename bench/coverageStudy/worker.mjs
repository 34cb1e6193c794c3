/**
 * A process of the coverage study: does the chunks that it is sent, and writes each whole or not at all; beside it the
 * time it took.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { competitors, fewer, intervals, truth } from './chunk.mjs';
import { SCENARIOS } from './scenarios.mjs';

const KINDS = { truth, intervals, fewer, competitors };

process.on('message', async ({ kind, id, from, to, seed, file }) => {
  const [started, before] = [performance.now(), process.cpuUsage()];
  const scenario = SCENARIOS.find((each) => each.id === id);
  const found = await KINDS[kind](scenario, seed, from, to);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000;
  writeFileSync(`${file}.ms`, JSON.stringify({ ms, cpu, count: to - from }));
  writeFileSync(`${file}.part`, JSON.stringify(found));
  renameSync(`${file}.part`, file);
  process.send({ file, ms });
});
