/**
 * Other packages on the cases of the leakage suite: the first cases of every scenario that a rule of theirs is about,
 * with the same seeds. A scenario that is done is a file, so that the comparison goes on where it stopped.
 *
 * node bench/leakage/peers/index.mjs [--only pattern] [--cases 10] [--rows 2000] [--workers 1] [--seed 20260101]
 *   [--python python3] [--results folder] [--write]
 *
 * Python needs numpy, pandas, scipy, scikit-learn and Pillow; trustcv and cleanlab are called where they are installed.
 * The verdicts of cvkit on the cases come from the suite (`npm run bench:leakage`). `--write` puts the counts into its data file.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { doChunks } from '../../chunks.mjs';
import { writeParts } from '../dataFile.mjs';
import { SCENARIOS } from '../scenarios.mjs';
import { countsOf, readPeers } from './comparison.mjs';

const results = fileURLToPath(new URL('../results', import.meta.url));
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    cases: { type: 'string', default: '10' },
    rows: { type: 'string', default: '2000' },
    workers: { type: 'string', default: '1' },
    seed: { type: 'string', default: '20260101' },
    python: { type: 'string', default: process.env.PEERS_PYTHON ?? 'python3' },
    results: { type: 'string', default: results },
    write: { type: 'boolean', default: false },
  },
});
process.env.PEERS_PYTHON = options.python;
/** What to do about a package that cannot be imported. */
const INSTALL = { trustcv: 'pip install trustcv', cleanlab: "pip install 'cleanlab[datalab]'" };
const { rules } = greeting();

/** Training scenarios give options of a call, not data; larger sets take some rules minutes. */
const scenarios = SCENARIOS.filter(
  ({ id, check, n, fired }) => rules[check] && !fired && n <= Number(options.rows) && new RegExp(options.only).test(id),
);
const folder = `${options.results}-peers`;
mkdirSync(folder, { recursive: true });
const tasks = scenarios.map(({ id }) => ({
  id,
  to: Number(options.cases),
  seed: options.seed,
  file: join(folder, `${id}.json`),
}));
await doChunks(tasks, {
  worker: new URL('worker.mjs', import.meta.url),
  workers: Number(options.workers),
  title: `${scenarios.length} scenarios with seed ${options.seed}`,
});
const both = readPeers(scenarios, options.results);
const records = countsOf(both);
console.table(records);
console.log(`${both.length} of ${scenarios.length} scenarios have been judged by the suite, too.`);
if (options.write && !options.only) {
  const versions = Object.assign({}, ...both.map((each) => each.versions));
  writeParts({ peers: { versions, cases: Number(options.cases), largest: Number(options.rows), records } });
}

/** What the Python side has. Ends with a sentence when it is not there, or lacks what every rule needs. */
function greeting() {
  const { stdout, stderr, status, error } = spawnSync(
    options.python,
    [fileURLToPath(new URL('peers.py', import.meta.url))],
    { input: '', encoding: 'utf8' },
  );
  if (error || status !== 0) {
    const [last] = (error?.message ?? stderr).trim().split('\n').slice(-1);
    console.error(`The comparison needs ${options.python} with numpy, pandas, scipy, scikit-learn and Pillow: ${last}`);
    process.exit(1);
  }
  const found = JSON.parse(stdout);
  for (const [name, version] of Object.entries(found.versions)) {
    console.log(
      version ? `${name} ${version}` : `${name} cannot be imported (${INSTALL[name]}): its rules are left out.`,
    );
  }
  return found;
}
