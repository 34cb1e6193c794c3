/** Folds and rows of further runs: halves of the units, folds without one and without two, and resamples of the units. */

import { deriveSeed, type RandomSource, randomInterval, randomSource, shuffle } from '../core/random.js';
import { concat, gather, rowNumbers } from '../data/labels.js';
import { takeSideData, unitsOf } from '../data/sideData.js';
import { refusedFolds } from '../intervals/correctedT.js';
import {
  countUnits,
  type Halves,
  type Interval,
  type ModelTest,
  type NestedTest,
  type Refits,
} from '../intervals/interval.js';
import { intervalFolds, sideOf } from '../intervals/intervalFolds.js';
import { unitStrata } from '../intervals/unitVariance.js';
import { combineFolds } from '../metrics/combineFolds.js';
import { takeRows } from '../metrics/tableRows.js';
import type { CVResults } from '../runner/cvResults.js';
import type { Problem } from '../runner/readData.js';
import { type FoldPlan, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { innerFolds } from '../splitters/iid/nestedCV.js';
import type { Fold, Splitter, SplitterClaims } from '../splitters/splitter.js';
import { RANDOM_PARTS, wholeUnits } from './intervalNeeds.js';

type Data = Pick<Problem, 'X' | 'y' | 'data' | 'weight'>;

interface Drawing {
  /** How many halvings, or resamples. */
  readonly count: number;
  readonly seed: number | string;
  /** Under case-control sampling each class is drawn from alone; in a cohort classes fall as they may. */
  readonly sampling: Interval['sampling'];
}

const foldsBy = (count: number, at: (index: number) => Fold, claims?: SplitterClaims): Splitter => ({
  repeatable: true,
  ...(claims ? { claims } : {}),
  getNSplits: () => count,
  *split() {
    for (let index = 0; index < count; index++) yield at(index);
  },
});

/** The units of some rows, in the strata that are drawn from. Units whose rows all have weight 0 are none. */
function drawnUnits({ y, weight }: Data, rows: Int32Array, unitOf: Int32Array, sampling: Drawing['sampling']) {
  const counting = weight ? rows.filter((row) => weight[row] > 0) : rows;
  const units = gather(unitOf, counting);
  const byClass = sampling === 'case_control' && y.codes.length > 0;
  const strata = byClass ? unitStrata(gather(y.codes, counting), units) : new Int32Array(units.length);
  const members = new Map<number, Set<number>>();
  strata.forEach((stratum, at) => {
    members.set(stratum, (members.get(stratum) ?? new Set()).add(units[at]));
  });
  return Array.from(members.values(), (each) => Int32Array.from(each));
}

/**
 * Random halves of the units, two folds for each halving: train on the one, test on the other. Of a design with one fold
 * the training units are halved, and both models are tested on the test rows of that fold. Halving r is the same whatever
 * the number of halvings.
 */
export function halvesDesign(
  kind: Halves['kind'],
  plan: FoldPlan,
  data: Data,
  { count, seed, sampling, inner }: Drawing & { readonly inner?: Splitter | undefined },
): Splitter {
  const single = kind === 'test_set';
  const [only] = plan;
  const all = single ? only.train : rowNumbers(plan.n);
  const unitOf = wholeUnits(data, plan.n) ?? rowNumbers(plan.n);
  const strata = drawnUnits(data, all, unitOf, sampling).map((units) => units.sort());
  const isCounted = new Uint8Array(plan.n);
  for (const unit of concat(strata)) isCounted[unit] = 1;
  const rows = all.filter((row) => isCounted[unitOf[row]] === 1);
  const isFirst = new Uint8Array(plan.n);
  const at = (index: number): Fold => {
    const [halving, side] = [Math.floor(index / 2), index % 2];
    const random = randomSource(deriveSeed(seed, 'ciFits', halving));
    const shuffled = concat(strata.map((units) => shuffle(random, units.slice())));
    // Classes of odd size take turns with the unit that is left over.
    for (const [place, unit] of shuffled.entries()) isFirst[unit] = 1 - (place % 2);
    const half = (first: boolean) => rows.filter((row) => isFirst[unitOf[row]] === Number(first));
    const fold = {
      id: `halving-${halving}_half-${side}`,
      repeat: halving,
      train: half(single === (side === 0)),
      test: single ? only.test : half(side === 0),
    };
    return inner ? { ...fold, inner: innerFolds(inner, () => fold, data) } : fold;
  };
  return foldsBy(2 * count, at, {});
}

/** What the models of the halves predicted, from the run of {@link halvesDesign}. */
export function halvesFrom(
  { folds, plan }: Pick<CVResults, 'folds' | 'plan'>,
  data: Pick<Problem, 'data' | 'weight'>,
  facts: Pick<Halves, 'kind' | 'sampling'>,
): Halves {
  const tests = Array.from(
    { length: plan.length },
    (): ModelTest => ({ units: new Int32Array(), error: 'a callback ended the run' }),
  );
  for (const [at, { table, units }] of intervalFolds({ folds, plan }, sideOf(data)).folds.entries()) {
    const fold = folds[at];
    const error = fold.status === 'failed' ? fold.error.message : 'it failed';
    tests[fold.fold.index] = table ? { table, units } : { units, error };
  }
  const halvings = Array.from({ length: plan.length / 2 }, (_, at) => [tests[2 * at], tests[2 * at + 1]] as const);
  return { ...facts, halvings };
}

interface NestedSettings {
  readonly repeats: number;
  readonly seed: number | string;
}

/**
 * Repeats of the folds of `splitter`, each from a seed of its own, as the models that nested cross-validation trains: per
 * repeat K without one fold, tested on it, and K (K - 1) / 2 without two, tested on both. A model without the folds j
 * and k serves k as the outer fold and j as the inner one, and the other way round.
 */
export function nestedDesign(splitter: Splitter, { X, y, data, weight }: Data, settings: NestedSettings) {
  const units = unitsOf(data, X.length, weight).codes;
  const assign = (each: Splitter) => assignmentOf(foldsOf(each, X.length, y, data), units);
  const restored = assign(splitter);
  const byRepeat = settings.repeats === 1 ? [restored] : repeatsOf(splitter, settings).map(assign);
  const models = byRepeat.flatMap((foldOf, repeat) => {
    const folds = Array.from({ length: countFolds(foldOf) }, (_, fold) => fold);
    const pairs = folds.flatMap((first) => folds.slice(first + 1).map((second) => [first, second]));
    return [...folds.map((fold) => [fold]), ...pairs].map((without) => ({ repeat, without, foldOf }));
  });
  const at = (index: number): Fold => {
    const { repeat, without, foldOf } = models[index];
    const side = (tested: boolean) => rowsWhere(foldOf, (fold) => without.includes(fold) === tested);
    return { id: `repeat-${repeat}_without-${without.join('-')}`, repeat, train: side(false), test: side(true) };
  };
  return {
    splitter: foldsBy(models.length, at, splitter.claims?.disjointGroups ? { disjointGroups: true } : {}),
    /** What the models predicted of each fold. */
    testsOf: ({ folds }: Pick<CVResults, 'folds'>): NestedTest[] =>
      models.flatMap(({ repeat, without, foldOf }, model) => {
        const result = folds[model];
        const rows = rowsWhere(foldOf, (fold) => without.includes(fold));
        return without.map((fold): NestedTest => {
          const places = rowsWhere(gather(foldOf, rows), (each) => each === fold);
          const tested = gather(rows, places);
          const facts = {
            repeat,
            outer: without.find((each) => each !== fold) ?? fold,
            inner: without.length === 1 ? null : fold,
            units: units ? gather(units, tested) : tested,
          };
          if (result?.status === 'completed') return { ...facts, table: takeRows(result.table, places) };
          return { ...facts, error: result?.error.message ?? 'a callback ended the run' };
        });
      }),
  };
}

const refused = (must: string, got: string, instead?: string) =>
  refusedFolds('ciMethod: nested_cv', must, got, instead);

/** The same splitter with other seeds. */
function repeatsOf(splitter: Splitter, { repeats, seed }: NestedSettings): Splitter[] {
  return Array.from({ length: repeats }, (_, repeat) => {
    const drawn = splitter.redraw?.(deriveSeed(seed, 'nested_cv', repeat));
    if (drawn) return drawn;
    const { options } = splitter as { options?: { shuffle?: unknown } };
    const instead =
      options?.shuffle === false ? 'Use shuffle: true, or nestedCvRepeats: 1.' : 'Use nestedCvRepeats: 1.';
    throw refused('be drawn anew from a seed in each repeat', 'folds that cannot be', instead);
  });
}

/** The fold that tests each row in the first repeat of a plan, or the error for folds that cannot serve. */
function assignmentOf(plan: FoldPlan, units: Int32Array | undefined): Int32Array {
  const foldOf = new Int32Array(plan.n).fill(-1);
  const first = plan.at(0).repeat;
  let whole = true;
  for (const { repeat, number, train, test } of plan) {
    if (repeat !== first) continue;
    whole &&= train.length + test.length === plan.n && test.every((row) => foldOf[row] === -1);
    for (const row of test) foldOf[row] = number;
  }
  if (!whole || foldOf.includes(-1)) {
    throw refused(RANDOM_PARTS, plan.length === 1 ? 'one split' : `those of ${plan.splitterName}`);
  }
  const K = countFolds(foldOf);
  if (K < 3) throw refused('be at least 3', String(K), 'Use nSplits: 5.');
  for (let fold = 0; fold < K; fold++) {
    const rows = rowsWhere(foldOf, (each) => each === fold);
    if (countUnits([{ units: units ? gather(units, rows) : rows }]) > 1) continue;
    throw refused(`have at least two ${units ? 'patients' : 'rows'} each`, 'a fold of one', 'Use fewer folds.');
  }
  return foldOf;
}

const countFolds = (foldOf: Int32Array) => foldOf.reduce((most, fold) => Math.max(most, fold), -1) + 1;

const rowsWhere = (foldOf: Int32Array, holds: (fold: number) => boolean) =>
  rowNumbers(foldOf.length).filter((row) => holds(foldOf[row]));

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

type Estimates = Readonly<Record<string, number | null>>;

/** What is estimated from one run. */
export type EstimatesOf = (cv: CVResults) => Estimates;

interface RefitInput extends Drawing {
  readonly problem: Problem;
  /** Folds of the run; of several repeats the first is refitted. */
  readonly plan: FoldPlan;
}

/**
 * Draws units with replacement and runs the procedure on the rows drawn. A patient stays with all copies in the patient's
 * folds of the plan, so that no copy is ever on both sides.
 */
export async function refitEstimates(
  { problem, plan, count, seed, sampling }: RefitInput,
  runAgain: RunAgain,
  estimatesOf: EstimatesOf = combinedEstimates,
): Promise<(score: string) => Refits> {
  const unitOf = unitsOf(problem.data, plan.n, problem.weight).codes ?? rowNumbers(plan.n);
  const strata = drawnUnits(problem, rowNumbers(plan.n), unitOf, sampling);
  const values: Record<string, number[]> = {};
  for (let refit = 0; refit < count; refit++) {
    const times = gather(timesDrawn(randomSource(deriveSeed(seed, 'refit', refit)), strata, plan.n), unitOf);
    const { rows, splitter } = drawnFolds(plan, times);
    if (splitter.getNSplits() === 0 || hasOneClass(problem, rows)) continue;
    const randomState = deriveSeed(seed, 'refit training', refit);
    const cv = await runAgain({ cvSplitter: splitter, problem: drawnProblem(problem, rows), randomState });
    for (const [name, value] of Object.entries(estimatesOf(cv))) {
      values[name] ??= [];
      if (value !== null) values[name].push(value);
    }
  }
  return (score) => ({ values: values[score] ?? [], count });
}

/** Every metric as its `combine` says; none has a value when a fold failed. */
function combinedEstimates({ folds, scorers }: CVResults): Estimates {
  const tables = folds.flatMap((fold) => (fold.status === 'completed' ? [fold.table] : []));
  const complete = tables.length === folds.length;
  return Object.fromEntries(
    scorers.flatMap(({ name, metric }) =>
      metric ? [[name, complete ? combineFolds(metric, tables).value : null]] : [],
    ),
  );
}

/** How often each unit is drawn. */
function timesDrawn(random: RandomSource, strata: readonly Int32Array[], n: number): Int32Array {
  const times = new Int32Array(n);
  for (const list of strata) for (const _ of list) times[list[randomInterval(random, list.length - 1)]]++;
  return times;
}

/** The folds of a plan on the rows drawn, ascending; those that have no rows left on a side are left out. */
function drawnFolds(plan: FoldPlan, times: Int32Array): { readonly rows: Int32Array; readonly splitter: Splitter } {
  const starts = new Int32Array(times.length + 1);
  for (let row = 0; row < times.length; row++) starts[row + 1] = starts[row] + times[row];
  const rows = new Int32Array(starts[times.length]);
  for (let row = 0; row < times.length; row++) rows.fill(row, starts[row], starts[row + 1]);
  const first = plan.at(0).repeat;
  const folds = Array.from(plan).flatMap((fold) => (fold.repeat === first ? drawnFold(fold, starts) : []));
  return { rows, splitter: foldsBy(folds.length, (index) => folds[index]) };
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

function drawnInner(fold: Parameters<typeof innerFoldsOf>[0], starts: Int32Array): Splitter {
  const split = () => [...innerFoldsOf(fold, starts.length - 1)].flatMap((inner) => drawnFold(inner, starts));
  return { split, getNSplits: () => split().length };
}

/** Without groups the copies of a row are one, so that rows to be watched are cut out with all copies. */
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

function hasOneClass({ y: { codes }, weight }: Problem, drawn: Int32Array): boolean {
  const rows = weight ? drawn.filter((row) => weight[row] > 0) : drawn;
  return codes.length > 0 && rows.every((row) => codes[row] === codes[rows[0]]);
}
