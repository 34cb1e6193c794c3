/** What each way to an interval needs: one table of when it is possible, and of the reason that is printed when it is not. */

import { overlapOf } from '../checkers/overlap.js';
import { Components } from '../core/components.js';
import { counted } from '../core/format.js';
import { type Parsed, rejectUnusedOption } from '../core/options.js';
import { gather, rowNumbers } from '../data/labels.js';
import { groupsOf, patientsOf, unitsOf } from '../data/sideData.js';
import { unusedResamples } from '../intervals/confidenceIntervals.js';
import { RANDOM_FOLDS, refusedFolds, unfitDesign, unfitForFurtherRuns } from '../intervals/correctedT.js';
import { MIN_PER_CLASS, unfitForTraining } from '../intervals/foldInterval.js';
import type { Halves } from '../intervals/interval.js';
import { countedUnits, intervalFolds, sideOf } from '../intervals/intervalFolds.js';
import type { IntervalMethodName } from '../intervals/methodNames.js';
import { isInfluential } from '../intervals/unitBlocks.js';
import type { CVResults } from '../runner/cvResults.js';
import type { Prepared } from '../runner/prepare.js';
import type { Problem } from '../runner/readData.js';
import { countingFolds } from '../splitters/derivedPlan.js';
import { type FoldPlan, hasInner } from '../splitters/foldsOf.js';
import type { Splitter } from '../splitters/splitter.js';
import { mixedGroups } from './chooseDesign.js';
import type { validatorOptions } from './validatorOptions.js';

type Validator = Parsed<typeof validatorOptions.shape>;

/** What is known before the folds are made. */
export interface IntervalCall extends Pick<Validator, 'options' | 'changed'> {
  readonly methods: ReadonlySet<IntervalMethodName>;
  readonly splitter: Splitter;
  /** One model is fitted on a given set. */
  readonly fitted: boolean;
}
type WithFolds = IntervalCall & Pick<Prepared, 'plan' | 'folds'> & { readonly problem: Problem };
export type WithResults = WithFolds & { readonly cv: CVResults };

type Way = 'nBootstrap' | 'nestedCvRepeats' | 'ciRefits' | 'ciFits' | 'corrected_t' | 'nested_cv';

interface Known {
  readonly options: IntervalCall;
  readonly folds: WithFolds;
  readonly results: WithResults;
}
type Stage = keyof Known;

/**
 * A row: the way, what follows, and why it is not open, if it is not. `idle`: the option has no effect; `unfit`: the folds do not
 * serve: both are refused before anything is trained, where the caller asks for it. `none`: no further models are trained (of any
 * way, or of halves), and notes say why.
 */
type Need<Of> = readonly [
  of: Way | 'all',
  then: 'idle' | 'unfit' | 'none',
  why: (known: Of) => string | false | undefined,
];

const NEEDS: { readonly [S in Stage]: readonly Need<Known[S]>[] } = {
  options: [
    ['corrected_t', 'unfit', ({ splitter }) => unfitDesign(splitter.claims)],
    ['nestedCvRepeats', 'idle', ({ methods }) => !methods.has('nested_cv') && NO_NESTED],
    ['nBootstrap', 'idle', ({ methods }) => unusedResamples(methods)],
    ['ciRefits', 'idle', ({ methods }) => !isDefault(methods) && NO_DEFAULT],
    ['ciRefits', 'idle', ({ splitter }) => notAboutProcedure(unfitForFurtherRuns(splitter.claims))],
    ['ciFits', 'idle', ({ fitted }) => fitted && FITTED],
    ['ciFits', 'idle', ({ methods }) => !isDefault(methods) && NO_DEFAULT],
    ['ciFits', 'idle', ({ options }) => options.ciRefits !== null && REFITS],
    ['ciFits', 'idle', ({ splitter }) => splitter.estimator && 'this estimate has an interval by `ciRefits` alone'],
    ['ciFits', 'unfit', ({ splitter }) => unfitForFurtherRuns(splitter.claims)],
    ['nested_cv', 'unfit', ({ splitter }) => splitter.nested && 'folds with inner folds'],
    ['nested_cv', 'unfit', ({ splitter }) => unfitForFurtherRuns(splitter.claims)],
  ],
  folds: [
    ['corrected_t', 'unfit', (known) => unfitDesign(known.plan.claims, unitsTested(known))],
    ['ciFits', 'idle', someFolds],
    ['ciFits', 'unfit', (known) => unfitForFurtherRuns(known.plan.claims, unitsTested(known))],
    ['ciFits', 'unfit', noPartition],
    ['ciFits', 'unfit', unfitUnits],
  ],
  results: [
    ['all', 'none', someFolds],
    ['all', 'none', ({ cv, plan }) => cv.folds.length < plan.length && 'a callback ended the run'],
    ['all', 'none', ({ cv }) => cv.scorers.every(({ metric }) => !metric) && 'no score is a metric'],
    ['ciFits', 'none', ({ fitted }) => fitted && FITTED],
    ['ciFits', 'none', ({ cv }) => !isTrained(cv) && 'nothing is trained'],
    ['ciFits', 'none', ({ cv }) => !hasInfluence(cv) && 'no score has an influence function'],
    ['ciFits', 'none', failedFolds],
    ['ciFits', 'none', (known) => known.plan.length === 1 && tooFew(known)],
    ['ciFits', 'none', unfitTraining],
    ['ciFits', 'none', unfitUnits],
    ['ciFits', 'none', noPartition],
    ['ciFits', 'none', tooFew],
  ],
};

