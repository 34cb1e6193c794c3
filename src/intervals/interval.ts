import { counted } from '../core/format.js';
import { mean } from '../core/numbers.js';
import type { RandomSource } from '../core/random.js';
import { encode } from '../data/encode.js';
import { concat } from '../data/labels.js';
import { MIN_UNITS } from '../data/sideData.js';
import { type Metric, type Score, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { joinTables } from '../metrics/tableRows.js';
import { effectiveUnits } from './effectiveUnits.js';
import type { SharedDraws } from './sharedDraws.js';

/** Cochran's Q of the folds' values: see `foldHeterogeneity`. */
export interface Heterogeneity {
  readonly q: number;
  /** Number of folds less one. */
  readonly df: number;
  readonly pValue: number;
  /** Which of the folds with a value adds most to Q, from 0. */
  readonly largest: number;
}

/** An estimate with its limits, what it is about, and what was resampled or counted. */
export interface Interval {
  /** Null when the metric has no value on any fold; then `reason` says why. */
  readonly estimate: number | null;
  /** Null with a `reason` when there is no interval. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** For example .95. */
  readonly level: number;
  readonly method: string;
  /**
   * `procedure`: expected value on new patients when the procedure is trained on as many rows as a fold's training
   * set. `predictions`: average performance of the fitted fold models on new patients. `refitted_model`: the model
   * refitted on all rows.
   */
  readonly estimand: 'procedure' | 'predictions' | 'refitted_model';
  /** What counts as independent, and is resampled: `patient`, `row`, ... */
  readonly independentUnit: string;
  /** Number of different independent units that were tested. */
  readonly nUnits: number;
  /** What the estimate averages over: every row counts alike, or every patient. */
  readonly averagedOver: 'row' | 'patient';
  /** @deprecated The same as `independentUnit`. */
  readonly unit: string;
  /** @deprecated The same as `averagedOver`. */
  readonly unitOfAnalysis: 'row' | 'patient';
  /** Mean number of units in a training set, rounded; null when nothing is known of training. */
  readonly nTrain: number | null;
  /** `cohort`: the share of the classes is random, too. `case_control`: the numbers per class are fixed. */
  readonly sampling: 'cohort' | 'case_control';
  /** Standard error of the estimate, in units of the metric; left out where the limits are not made from one. */
  readonly standardError?: number;
  /** Degrees of freedom of the standard error. */
  readonly df?: number;
  /** Share of the variance that training adds, 0 to 1; left out where it is not estimated. */
  readonly trainingShare?: number;
  /** Whether the folds differ more than their test rows explain; left out where that cannot be tested. */
  readonly heterogeneity?: Heterogeneity;
  /** Sentences that belong to every report of the interval. */
  readonly note?: string;
  readonly reason?: string;
}

export interface IntervalFold {
  readonly score: Score;
  readonly table?: ScoreTable;
  /** Unit of each test row, coded alike in all folds: codes of the groups, else row numbers. */
  readonly units: Int32Array;
  readonly nTrain: number;
  readonly repeat: number;
}

/**
 * Rows that a model of a nested design was tested on: those of fold `outer`, or of `inner` by the model without both.
 */
export interface NestedTest extends ModelTest {
  readonly repeat: number;
  readonly outer: number;
  /** Number of the inner fold; null for the outer fold itself. */
  readonly inner: number | null;
}

export interface ModelTest {
  /** Left out when the model failed; then `error` says why. */
  readonly table?: ScoreTable;
  /** Unit of each test row, coded as those of the folds. */
  readonly units: Int32Array;
  readonly error?: string;
}

/** Models trained on half of the units each: what `ciFits` makes, and intervals estimate the part of training from. */
export interface Halves {
  /**
   * `crossed`: the units are split at random in two halves, and each is tested by the model that was trained on the other.
   * `test_set`: the training units are split, and both models are tested on the same rows, which trained neither.
   */
  readonly kind: 'crossed' | 'test_set';
  readonly sampling: Interval['sampling'];
  readonly halvings: readonly (readonly [ModelTest, ModelTest])[];
}

export interface Refits {
  readonly values: readonly number[];
  readonly count: number;
}

export interface IntervalInput {
  readonly metric: Metric;
  /** All folds of all repeats, in the order of the plan. */
  readonly folds: readonly IntervalFold[];
  readonly level: number;
  readonly unit: string;
  readonly nBootstrap: number;
  readonly random: RandomSource;
  /** Left out, they are drawn from `random`. */
  readonly draws?: SharedDraws | undefined;
  /** The caller wrote no number of resamples. */
  readonly closedForm?: boolean | undefined;
  /** `cohort` when left out. */
  readonly sampling?: Interval['sampling'] | undefined;
  readonly nested?: readonly NestedTest[] | undefined;
  readonly refits?: Refits | undefined;
  readonly halves?: Halves | undefined;
  /** Why there are none, or how to have them. */
  readonly noHalves?: string | undefined;
  /** Why there can be no limits, where that is known before. */
  readonly obstacle?: string | undefined;
  readonly fixedModel?: boolean;
  readonly design?: Readonly<
    Partial<
      Record<'partition' | 'stratified' | 'timeOrdered' | 'keepsTies' | 'purged' | 'exhaustive' | 'separated', boolean>
    >
  >;
}

export type IntervalMethod = (input: IntervalInput) => Interval;

const MIN_EFFECTIVE = 5;

export const allUnits = (parts: readonly { readonly units: Int32Array }[]): Int32Array =>
  concat(parts.map(({ units }) => units));

/** One more than the largest code. */
export function numberOfCodes(parts: readonly { readonly units: Int32Array }[]): number {
  let largest = -1;
  for (const { units } of parts) for (let row = 0; row < units.length; row++) largest = Math.max(largest, units[row]);
  return largest + 1;
}

interface CodedUnits {
  readonly codes: Int32Array;
  readonly count: number;
}

/** The last codes by the units of the first part: a dozen metrics need the same ones. */
const coded = new WeakMap<Int32Array, CodedUnits & { readonly parts: readonly Int32Array[] }>();

export function codedUnits(parts: readonly { readonly units: Int32Array }[]): CodedUnits {
  const arrays = parts.map(({ units }) => units);
  const last = arrays.length > 0 ? coded.get(arrays[0]) : undefined;
  if (last?.parts.length === arrays.length && arrays.every((units, at) => units === last.parts[at])) return last;
  const { codes, classes } = encode(allUnits(parts));
  const entry = { codes, count: classes.length, parts: arrays };
  if (arrays.length > 0) coded.set(arrays[0], entry);
  return entry;
}

export const countUnits = (folds: readonly Pick<IntervalFold, 'units'>[]): number => codedUnits(folds).count;

export const unitFacts = (independentUnit: string, averagedOver: Interval['averagedOver'] = 'row') => ({
  independentUnit,
  averagedOver,
  unit: independentUnit,
  unitOfAnalysis: averagedOver,
});

interface Tested extends Pick<IntervalInput, 'level' | 'unit' | 'sampling'> {
  readonly folds: readonly Pick<IntervalFold, 'units' | 'nTrain'>[];
}

export function intervalFacts({ folds, level, unit, sampling = 'cohort' }: Tested) {
  const nTrain = mean(folds.map((fold) => fold.nTrain));
  return {
    level,
    ...unitFacts(unit),
    nUnits: countUnits(folds),
    nTrain: nTrain > 0 ? Math.round(nTrain) : null,
    sampling,
  } as const;
}

export const tooFewUnits = (nUnits: number, unit: string): string | undefined =>
  nUnits < MIN_UNITS ? `only ${counted(nUnits, unit)}, fewer than ${MIN_UNITS}` : undefined;

export function tooUneven(table: ScoreTable, units: ArrayLike<number>, unit: string): string | undefined {
  const effective = effectiveUnits({}, table, units);
  if (effective >= MIN_EFFECTIVE) return undefined;
  return `the weight lies on few ${unit}s, worth ${Number(effective.toFixed(1))} of equal weight, fewer than ${MIN_EFFECTIVE}`;
}

export function commonObstacle(input: IntervalInput, nUnits: number): string | undefined {
  const { folds, unit, metric, sampling, obstacle } = input;
  if (obstacle !== undefined) return obstacle;
  if (sampling === 'case_control' && metric.dependsOnPrevalence) {
    return `${metric.name} depends on the prevalence, which case-control sampling does not estimate`;
  }
  const failed = folds.filter(({ table }) => !table).length;
  if (failed > 0) return `${failed} of ${counted(folds.length, 'fold')} failed`;
  const tested = folds.flatMap(({ table, units, repeat }) =>
    table && repeat === folds[0].repeat ? [{ table, units }] : [],
  );
  return tooFewUnits(nUnits, unit) ?? tooUneven(joinTables(tested.map(({ table }) => table)), allUnits(tested), unit);
}

/** Undefined without any note. */
export function joinNotes(...notes: (string | undefined)[]): { note?: string } {
  const present = notes.filter((note) => note !== undefined);
  return present.length > 0 ? { note: present.join(' ') } : {};
}

/** A mean of folds rests on those with a value; failed folds stay, for their reason. */
export function foldsThatCount<F extends Pick<IntervalFold, 'table'>>(
  metric: Metric,
  folds: readonly F[],
): readonly F[] {
  if (metric.combine === 'pooled') return folds;
  const valued = new Set(folds.filter(({ table }) => table && score(metric, table).value !== null));
  return valued.size === 0 ? folds : folds.filter((fold) => !fold.table || valued.has(fold));
}
