/** The whole procedure on resampled patients: what `ciRefits` asks for. */

import { deriveSeed, type RandomSource, randomInterval, randomSource } from '../core/random.js';
import { gather, rowNumbers } from '../data/labels.js';
import { takeSideData, unitsOf } from '../data/sideData.js';
import type { Interval, Refits } from '../intervals/interval.js';
import { unitStrata } from '../intervals/unitVariance.js';
import { combineFolds } from '../metrics/combineFolds.js';
import type { CVResults } from '../runner/cvResults.js';
import type { Problem } from '../runner/readData.js';
import { type FoldPlan, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import type { Fold, Splitter } from '../splitters/splitter.js';

/** Runs the procedure once more. Folds that fail are recorded. */
export type RunAgain = (run: {
  readonly cvSplitter: Splitter;
  readonly randomState: number | string;
  readonly problem: Problem;
  /** What progress says of the run; without it, it is silent. */
  readonly title?: string;
  /** A sentence that is written before it starts. */
  readonly announced?: string | undefined;
}) => Promise<CVResults>;

/** Estimates by score; null where there is none. */
export type Estimates = Readonly<Record<string, number | null>>;

export interface RefitInput {
  readonly problem: Problem;
  /** Folds of the run; of several repeats the first is refitted. */
  readonly plan: FoldPlan;
  /** Number of resamples. */
  readonly count: number;
  readonly seed: number | string;
  /** Under case-control sampling the patients of each class are as many as in the data. */
  readonly sampling: Interval['sampling'];
}

/**
 * Draws patients (rows without groups) with replacement and runs the procedure on the rows drawn, `count` times. A
 * patient stays with all copies in the patient's folds of the plan, so that no copy is ever on both sides.
 *
 * @param estimatesOf what is estimated from one run; by default every metric as its `combine` says
 */
export async function refitEstimates(
  { problem, plan, count, seed, sampling }: RefitInput,
  runAgain: RunAgain,
  estimatesOf: (cv: CVResults) => Estimates = combinedEstimates,
): Promise<(score: string) => Refits> {
  const draw = unitDraws(problem, sampling);
  const values: Record<string, number[]> = {};
  for (let refit = 0; refit < count; refit++) {
    const sample = new DrawnFolds(plan, draw(randomSource(deriveSeed(seed, 'refit', refit))));
    if (sample.getNSplits() === 0 || hasOneClass(problem, sample.rows)) continue;
    const drawn = drawnProblem(problem, sample.rows);
    const randomState = deriveSeed(seed, 'refit training', refit);
    const cv = await runAgain({ cvSplitter: sample, problem: drawn, randomState });
    for (const [name, value] of Object.entries(estimatesOf(cv))) {
      values[name] ??= [];
      if (value !== null) values[name].push(value);
    }
  }
  return (score) => ({ values: values[score] ?? [], count });
}

/** Every metric over the folds of a run; none has a value when a fold failed. */
function combinedEstimates({ folds, scorers }: CVResults): Estimates {
  const tables = folds.flatMap((fold) => (fold.status === 'completed' ? [fold.table] : []));
  const complete = tables.length === folds.length;
  return Object.fromEntries(
    scorers.flatMap(({ name, metric }) =>
      metric ? [[name, complete ? combineFolds(metric, tables).value : null]] : [],
    ),
  );
}

/** Gives how often each row is drawn. Units whose rows all have weight 0 are none, so they are never drawn. */
function unitDraws(
  { X, y, data, weight }: Problem,
  sampling: Interval['sampling'],
): (random: RandomSource) => Int32Array {
  const n = X.length;
  const units = unitsOf(data, n, weight).codes ?? rowNumbers(n);
  const rows = rowNumbers(n).filter((row) => !weight || weight[row] > 0);
  const unitOf = gather(units, rows);
  const byClass = sampling === 'case_control' && y.codes.length > 0;
  const strataOfRows = byClass ? unitStrata(gather(y.codes, rows), unitOf) : new Int32Array(rows.length);
  const strata = new Map<number, Set<number>>();
  for (let at = 0; at < rows.length; at++) {
    const members = strata.get(strataOfRows[at]);
    if (members) members.add(unitOf[at]);
    else strata.set(strataOfRows[at], new Set([unitOf[at]]));
  }
  const lists = Array.from(strata.values(), (members) => [...members]);
  return (random) => {
    const times = new Int32Array(n);
    for (const list of lists) for (const _ of list) times[list[randomInterval(random, list.length - 1)]]++;
    return gather(times, units);
  };
}

/** The folds of a plan on the rows drawn; those that have no rows left on a side are left out. */
class DrawnFolds implements Splitter {
  readonly repeatable = true;
  /** Row of the data behind each row drawn, ascending. */
  readonly rows: Int32Array;
  readonly #folds: readonly Fold[];

  /** @param times how often each row was drawn */
  constructor(plan: FoldPlan, times: Int32Array) {
    const starts = new Int32Array(times.length + 1);
    for (let row = 0; row < times.length; row++) starts[row + 1] = starts[row] + times[row];
    this.rows = new Int32Array(starts[times.length]);
    for (let row = 0; row < times.length; row++) this.rows.fill(row, starts[row], starts[row + 1]);
    const first = plan.at(0).repeat;
    this.#folds = Array.from(plan)
      .filter(({ repeat }) => repeat === first)
      .flatMap((fold) => drawnFold(fold, starts));
  }

  getNSplits(): number {
    return this.#folds.length;
  }

  split(): readonly Fold[] {
    return this.#folds;
  }
}

function drawnFold(fold: Fold, starts: Int32Array): Fold[] {
  const copies = (rows: Int32Array) =>
    Int32Array.from(
      Array.from(rows).flatMap((row) =>
        Array.from({ length: starts[row + 1] - starts[row] }, (_, c) => starts[row] + c),
      ),
    ).sort();
  const [train, test] = [copies(fold.train), copies(fold.test)];
  if (train.length === 0 || test.length === 0) return [];
  return [{ id: fold.id, train, test, ...(hasInner(fold) ? { inner: drawnInner(fold, starts) } : {}) }];
}

/** The inner folds of a nested design on the rows drawn. */
function drawnInner(fold: Parameters<typeof innerFoldsOf>[0], starts: Int32Array): Splitter {
  const split = () => [...innerFoldsOf(fold, starts.length - 1)].flatMap((inner) => drawnFold(inner, starts));
  return { split, getNSplits: () => split().length };
}

/** The rows drawn. Without groups the copies of a row are one, so that rows to be watched are cut out with all copies. */
function drawnProblem(problem: Problem, rows: Int32Array): Problem {
  const { X, y, auxiliary, data, weight } = problem;
  const taken = auxiliary && Object.entries(auxiliary).map(([output, labels]) => [output, labels.take(rows)]);
  return {
    ...problem,
    X: X.take(rows),
    y: y.take(rows),
    auxiliary: taken && Object.fromEntries(taken),
    data: { groups: rows, ...takeSideData(data, rows) },
    weight: weight && gather(weight, rows),
  };
}

/** Classes that rows of weight above 0 have. */
function hasOneClass({ y: { codes }, weight }: Problem, drawn: Int32Array): boolean {
  const rows = weight ? drawn.filter((row) => weight[row] > 0) : drawn;
  return codes.length > 0 && rows.every((row) => codes[row] === codes[rows[0]]);
}
