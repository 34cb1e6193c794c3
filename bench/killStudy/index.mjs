/**
 * Whether a run survives what kills it: nothing of a fold is torn, no fold is lost or counted twice, and `result.json` has the
 * bytes of an undisturbed run. Prints each failure with the seed that plays it again.
 *
 * node bench/killStudy/index.mjs [--kind parent ...] [--times 20] [--seed 44]
 */
import { parseArgs } from 'node:util';
import { KINDS } from './kinds.mjs';

const { values: options } = parseArgs({
  options: {
    kind: { type: 'string', multiple: true },
    times: { type: 'string' },
    seed: { type: 'string', default: '44' },
  },
});
const chosen = KINDS.filter(({ name }) => !options.kind || options.kind.includes(name));
if (chosen.length === 0) throw new Error(`--kind must be one of ${KINDS.map(({ name }) => name).join(', ')}`);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const rows = [];
for (const kind of chosen) {
  const available = await kind.available();
  if (available !== true) {
    console.log(`SKIPPED ${kind.name}: ${available}`);
    rows.push([kind.name, kind.what, '—', `skipped: ${available}`, '—']);
    continue;
  }
  const times = options.times ? Number(options.times) : kind.times;
  const start = performance.now();
  let failed = 0;
  for (let time = 0; time < times; time++) {
    const seed = `${options.seed}-${kind.name}-${time}`;
    const { ok, why } = await kind.once(seed);
    if ((time + 1) % 25 === 0) console.log(`${kind.name}: ${time + 1} of ${times}, ${failed + !ok} failed`);
    if (ok) continue;
    failed++;
    process.exitCode = 1;
    console.log(`FAILED ${kind.name}, seed '${seed}': ${why}`);
  }
  await kind.end?.();
  const seconds = (performance.now() - start) / 1000;
  console.log(`${kind.name}: ${times - failed} of ${times} in ${seconds.toFixed(0)} s`);
  rows.push([kind.name, kind.what, times, times - failed, (seconds / times).toFixed(1)]);
}

console.log(`\n| kind | what | times | whole, with the same bytes | seconds each |\n| --- | --- | --- | --- | --- |`);
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
