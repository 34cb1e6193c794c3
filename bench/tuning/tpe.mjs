/**
 * The sampler 'tpe' beside the TPESampler of Optuna 5: the best value after 100 trials, which should be as good, and the time
 * per trial at 1,000 trials, which should be at most half. Trials go one after the other, without constant liar.
 *
 * Python is taken from the variable CVKIT_PYTHON, else `python3` on the path; without Optuna 5 there our numbers stand alone.
 * Usage: npm run bench:tpe, or npm run bench:tpe clock branin for some of the parts; SEEDS=20 for fewer repetitions.
 */
import { RandomSampler, Study, TPESampler } from 'cvkit/tuning';
import { mean, median, verdicts } from '../tfjs/verdicts.mjs';
import { networkTable } from './network.mjs';
import { OBJECTIVES, tableObjective } from './objectives.mjs';
import { openOptuna } from './optuna.mjs';

const SEEDS = Number(process.env.SEEDS ?? 200);
const TRIALS = 100;
/** Trials before the clock is read, and trials that it is read for. */
const CLOCK = { after: 1000, trials: 50 };
const WAYS = [{ multivariate: true }, { multivariate: false }];

const PARTS = {
  clock,
  branin: (optuna) => searches('branin', optuna),
  hartmann6: (optuna) => searches('hartmann6', optuna),
  rosenbrock5: (optuna) => searches('rosenbrock5', optuna),
  conditional: (optuna) => searches('conditional', optuna),
  network,
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) throw new Error(`There is no part '${unknown}'. Parts: ${Object.keys(PARTS).join(', ')}.`);

const optuna = openOptuna();
try {
  console.log(`Node ${process.version}, ${optuna ? optuna.version : 'without Optuna'}`);
  for (const [name, part] of Object.entries(PARTS)) {
    if (asked.length === 0 || asked.includes(name)) await part(optuna);
  }
} finally {
  await optuna?.close();
}

async function searches(name, optuna) {
  await sameFunction(optuna, name);
  const random = await bestValues(OBJECTIVES[name], SEEDS, TRIALS, () => new RandomSampler());
  console.log(`\n${name} with random draws: median ${median(random).toPrecision(4)}`);
  for (const way of WAYS) {
    const task = { do: 'search', objective: name, trials: TRIALS, seeds: SEEDS, ...way };
    await compare(`${name}, ${wayText(way)}`, OBJECTIVES[name], task, optuna);
  }
}

/** Smallest values of both sides, and whether ours are larger by more than chance. */
async function compare(title, objective, task, optuna) {
  const { seeds, trials, multivariate, direction } = task;
  const sampler = () => new TPESampler({ multivariate, constantLiar: false });
  // The other side first: both would take time from one another.
  const theirs = await optuna?.run(task);
  const ours = await bestValues(objective, seeds, trials, sampler, direction);
  const rows = [
    { measure: 'cvkit: median', value: median(ours), digits: 5 },
    { measure: 'cvkit: mean', value: mean(ours), digits: 5 },
  ];
  if (theirs) {
    // Small is good below: the other direction is turned round.
    const sign = direction === 'maximize' ? -1 : 1;
    const { p, isSmaller } = rankSum(
      ours.map((value) => sign * value),
      theirs.map((value) => sign * value),
    );
    rows.push(
      { measure: 'Optuna: median', value: median(theirs), digits: 5 },
      { measure: 'Optuna: mean', value: mean(theirs), digits: 5 },
      {
        measure: `p of the rank sum, ours ${isSmaller ? 'smaller' : 'larger'}`,
        value: p,
        digits: 4,
        atLeast: isSmaller ? 0 : 0.05,
      },
    );
  }
  verdicts(`${title}; best of ${trials} trials, ${seeds} seeds`, rows);
}