const FITTED = 'the intervals of fitValidate are about the fitted model on new patients';
const NO_NESTED = "no score has the ciMethod 'nested_cv'";
const REFITS = '`ciRefits` estimates what training adds';
const NO_DEFAULT = "no score has the ciMethod 'bootstrap' or 'analytic'";

/** Folds that are refused: what they must be, and what to use. */
export const RANDOM_PARTS = 'be random parts of the data that test every row once and train on all others';
const MUST: Readonly<Partial<Record<Way, readonly [must: string, instead?: string]>>> = {
  corrected_t: [RANDOM_FOLDS],
  nested_cv: [RANDOM_PARTS],
  ciFits: [
    'be random parts of the data, each row tested once per repeat, or one given test set',
    'Use such folds, or ciFits: 0: the interval is then about the models of these folds.',
  ],
};

export function asksFor(way: Way, { options, changed, methods }: IntervalCall): boolean {
  if (way === 'corrected_t' || way === 'nested_cv') return methods.has(way);
  if (way === 'ciRefits') return options.ciRefits !== null;
  return changed.has(way) && !(way === 'ciFits' && options.ciFits === 0);
}

function firstUnmet<S extends Stage>(stage: S, known: Known[S], concerns: (of: Way | 'all') => boolean) {
  for (const [of, then, why] of NEEDS[stage]) {
    const got = concerns(of) && why(known);
    if (got) return { of, then, got };
  }
  return undefined;
}

/** Throws {@link InvalidOptionError} for what the caller asks for and cannot have; with folds, for what depends on them. */
export function refuseUnmet(known: IntervalCall | WithFolds): void {
  const requested = (of: Way | 'all') => of !== 'all' && asksFor(of, known);
  const unmet = 'plan' in known ? firstUnmet('folds', known, requested) : firstUnmet('options', known, requested);
  if (!unmet) return;
  const { of, then, got } = unmet;
  if (then === 'idle') rejectUnusedOption('CVKitValidator', of, got);
  const [must, instead] = MUST[of as Way] as readonly [string, string?];
  throw refusedFolds(of === 'ciFits' ? of : `ciMethod: ${of}`, must, got, instead);
}

export const whyNone = (which: 'all' | 'ciFits', known: WithResults): string | undefined =>
  firstUnmet('results', known, (of) => of === which)?.got;

/** Whether some score has the default interval, which alone uses halves and refits, with its own estimate and no refits. */
export const usesHalves = ({ options, methods, splitter }: IntervalCall): boolean =>
  isDefault(methods) && options.ciRefits === null && !splitter.estimator;

const isDefault = (methods: ReadonlySet<IntervalMethodName>) => methods.has('bootstrap') || methods.has('analytic');
const notAboutProcedure = (unfit: string | undefined) => unfit && `with ${unfit} intervals are not about the procedure`;

function someFolds({ plan, folds }: Pick<WithFolds, 'plan' | 'folds'>): string | undefined {
  return folds.length < plan.length ? `\`folds\` runs ${folds.length} of ${plan.length} folds` : undefined;
}

function noPartition({ plan, problem }: WithFolds): string | undefined {
  return halvesKind(plan, problem) ? undefined : 'folds that are no partition of the rows';
}

function unitsTested({ plan, folds, problem }: WithFolds) {
  const { unitsOfRows } = countedUnits(plan, sideOf(problem));
  return folds.map((place) => ({ units: unitsOfRows(plan.at(place).test) }));
}

const isTrained = ({ metadata, foldDetails }: CVResults) =>
  metadata.fixedModel === null || foldDetails.some(({ adjustment }) => adjustment?.from);

const hasInfluence = ({ scorers }: CVResults) => scorers.some(({ metric }) => metric && isInfluential(metric));

