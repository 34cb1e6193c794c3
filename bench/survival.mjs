/**
 * Times of outcomes by time: concordance of a million rows with ties and weights, Brier scores of 10,000 rows at 100 times
 * and integrated, and a Cox regression of 10,000 rows and 50 columns beside R's coxph, where R and its survival are installed (CVKIT_R: another Rscript).
 * Best of three each, in one run.
 *
 * node scripts/build.mjs && node bench/survival.mjs
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomSource } from 'cvkit';
import { brierScores, integratedBrier } from '../dist/modules/src/survival/brier.js';
import { timedConcordance } from '../dist/modules/src/survival/concordance.js';
import { coxFit } from '../dist/modules/src/survival/coxFit.js';
import { censoringColumns } from '../dist/modules/src/survival/ipcw.js';
import { kaplanMeier } from '../dist/modules/src/survival/kaplanMeier.js';

const R = process.env.CVKIT_R ?? 'Rscript';
const random = randomSource(47);
const best = (work) => {
  const seconds = [0, 1, 2].map(() => {
    const start = performance.now();
    work();
    return (performance.now() - start) / 1000;
  });
  return Math.min(...seconds);
};
const say = (what, seconds, goal) => console.log(`${what}: ${seconds.toFixed(3)} s (goal ${goal})`);

/** Events and censoring of a rate of 1 each, in steps of `step`. */
function outcomes(n, step, hazard = () => 1) {
  const [time, event] = [new Float64Array(n), new Int32Array(n)];
  for (let row = 0; row < n; row++) {
    const [dies, leaves] = [-Math.log(1 - random.random()) / hazard(row), -Math.log(1 - random.random())];
    time[row] = Math.ceil(Math.min(dies, leaves) / step) * step;
    event[row] = Number(dies <= leaves);
  }
  return { time, event };
}

{
  const n = 1_000_000;
  const known = outcomes(n, 0.001);
  const risk = Float64Array.from({ length: n }, () => Math.round(1000 * random.random()) / 1000);
  const weight = Float64Array.from({ length: n }, () => 1 + Math.floor(3 * random.random()));
  say(
    'concordance, 1,000,000 rows with ties and weights',
    best(() => timedConcordance(known, risk, weight)),
    '3 s',
  );
}

{
  const [n, count] = [10_000, 100];
  const known = outcomes(n, 0.01);
  const times = Float64Array.from({ length: count }, (_, at) => (2 * (at + 1)) / count);
  const censoring = censoringColumns(kaplanMeier(known, null, 'censoring'), known.time, Array.from(times));
  const predicted = Float64Array.from({ length: n * count }, (_, at) => Math.exp(-times[at % count]));
  const scored = () => {
    const scores = brierScores({ outcomes: known, weight: null, cause: null, times, predicted, censoring });
    return integratedBrier(scores, times);
  };
  say('integrated Brier score, 10,000 rows x 100 times', best(scored), '0.2 s');
}

{
  const [n, width] = [10_000, 50];
  const columns = Array.from({ length: width }, () =>
    Float64Array.from({ length: n }, () => random.random() + random.random() - 1),
  );
  const known = outcomes(n, 0.001, (row) => Math.exp(columns[0][row] - columns[1][row]));
  const ours = best(() => coxFit({ outcomes: known, columns }));
  say('Cox regression, 10,000 rows x 50 columns', ours, '3 times coxph');
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-bench-'));
  try {
    const file = join(folder, 'rows.csv');
    const rows = Array.from({ length: n }, (_, row) =>
      [known.time[row], known.event[row], ...columns.map((column) => column[row])].join(),
    );
    writeFileSync(file, `time,event,${columns.map((_, at) => `x${at}`).join()}\n${rows.join('\n')}\n`);
    const program = `library(survival); d <- read.csv("${file}"); s <- sapply(1:3, function(i) system.time(coxph(Surv(time, event) ~ ., d))[["elapsed"]]); cat(min(s))`;
    const { status, stdout, error } = spawnSync(R, ['-e', program], { encoding: 'utf8', timeout: 300_000 });
    if (status === 0) console.log(`coxph: ${stdout} s; ours takes ${(ours / Number(stdout)).toFixed(2)} times that`);
    else console.log(`coxph was not run: ${error?.message ?? `${R} has no survival`}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
