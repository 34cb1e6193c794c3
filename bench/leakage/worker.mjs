/** A process of the leakage suite: judges the cases that it is sent, and writes each chunk whole or not at all. */
import { renameSync, writeFileSync } from 'node:fs';
import { BalanceChecker, DataLeakageChecker, deriveSeed, randomSource } from 'cvkit';
import { SCENARIOS } from './scenarios.mjs';

const checker = new DataLeakageChecker();

/** Status of the check of a scenario on one case: most judge folds; others compare data, count classes, or train. */
async function statusOf({ id, check, type, refit, fired, make }, seed) {
  const { X, y, processed, splitIndices, ...rest } = await make(randomSource(seed));
  if (fired) return (await fired({ ...(X ? { X, y } : {}), ...rest })) ? 'failed' : 'passed';
  if (refit) return (await checker.checkPreprocessingLeakage(X, processed, splitIndices, { y })) ? 'failed' : 'passed';
  if (check === 'CVB001') {
    const { cv, groups } = rest;
    return (await new BalanceChecker().checkCvBalance(X, y, cv, groups ? { groups } : {})).status;
  }
  const report = await checker.check(X, y ?? null, { ...rest, randomState: deriveSeed(seed, 'check'), only: [type] });
  const [{ status, message }] = report.checks;
  if (status === 'error') throw new Error(`${id}, seed ${seed}: ${message}`);
  return status;
}

process.on('message', async ({ id, from, to, seed, file }) => {
  const started = performance.now();
  const scenario = SCENARIOS.find((each) => each.id === id);
  const statuses = [];
  for (let at = from; at < to; at++) statuses.push(await statusOf(scenario, deriveSeed(seed, id, at)));
  writeFileSync(`${file}.part`, JSON.stringify(statuses));
  renameSync(`${file}.part`, file);
  process.send({ file, ms: performance.now() - started });
});