function failedFolds({ cv }: WithResults): string | undefined {
  const failed = cv.folds.filter(({ status }) => status === 'failed').length;
  return failed > 0 ? `${counted(failed, 'fold')} failed` : undefined;
}

function unfitTraining({ cv, problem }: WithResults): string | undefined {
  const { folds, unit } = intervalFolds(cv, sideOf(problem));
  return unfitForTraining({ folds, unit, design: cv.plan.claims });
}

/** Halves keep the units of the interval whole, and together are all rows. */
function unfitUnits({ plan, problem: { data, weight }, splitter: { nested } }: WithFolds): string | undefined {
  const { codes, unit } = unitsOf(data, plan.n, weight);
  const split = codes ? overlapOf(countingFolds(plan, weight), codes, plan.n).split : [];
  if (split.length > 0) return `folds that split ${unit}s, the unit of the interval`;
  if (plan.length > 1 && leavesOut(plan, weight)) return 'folds that train on some of the other rows alone';
  if (hasInner(plan.at(0)) && !nested)
    return 'inner folds of a splitter that does not say how it makes them (`nested`)';
  const { wholeLevel: level } = plan.claims;
  if (level === undefined) return undefined;
  // Groups without a hierarchy are the level.
  const ids = data.hierarchy?.[level] ?? data.groups;
  const isWithin =
    codes && ids && mixedGroups(groupsOf(ids, plan.n), (first, row) => codes[first] !== codes[row]).length === 0;
  return isWithin ? undefined : `folds of whole ${level}s`;
}

function leavesOut(plan: FoldPlan, weight: Problem['weight']): boolean {
  for (const { test, train } of plan.sides()) {
    if (!train) continue;
    const used = new Uint8Array(plan.n);
    for (const rows of [test, train]) for (const row of rows) used[row] = 1;
    if (used.some((is, row) => is === 0 && weight?.[row] !== 0)) return true;
  }
  return false;
}

function tooFew({ plan, problem }: WithFolds): string | undefined {
  const [{ train, test }] = plan;
  if (plan.length > 1) return fewUnits(rowNumbers(plan.n), plan, problem);
  const training = fewUnits(train, plan, problem);
  if (training !== undefined) return `in the training set ${training}`;
  const tested = fewUnits(test, plan, problem, { halved: false });
  return tested && `in the test set ${tested}`;
}

/** Too few units in a class; or of rows that are halved, too few groups of units that share no patient. */
function fewUnits(all: Int32Array, plan: FoldPlan, problem: Problem, { halved = true } = {}): string | undefined {
  const { task, classes, codes } = problem.y;
  const { unit, counts, unitsOfRows } = countedUnits(plan, sideOf(problem));
  const rows = all.filter(counts);
  const units = unitsOfRows(rows);
  const table = codes.length > 0 ? { table: { task, classes, yTrue: gather(codes, rows), length: rows.length } } : {};
  const unfit = unfitForTraining({ folds: [{ units, ...table }], unit });
  const wholes = halved ? wholeUnits(problem, plan.n) : undefined;
  if (unfit !== undefined || !wholes) return unfit;
  const count = new Set(gather(wholes, rows)).size;
  if (count >= MIN_PER_CLASS || count === new Set(units).size) return undefined;
  return `only ${counted(count, 'group')} of ${unit}s that share no patient, fewer than ${MIN_PER_CLASS}`;
}

/** Codes of what halves keep whole: units, and with them the patients who have rows in several, as at two sites. */
export function wholeUnits({ data, weight }: Pick<Problem, 'data' | 'weight'>, n: number): Int32Array | undefined {
  const { codes } = unitsOf(data, n, weight);
  const patients = patientsOf(data, n);
  if (!codes || !patients) return codes;
  const together = new Components(n);
  together.joinEqual(codes);
  together.joinEqual(patients.codes);
  return Int32Array.from(together.codes().codes);
}

/** `crossed`: every row is tested once per repeat; `test_set`: one fold; undefined for others. */
export function halvesKind(
  plan: FoldPlan,
  { weight }: { readonly weight?: ArrayLike<number> | null | undefined },
): Halves['kind'] | undefined {
  if (plan.length === 1) return 'test_set';
  const byRepeat = new Map<number, Uint8Array>();
  for (const { test, repeat } of plan) {
    const times = byRepeat.get(repeat) ?? new Uint8Array(plan.n);
    byRepeat.set(repeat, times);
    // More than twice is as wrong as twice.
    for (const row of test) times[row] = Math.min(times[row] + 1, 2);
  }
  const tested = [...byRepeat.values()].map((times) => times.every((count, row) => count === 1 || weight?.[row] === 0));
  return tested.every(Boolean) ? 'crossed' : undefined;
}
