/** The caller's procedure on other folds or other rows: what intervals train beyond the validation itself. */

import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { deriveSeed } from '../core/random.js';
import { gather } from '../data/labels.js';
import { unitsOf } from '../data/sideData.js';
import { checkMethodDesign, type IntervalSettings, rejectUnusedResamples } from '../intervals/confidenceIntervals.js';
import { unfitForFurtherRuns } from '../intervals/correctedT.js';
import { countUnits, type NestedTest } from '../intervals/interval.js';
import { sideOf } from '../intervals/intervalFolds.js';
import type { IntervalMethodName } from '../intervals/methodNames.js';
import { takeRows } from '../metrics/tableRows.js';
import type { CVResults } from '../runner/cvResults.js';
import { trainingCallbacks } from '../runner/hooks.js';
import { runAgain } from '../runner/loop.js';
import type { Prepared } from '../runner/prepare.js';
import type { Problem } from '../runner/readData.js';
import { type RunOptions, runOptions } from '../runner/runOptions.js';
import type { Session } from '../runner/session.js';
import { type FoldPlan, foldsOf } from '../splitters/foldsOf.js';
import type { Fold, Splitter, SplitterClaims } from '../splitters/splitter.js';
import { NO_CI_FITS } from './ciFits.js';
import {
  asksForHalves,
  type HalfRuns,
  halfRuns,
  refuseHalves,
  refuseHalvesOf,
  rejectWithoutDefault,
  someFolds,
} from './halfRuns.js';
import { type Estimates, type RunAgain, refitEstimates } from './refits.js';
import type { validatorOptions } from './validatorOptions.js';

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

const FITTED = 'the intervals of fitValidate are about the fitted model on new patients';

/** How the validation was run, and what came of it. */
interface FirstRun {
  readonly cv: CVResults;
  readonly prepared: Prepared;
  readonly session: Session;
  /** Options of `run` that `estimatesOf` needs. */
  readonly needed?: Partial<RunOptions>;
  /** What is estimated from one run; by default every metric as its `combine` says. */
  readonly estimatesOf?: ((cv: CVResults) => Estimates) | undefined;
}

interface Made extends Pick<IntervalSettings, 'nested' | 'refitsOf'>, HalfRuns {
  /** That `ciFits`, which the caller wrote, had no effect, and why. */
  readonly unused: readonly string[];
}

/** The runs that intervals need beyond the validation. */
export interface FurtherRuns {
  /** Refuses what cannot be with these folds. */
  check(prepared: Prepared): void;
  make(first: FirstRun): Promise<Made>;
}

/**
 * Plans the runs behind `ciFits`, `nested_cv` and `ciRefits` and refuses, before anything is trained, what cannot be or would have
 * no effect: `check` what depends on the folds. `make` makes them once the validation itself has run; scores without a
 * metric, and a run that a callback ended, need none.
 */
export function planFurtherRuns(
  validator: Parsed<typeof validatorOptions.shape>,
  methods: ReadonlySet<IntervalMethodName>,
  { splitter, problem, seed, fitted }: { splitter: Splitter; problem: Problem; seed: number | string; fitted: boolean },
): FurtherRuns {
  const { ciMethod, nestedCvRepeats, ciRefits, sampling } = validator.options;
  rejectUnusedRuns(validator, methods, splitter.claims);
  if (fitted && asksForHalves(validator)) rejectUnusedOption('CVKitValidator', 'ciFits', FITTED);
  refuseHalves(validator, methods, splitter);
  const design = methods.has('nested_cv')
    ? new NestedDesign(splitter, problem, { repeats: nestedCvRepeats, seed })
    : undefined;
  const unused = (why: string | undefined) =>
    asksForHalves(validator) && why !== undefined ? [`\`ciFits\` had no effect: ${why}.`] : [];
  const check = (prepared: Prepared) => {
    checkMethodDesign(ciMethod, prepared.plan.claims, { prepared, data: sideOf(problem) });
    refuseHalvesOf(validator, prepared);
  };
  const make = async (first: FirstRun): Promise<Made> => {
    const { plan, folds, scorers } = first.cv;
    const none = (noHalves: string) => ({ facts: NO_CI_FITS, noHalves, unused: unused(noHalves) });
    if (folds.length < plan.length) return none(someFolds(first.prepared) ?? 'a callback ended the run');
    if (!scorers.some(({ metric }) => metric)) return none('no score is a metric');
    const runAgain = again(first);
    const trained =
      design && (await runAgain({ cvSplitter: design, problem, randomState: deriveSeed(seed, 'nested_cv') }));
    const input = { problem, plan, count: ciRefits ?? 0, seed, sampling };
    const halves = fitted
      ? { noHalves: FITTED, facts: NO_CI_FITS }
      : await halfRuns(validator, methods, { ...first, splitter, problem, seed, runAgain });
    return {
      ...halves,
      unused: unused(halves.noHalves),
      nested: trained && design.testsOf(trained),
      refitsOf: ciRefits === null ? undefined : await refitEstimates(input, runAgain, first.estimatesOf),
    };
  };
  return { check, make };
}

