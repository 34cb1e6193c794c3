/** The caller's procedure on other folds or other rows: what intervals train beyond the validation itself. */

import { deriveSeed, type RandomSource, randomInterval, randomSource } from '../core/random.js';
import { gather, rowNumbers } from '../data/labels.js';
import { takeSideData, unitsOf } from '../data/sideData.js';
import type { IntervalSettings } from '../intervals/confidenceIntervals.js';
import { refusedFolds } from '../intervals/correctedT.js';
import { countUnits, type Interval, type NestedTest, type Refits } from '../intervals/interval.js';
import { unitStrata } from '../intervals/unitVariance.js';
import { combineFolds } from '../metrics/combineFolds.js';
import { takeRows } from '../metrics/tableRows.js';
import type { CVResults } from '../runner/cvResults.js';
import { trainingCallbacks } from '../runner/hooks.js';
import { runAgain } from '../runner/loop.js';
import type { Prepared } from '../runner/prepare.js';
import type { Problem } from '../runner/readData.js';
import { type RunOptions, runOptions } from '../runner/runOptions.js';
import type { Session } from '../runner/session.js';
import { type FoldPlan, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import type { Fold, Splitter, SplitterClaims } from '../splitters/splitter.js';
import { type HalfRuns, halfRuns, NO_CI_FITS, type RunAgain } from './halfRuns.js';
import { asksFor, type IntervalCall, RANDOM_PARTS, refuseUnmet, whyNone } from './intervalNeeds.js';

export type Estimates = Readonly<Record<string, number | null>>;

/** Options of a run that say what is kept or checked of it, not how models are trained. */
const ABOUT_RESULTS = [
  'metrics',
  'keepModels',
  'modelPath',
  'overwrite',
  'verifyIsolation',
  'returnTrainScores',
  'apparent',
  'refit',
  'folds',
] as const;

interface FirstRun {
  readonly cv: CVResults;
  readonly prepared: Prepared;
  readonly session: Session;
  /** Options of `run` that `estimatesOf` needs. */
  readonly needed?: Partial<RunOptions>;
  /** What is estimated from one run; by default every metric as its `combine` says. */
  readonly estimatesOf?: ((cv: CVResults) => Estimates) | undefined;
}

interface FurtherResults extends Pick<IntervalSettings, 'nested' | 'refitsOf'>, HalfRuns {
  /** That `ciFits`, which the caller wrote, had no effect, and why. */
  readonly unused: readonly string[];
}

export interface FurtherRuns {
  check(prepared: Prepared): void;
  make(first: FirstRun): Promise<FurtherResults>;
}

/** Plans the runs behind `ciFits`, `nested_cv` and `ciRefits`, once what cannot be or would have no effect is refused. */
export function planFurtherRuns(
  call: IntervalCall,
  { problem, seed }: { readonly problem: Problem; readonly seed: number | string },
): FurtherRuns {
  const { methods, splitter } = call;
  const { nestedCvRepeats: repeats, ciRefits, sampling } = call.options;
  refuseUnmet(call);
  const design = methods.has('nested_cv') ? new NestedDesign(splitter, problem, { repeats, seed }) : undefined;
  const unused = (why: string | undefined) =>
    asksFor('ciFits', call) && why !== undefined ? [`\`ciFits\` had no effect: ${why}.`] : [];
  return {
    check: ({ plan, folds }) => refuseUnmet({ ...call, plan, folds, problem }),
    async make(first) {
      const { plan } = first.cv;
      const known = { ...call, plan, folds: first.prepared.folds, problem, cv: first.cv };
      const why = whyNone('all', known);
      if (why !== undefined) return { facts: NO_CI_FITS, noHalves: why, unused: unused(why) };
      const runAgain = again(first);
      const trained =
        design && (await runAgain({ cvSplitter: design, problem, randomState: deriveSeed(seed, 'nested_cv') }));
      const input = { problem, plan, count: ciRefits ?? 0, seed, sampling };
      const halves = await halfRuns({ ...known, session: first.session, seed }, runAgain);
      return {
        ...halves,
        unused: unused(halves.noHalves),
        nested: trained && design.testsOf(trained),
        refitsOf: ciRefits === null ? undefined : await refitEstimates(input, runAgain, first.estimatesOf),
      };
    },
  };
}

/** Silent but for their title, with the callbacks that are part of training: {@link trainingCallbacks}. */
function again({ cv, prepared, session, needed }: FirstRun): RunAgain {
  const scoring = Object.fromEntries(cv.scorers.flatMap(({ name, metric }) => (metric ? [[name, metric.name]] : [])));
  const byDefault = Object.fromEntries(ABOUT_RESULTS.map((name) => [name, runOptions.shape[name].defaultValue]));
  const callbacks = trainingCallbacks(prepared.callbacks);
  const run = { ...byDefault, ...needed, scoring, callbacks, onFoldError: 'each' } as unknown as Parameters<
    typeof runAgain
  >[2]['run'];
  return (further) => runAgain(prepared, session, { ...further, ...(run ? { run } : {}) });
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
export class NestedDesign implements Splitter {
  readonly repeatable = true;
  readonly claims: SplitterClaims;
  /** By repeat the fold that tests each row. */
  readonly #foldOf: readonly Int32Array[];
  /** The folds that each model is trained without, in the order of `split`. */
  readonly #models: readonly { readonly repeat: number; readonly without: readonly number[] }[];
  readonly #units: Int32Array | undefined;

  constructor(
    splitter: Splitter,
    { X, y, data, weight }: Pick<Problem, 'X' | 'y' | 'data' | 'weight'>,
    settings: NestedSettings,
  ) {
    this.#units = unitsOf(data, X.length, weight).codes;
    const assign = (each: Splitter) => assignmentOf(foldsOf(each, X.length, y, data), this.#units);
    const restored = assign(splitter);
    this.#foldOf = settings.repeats === 1 ? [restored] : repeatsOf(splitter, settings).map(assign);
    this.#models = this.#foldOf.flatMap((foldOf, repeat) => {
      const folds = Array.from({ length: countFolds(foldOf) }, (_, fold) => fold);
      const pairs = folds.flatMap((first) => folds.slice(first + 1).map((second) => [first, second]));
      return [...folds.map((fold) => [fold]), ...pairs].map((without) => ({ repeat, without }));
    });
    this.claims = splitter.claims?.disjointGroups ? { disjointGroups: true } : {};
  }

  getNSplits(): number {
    return this.#models.length;
  }

  *split(): Generator<Fold> {
    for (const { repeat, without } of this.#models) {
      const foldOf = this.#foldOf[repeat];
      const side = (tested: boolean) => rowsWhere(foldOf, (fold) => without.includes(fold) === tested);
      const id = `repeat-${repeat}_without-${without.join('-')}`;
      yield { id, repeat, train: side(false), test: side(true) };
    }
  }

  /** What the models said of each fold, from the run that has this design as its splitter. */
  testsOf({ folds }: Pick<CVResults, 'folds'>): NestedTest[] {
    return this.#models.flatMap(({ repeat, without }, model): NestedTest[] => {
      const result = folds[model];
      const rows = rowsWhere(this.#foldOf[repeat], (fold) => without.includes(fold));
      const tested = rows.map((row) => this.#foldOf[repeat][row]);
      return without.map((fold) => {
        const at = rowsWhere(tested, (each) => each === fold);
        const units = gather(rows, at);
        const facts = {
          repeat,
          outer: without.find((each) => each !== fold) ?? fold,
          inner: without.length === 1 ? null : fold,
          units: this.#units ? gather(this.#units, units) : units,
        };
        if (result?.status === 'completed') return { ...facts, table: takeRows(result.table, at) };
        return { ...facts, error: result?.error.message ?? 'a callback ended the run' };
      });
    });
  }
}

const refused = (must: string, got: string, instead?: string) =>
  refusedFolds('ciMethod: nested_cv', must, got, instead);

function repeatsOf(splitter: Splitter, { repeats, seed }: NestedSettings): Splitter[] {
  return Array.from({ length: repeats }, (_, repeat) => {
    const drawn = splitter.redraw?.(deriveSeed(seed, 'nested_cv', repeat));
    if (drawn) return drawn;
    const { options = {} } = splitter as { options?: object };
    const must = 'come from a seed, to be drawn anew in each repeat';
    const instead = 'shuffle' in options ? 'Use shuffle: true, or nestedCvRepeats: 1.' : 'Use nestedCvRepeats: 1.';
    throw refused(must, 'folds without one', instead);
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

function rowsWhere(foldOf: Int32Array, holds: (fold: number) => boolean): Int32Array {
  return Int32Array.from(foldOf.keys()).filter((row) => holds(foldOf[row]));
}

interface RefitInput {
  readonly problem: Problem;
  /** Folds of the run; of several repeats the first is refitted. */
  readonly plan: FoldPlan;
  readonly count: number;
  readonly seed: number | string;
  readonly sampling: Interval['sampling'];
}

/** A patient stays with all copies in the patient's folds of the plan, so that no copy is ever on both sides. */
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

function hasOneClass({ y: { codes }, weight }: Problem, drawn: Int32Array): boolean {
  const rows = weight ? drawn.filter((row) => weight[row] > 0) : drawn;
  return codes.length > 0 && rows.every((row) => codes[row] === codes[rows[0]]);
}
