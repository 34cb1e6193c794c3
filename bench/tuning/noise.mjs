/**
 * What a search says of pure noise, where the true AUC is .5: rows of normal numbers, balanced labels that have nothing to do
 * with them, 100 configurations. The best inner score flatters itself; the nested estimate and BBC-CV must not.
 *
 * Goals, over 100 repetitions: best inner AUC above .6 (else there was nothing to be honest about), nested .5 +- .02, BBC-CV at
 * most .54. Besides: how often the interval of the nested estimate holds .5, and what the search takes beside a loop by hand.
 *
 * Usage: npm run bench:tuning, or node bench/tuning/noise.mjs REPETITIONS
 */
import { randomSource, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { mean, median, verdicts } from '../tfjs/verdicts.mjs';
import { bareSearch } from './bareSearch.mjs';
import { GRID, OfColumns, UNTRAINED_GRID, Untrained, WIDTH } from './noiseModels.mjs';

const REPETITIONS = Number(process.argv[2] ?? 100);
const ROWS = 100;
const OUTER = 5;
const INNER = 3;
/** Every so many repetitions the loop by hand is timed beside the search. */
const TIMED_EACH = 10;

const MODELS = {
  'logistic regression of 1 to 4 of 20 columns': { Model: OfColumns, paramGrid: GRID },
  'scores that nobody trained': { Model: Untrained, paramGrid: UNTRAINED_GRID },
};

for (const [title, model] of Object.entries(MODELS)) await measure(title, model);

async function measure(title, { Model, paramGrid }) {
  const found = { naive: [], nested: [], corrected: [], covered: [], naiveNested: [] };
  const seconds = { nested: 0, whole: 0 };
  const perFit = { search: [], bare: [] };
  let fits = 0;
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const data = noise(repetition);
    const options = {
      modelFn: (params) => new Model(params),
      paramGrid,
      sampler: 'grid',
      scoring: 'roc_auc',
      metrics: ['roc_auc'],
      data,
      randomState: repetition,
    };
    const outerCv = new StratifiedKFold({ nSplits: OUTER, shuffle: true, randomState: repetition });
    const runner = new UniversalCVRunner({ cvSplitter: outerCv, verbose: 0 });
    const defaultParams = Object.fromEntries(Object.entries(paramGrid).map(([name, [first]]) => [name, first]));
    const nested = await timed(() => runner.runWithHyperparameterTuning({ ...options, innerCv: INNER, defaultParams }));
    const whole = await timed(() => runner.runWithHyperparameterTuning({ ...options, outer: false }));
    seconds.nested += nested.seconds;
    seconds.whole += whole.seconds;
    fits += nested.result.modelsTrained + whole.result.modelsTrained;
    const { estimate, lower, upper } = nested.result.outerEstimate;
    found.nested.push(estimate);
    found.covered.push(Number(lower <= 0.5 && 0.5 <= upper));
    found.naiveNested.push(nested.result.bestScore);
    found.naive.push(whole.result.bestScore);
    found.corrected.push(whole.result.correctedBest.estimate);
    if (repetition % TIMED_EACH > 0) continue;
    const make = (params) => new Model(params);
    const bare = await timed(() =>
      bareSearch(data, { make, configurations: combinations(paramGrid), outerCv, innerFolds: INNER }),
    );
    perFit.search.push((1000 * nested.seconds) / nested.result.modelsTrained);
    perFit.bare.push((1000 * bare.seconds) / bare.result);
  }
  const error = (values) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)) / (values.length - 1));
  const row = (measure, values, bounds) => ({ measure, value: mean(values), digits: 4, ...bounds });
  const ratios = perFit.search.map((each, at) => each / perFit.bare[at]);
  verdicts(
    `${title}: AUC on noise, ${ROWS} rows, ${combinations(paramGrid).length} configurations, ${REPETITIONS} repetitions`,
    [
      row('naive: best inner score', found.naive, { atLeast: 0.6 }),
      row('nested estimate', found.nested, { atLeast: 0.48, atMost: 0.52 }),
      row('BBC-CV of the best', found.corrected, { atMost: 0.54 }),
      { measure: 'standard error of naive', value: error(found.naive), digits: 4 },
      { measure: 'standard error of nested', value: error(found.nested), digits: 4 },
      { measure: 'standard error of BBC-CV', value: error(found.corrected), digits: 4 },
      row('best inner score of the nested run', found.naiveNested),
      row('share of 95 % intervals of nested that hold .5', found.covered),
      { measure: 'models trained', value: fits, digits: 0 },
      { measure: 'seconds, nested', value: seconds.nested, digits: 1 },
      { measure: 'seconds, outer: false', value: seconds.whole, digits: 1 },
      { measure: 'ms for each model, nested search', value: median(perFit.search), digits: 4 },
      { measure: 'ms for each model, loop by hand', value: median(perFit.bare), digits: 4 },
      { measure: 'ratio of the two, median', value: median(ratios) },
    ],
  );
}

/** Normal numbers, and labels half of which are 1, in an order at random. */
function noise(repetition) {
  const random = randomSource(`noise/${repetition}`);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  const X = Array.from({ length: ROWS }, () => Array.from({ length: WIDTH }, normal));
  const y = Array.from({ length: ROWS }, (_, row) => [row % 2, random.random()])
    .sort(([, a], [, b]) => a - b)
    .map(([label]) => label);
  return { X, y };
}

function combinations(grid) {
  return Object.entries(grid).reduce(
    (all, [name, values]) => all.flatMap((params) => values.map((value) => ({ ...params, [name]: value }))),
    [{}],
  );
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - start) / 1000 };
}
