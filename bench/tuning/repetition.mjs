/** One repetition on noise: a nested search, and a search on all rows whose best score BBC-CV corrects. */
import { randomSource, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { WIDTH } from './noiseModels.mjs';

export const ROWS = 100;
export const INNER = 3;

export const outerFolds = (number) => new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: number });

export async function repetition(kind, number) {
  const data = noise(number);
  const nested = await timed(() => searchOn(data, kind, number));
  const whole = await timed(() => searchOn(data, kind, number, { outer: false }));
  const { estimate, lower, upper } = nested.result.outerEstimate;
  return {
    naive: whole.result.bestScore,
    naiveNested: nested.result.bestScore,
    nested: estimate,
    corrected: whole.result.correctedBest.estimate,
    covered: Number(lower <= 0.5 && 0.5 <= upper),
    models: nested.result.modelsTrained + whole.result.modelsTrained,
    secondsNested: nested.seconds,
    secondsWhole: whole.seconds,
  };
}

/** A search of the whole grid; nested unless `more` says otherwise. */
export function searchOn(data, { Model, paramGrid }, number, more) {
  const first = Object.fromEntries(Object.entries(paramGrid).map(([name, [value]]) => [name, value]));
  return new UniversalCVRunner({ cvSplitter: outerFolds(number), verbose: 0 }).runWithHyperparameterTuning({
    modelFn: (params) => new Model(params),
    paramGrid,
    sampler: 'grid',
    scoring: 'roc_auc',
    metrics: ['roc_auc'],
    data,
    randomState: number,
    ...(more ?? { innerCv: INNER, defaultParams: first }),
  });
}

/** Normal numbers, and labels half of which are 1, in an order at random. */
export function noise(number) {
  const random = randomSource(`noise/${number}`);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  const X = Array.from({ length: ROWS }, () => Array.from({ length: WIDTH }, normal));
  const y = Array.from({ length: ROWS }, (_, row) => [row % 2, random.random()])
    .sort(([, a], [, b]) => a - b)
    .map(([label]) => label);
  return { X, y };
}

/** All combinations of a grid of lists. */
export const combinations = (grid) =>
  Object.entries(grid).reduce(
    (all, [name, values]) => all.flatMap((params) => values.map((value) => ({ ...params, [name]: value }))),
    [{}],
  );

export async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - start) / 1000 };
}