async function bestValues(objective, seeds, trials, sampler, direction = 'minimize') {
  const best = [];
  for (let seed = 0; seed < seeds; seed++) {
    const study = new Study({ direction, sampler: sampler(), randomState: seed });
    await study.optimize(objective, { nTrials: trials });
    best.push(study.bestValue);
  }
  return best;
}

async function clock(optuna) {
  for (const way of WAYS) {
    const task = { do: 'clock', objective: 'sixParameters', ...way, ...CLOCK };
    // In turns, so that a busy machine is busy for both; the first round warms up.
    const [ours, theirs] = [[], []];
    for (let round = 0; round <= 3; round++) {
      ours[round] = median(ourTimes(task));
      if (optuna) theirs[round] = median(await optuna.run(task));
    }
    const rows = [{ measure: 'cvkit: ms', value: median(ours.slice(1)) }];
    if (optuna) {
      const ratio = median(ours.slice(1)) / median(theirs.slice(1));
      rows.push(
        { measure: 'Optuna: ms', value: median(theirs.slice(1)) },
        { measure: 'ratio', value: ratio, atMost: 0.5 },
      );
    }
    verdicts(`ask, suggest and tell at ${CLOCK.after} trials of 6 parameters, ${wayText(way)}`, rows);
  }
}

function ourTimes({ multivariate, objective, after, trials }) {
  const study = new Study({ sampler: new TPESampler({ multivariate, constantLiar: false }), randomState: 1 });
  const times = [];
  for (let number = 0; number < after + trials; number++) {
    const started = performance.now();
    const trial = study.ask();
    study.tell(trial, OBJECTIVES[objective](trial));
    if (number >= after) times.push(performance.now() - started);
  }
  return times;
}

async function network(optuna) {
  const table = await networkTable();
  if (!table) return;
  for (const way of WAYS) {
    const task = { do: 'search', table, direction: 'minimize', trials: 30, seeds: Math.min(SEEDS, 30), ...way };
    await compare(`network on WDBC, ${wayText(way)}`, tableObjective(table), task, optuna);
  }
}

/** Throws where the other side means another function. */
async function sameFunction(optuna, objective) {
  if (!optuna) return;
  const study = await new Study({ sampler: 'random' }).optimize(OBJECTIVES[objective], { nTrials: 50 });
  const theirs = await optuna.run({ do: 'values', objective, points: study.trials.map(({ params }) => params) });
  for (const { number, value } of study.trials) {
    if (!(Math.abs(value - theirs[number]) <= 1e-9 * (1 + Math.abs(value)))) {
      throw new Error(`${objective} is ${value} here and ${theirs[number]} there.`);
    }
  }
}

function wayText({ multivariate }) {
  return multivariate ? 'parameters together' : 'each parameter by itself';
}

/** Wilcoxon's rank sum of two samples: two-sided p by the normal approximation with ties, and whether `a` is the smaller. */
function rankSum(a, b) {
  const all = [...a.map((value) => ({ value, own: true })), ...b.map((value) => ({ value, own: false }))];
  all.sort((x, y) => x.value - y.value);
  let [sum, ties] = [0, 0];
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && all[to].value === all[from].value) to++;
    const size = to - from;
    ties += size ** 3 - size;
    for (let at = from; at < to; at++) if (all[at].own) sum += (from + 1 + to) / 2;
  }
  const [n, m, total] = [a.length, b.length, all.length];
  const above = sum - (n * (total + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  const z = variance === 0 ? 0 : Math.max(0, Math.abs(above) - 0.5) / Math.sqrt(variance);
  return { p: twoSided(z), isSmaller: above < 0 };
}

/** Two-sided p of a z, by adding up the density; four digits are enough here. */
function twoSided(z) {
  let area = 0;
  for (let at = 0; at < 2000; at++) area += Math.exp(-0.5 * (((at + 0.5) * z) / 2000) ** 2);
  return Math.max(0, 1 - (2 * area * z) / 2000 / Math.sqrt(2 * Math.PI));
}