/**
 * Further runs are silent but for their title and score the metrics of the first one alone. They are trained with
 * the callbacks that are part of training: {@link trainingCallbacks}. An option that is wrong for fewer rows alone fails its
 * fold, as any error does: the validation has run.
 */
function again({ cv, prepared, session, needed }: FirstRun): RunAgain {
  const scoring = Object.fromEntries(cv.scorers.flatMap(({ name, metric }) => (metric ? [[name, metric.name]] : [])));
  const byDefault = Object.fromEntries(ABOUT_RESULTS.map((name) => [name, runOptions.shape[name].defaultValue]));
  const callbacks = trainingCallbacks(prepared.callbacks);
  const run = { ...byDefault, ...needed, scoring, callbacks, onFoldError: 'each' } as unknown as Parameters<
    typeof runAgain
  >[2]['run'];
  return (further) => runAgain(prepared, session, { ...further, ...(run ? { run } : {}) });
}

function rejectUnusedRuns(
  { options, changed }: Parsed<typeof validatorOptions.shape>,
  methods: ReadonlySet<IntervalMethodName>,
  claims: SplitterClaims | undefined,
): void {
  if (changed.has('nestedCvRepeats') && !methods.has('nested_cv')) {
    rejectUnusedOption('CVKitValidator', 'nestedCvRepeats', "no score has the ciMethod 'nested_cv'");
  }
  rejectUnusedResamples('CVKitValidator', changed, methods);
  if (options.ciRefits === null) return;
  const owner = 'CVKitValidator';
  rejectWithoutDefault(methods, 'ciRefits');
  const unfit = unfitForFurtherRuns(claims);
  if (unfit) rejectUnusedOption(owner, 'ciRefits', `with ${unfit} intervals are not about the procedure`);
}

// The folds behind `ciMethod: 'nested_cv'`.

interface Settings {
  readonly repeats: number;
  readonly seed: number | string;
}

/**
 * Repeats of the folds of `splitter`, each from a seed of its own, as the models that nested cross-validation trains: per
 * repeat K without one fold, tested on it, and K (K - 1) / 2 without two, tested on both. A model without the folds j
 * and k serves k as the outer fold and j as the inner one, and the other way round.
 *
 * Throws {@link InvalidOptionError} for fewer than three folds, for folds that are no random parts of all rows, and for
 * several repeats of a splitter that draws nothing from a seed.
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
    settings: Settings,
  ) {
    refuseDesign(splitter);
    this.#units = unitsOf(data, X.length, weight).codes;
    const assign = (each: Splitter) => assignmentOf(foldsOf(each, X.length, y, data), this.#units);
    const asGiven = assign(splitter);
    this.#foldOf = settings.repeats === 1 ? [asGiven] : repeatsOf(splitter, settings).map(assign);
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

const refused = (must: string, got: string, instead = 'Use oof_bootstrap instead.') =>
  new InvalidOptionError(sentence('The folds of `ciMethod: nested_cv`', must, phrase(got), instead), {
    code: 'interval_method',
  });

const RANDOM_PARTS = 'be random parts of the data that test every row once and train on all others';

function refuseDesign(splitter: Splitter): void {
  const { claims } = splitter;
  const got = splitter.nested ? 'folds with inner folds' : unfitForFurtherRuns(claims);
  if (got) throw refused(RANDOM_PARTS, got);
}

/** Splitters that give one repeat each: the same one with other seeds. */
function repeatsOf(splitter: Splitter, { repeats, seed }: Settings): Splitter[] {
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

/** Places at which `holds` is true, ascending. */
function rowsWhere(foldOf: Int32Array, holds: (fold: number) => boolean): Int32Array {
  return Int32Array.from(foldOf.keys()).filter((row) => holds(foldOf[row]));
}
