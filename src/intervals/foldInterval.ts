import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf } from '../core/format.js';
import { hasReason } from '../core/hasReason.js';
import { incompleteBeta } from '../core/incompleteBeta.js';
import { unbiasedVariance } from '../core/numbers.js';
import { classText } from '../data/labels.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { effectiveUnits, unitsOfClasses } from './effectiveUnits.js';
import { type Counted, framedInterval } from './framedInterval.js';
import {
  codedUnits,
  commonObstacle,
  countUnits,
  foldsThatCount,
  type Halves,
  type Heterogeneity,
  type Interval,
  type IntervalFold,
  type IntervalInput,
  joinNotes,
  type Refits,
} from './interval.js';
import { limitsOf } from './limits.js';
import { type HalfContrasts, halfContrasts, MIN_HALVINGS, widenedLimits, withTraining } from './trainingPart.js';
import { unitBlocks } from './unitBlocks.js';
import type { UnitVariance } from './unitVariance.js';

/** With fewer units in a class, halves and resamples are unreliable. */
export const MIN_PER_CLASS = 20;

type TestSpread =
  | { readonly variance: number; readonly df: number; readonly notes: readonly (string | undefined)[] }
  | { readonly reason: string };

/**
 * An interval of the estimate over folds from the variance between the units that were tested, about the models of these
 * folds; about the procedure when what training adds is known from `halves` ({@link withTraining}) or from `refits`, where
 * the larger of the two standard errors counts: what the test rows alone explain is part of what refits measure.
 */
export function foldInterval(
  input: IntervalInput,
  method: 'bootstrap' | 'analytic',
  testSpread: (repeats: Counted['repeats'], nUnits: number) => TestSpread,
): Interval {
  const refits = input.refits && refitsOf(input, input.refits);
  const training = input.halves && trainingOf(input, input.halves);
  const known = training && !hasReason(training) ? training : undefined;
  const why = training && hasReason(training) ? training.reason : input.noHalves;
  const estimand = refits?.se || known ? 'procedure' : 'predictions';
  return framedInterval(input, { method, estimand }, ({ estimate, nUnits, repeats }) => {
    const spread = testSpread(repeats, nUnits);
    if (hasReason(spread)) return spread;
    const own = Math.sqrt(spread.variance);
    const { variance, df, trainingShare } = known ? withTraining(spread, known) : { ...spread, trainingShare: null };
    const se = Math.max(Math.sqrt(variance), refits?.se ?? 0);
    const { note, ...limits } = limitsOf(input, repeats.flat(), {
      estimate,
      se,
      df,
      widened: known && ((share) => widenedLimits(share, known)),
    });
    const heterogeneity = input.fixedModel ? undefined : foldHeterogeneity(input, spread);
    return {
      ...limits,
      ...(heterogeneity ? { heterogeneity } : {}),
      // At a bound the standard error has no part from the test rows.
      ...(trainingShare === null || limits.standardError === undefined ? {} : { trainingShare }),
      ...joinNotes(
        known && aboutTraining(input, known, trainingShare === 0),
        estimand === 'procedure' || input.fixedModel ? undefined : `${NOT_TRAINING}${why ? `: ${why}` : ''}.`,
        neighbours(input),
        rarelyCalled(input),
        refits && aboutRefits(input, refits, own),
        ...spread.notes,
        note,
      ),
    };
  });
}

const NOT_TRAINING = 'What another training set would change is not in the interval';

function trainingOf(input: IntervalInput, halves: Halves) {
  const reason = unfitForTraining(input);
  if (reason !== undefined) return { reason };
  const found = halfContrasts(input.metric, { folds: input.folds, halves });
  if (!found) return { reason: `${input.metric.name} has no influence function` };
  if (found.contrasts.length >= MIN_HALVINGS) return found;
  return { reason: `${lost(found, halves)}, which leaves fewer than ${MIN_HALVINGS}` };
}

function lost({ failed, skipped }: Pick<HalfContrasts, 'failed' | 'skipped'>, { halvings }: Halves): string {
  const [error] = halvings.flat().flatMap((half) => half.error ?? []);
  const causes = [
    ...(failed > 0 ? [`${failed} with a model that failed${error ? ` (${nameText(error, 200)})` : ''}`] : []),
    ...(skipped > 0 ? [`${skipped} without a value in a half, or with fewer than two units of a class there`] : []),
  ];
  return `of ${counted(halvings.length, 'halving')}, ${causes.join(' and ')} could not be used`;
}

function aboutTraining({ halves, unit, level }: IntervalInput, found: HalfContrasts, unseen: boolean): string {
  const single = found.kind === 'test_set';
  const models = `${2 * found.contrasts.length} models of half of the ${single ? 'training ' : ''}${unit}s`;
  const share = percentOf(level);
  const aside = unseen
    ? ` Scores of these models differ no more than by chance, so nothing is added: an effect can be missed, and the limits may hold less often than ${share}.`
    : single
      ? ` Its variance is taken to halve with twice the patients; where it falls less, as for trees, the limits hold less often than ${share}.`
      : '';
  const text = `What another training set would change is in the interval: ${models} estimate it.${aside}`;
  return halves && found.failed + found.skipped > 0 ? `${text} ${sentenceCase(lost(found, halves))}.` : text;
}

const sentenceCase = (text: string) => text[0].toUpperCase() + text.slice(1);

/** Neighbours in time or space are not independent, though units count so. */
function neighbours({ design = {}, unit }: IntervalInput): string | undefined {
  const { timeOrdered, keepsTies, purged, separated } = design;
  const where = timeOrdered || keepsTies || purged ? 'in time' : separated ? 'apart in space' : undefined;
  return where && `The folds are ${where}, where neighbours are alike, but ${unit}s count as independent.`;
}

/** Then metrics of counts lie near a corner of their range, where limits hold less often (docs/coverage.md). */
function rarelyCalled({ metric, folds, unit, level }: IntervalInput): string | undefined {
  if (metric.needs !== 'labels' || metric.decomposable) return undefined;
  const least = fewestPerClass(folds, 'yPred');
  if (!least || least.units >= MIN_PER_CLASS) return undefined;
  return `Only ${counted(least.units, unit)} ${least.units === 1 ? 'is' : 'are'} called ${least.name}, fewer than ${MIN_PER_CLASS}: the limits may hold less often than ${percentOf(level)}.`;
}

function refitsOf(input: IntervalInput, refits: NonNullable<IntervalInput['refits']>) {
  const single = input.folds.length === 1 ? 'one split says nothing about other training sets' : undefined;
  const reason = single ?? unfitForTraining(input);
  return reason === undefined ? refitSpread(refits) : ({ se: null, reason } as const);
}

function aboutRefits({ refits, unit }: IntervalInput, spread: RefitSpread, own: number): string {
  if (spread.se === null) return `The refits were not used: ${spread.reason}.`;
  const which =
    spread.se > own ? 'larger than that of the test rows and was used' : 'smaller than that of the test rows';
  const text = `The standard error of ${counted(refits?.count ?? 0, 'refit')} on resampled ${unit}s, times sqrt(.632), is ${which}.`;
  return spread.note ? `${text} ${spread.note}` : text;
}

/** Why models on other rows do not show what training adds in this design; undefined when they do. */
export function unfitForTraining({
  folds,
  design = {},
  unit,
  fixedModel,
}: Pick<IntervalInput, 'design' | 'unit' | 'fixedModel'> & {
  readonly folds: readonly Tested[];
}): string | undefined {
  if (fixedModel) return 'nothing is trained';
  const { timeOrdered, keepsTies, purged, separated, exhaustive } = design;
  if (timeOrdered || keepsTies || purged || separated) return 'the folds are no random parts of the data';
  const single = folds.every(({ units }) => units.every((each) => each === units[0]));
  if (exhaustive || (single && folds.length > 2)) return `the folds leave out every ${unit} in turn`;
  const smallest = fewestPerClass(folds);
  if (smallest && smallest.units < MIN_PER_CLASS) {
    return `only ${counted(smallest.units, unit)} of class ${smallest.name}, fewer than ${MIN_PER_CLASS}`;
  }
  const all = countUnits(folds);
  return all < MIN_PER_CLASS ? `only ${counted(all, unit)}, fewer than ${MIN_PER_CLASS}` : undefined;
}

type Tested = Pick<IntervalFold, 'units'> & {
  readonly table?: Pick<ScoreTable, 'task' | 'classes' | 'yTrue' | 'length'> & Partial<Pick<ScoreTable, 'yPred'>>;
};

function fewestPerClass(folds: readonly Tested[], codes: 'yTrue' | 'yPred' = 'yTrue') {
  const table = folds.find((fold) => fold.table)?.table;
  if (table?.task !== 'binary' && table?.task !== 'multiclass') return undefined;
  const { codes: unitOf, count } = codedUnits(folds);
  const classOf = new Int32Array(unitOf.length).fill(-1);
  let end = 0;
  for (const { table, units } of folds) {
    if (table) classOf.set(table[codes] ?? [], end);
    end += units.length;
  }
  const perClass = unitsOfClasses(classOf, table.classes.length, { codes: unitOf, classes: { length: count } });
  const fewest = perClass.reduce((least, units, code) => (units < perClass[least] ? code : least), 0);
  return { name: classText(table.classes, fewest), units: perClass[fewest] };
}

type RefitSpread = { readonly se: number; readonly note?: string } | { readonly se: null; readonly reason: string };

/** Share of the units in a resample, 1 - 1/e. */
const DISTINCT = 0.632;

/**
 * The standard deviation times sqrt(.632), since a model trained on a resample sees .632 of the units and varies more.
 *
 * Source: Efron & Tibshirani 1993, chapter 6, for the resamples, and section 17.7 for the share of distinct units.
 */
function refitSpread({ values, count }: Refits): RefitSpread {
  const dropped = count - values.length;
  const lost = `${dropped} of ${counted(count, 'refit')} left the metric undefined`;
  if (dropped > count / 2) return { se: null, reason: lost };
  const se = Math.sqrt(DISTINCT * unbiasedVariance(values));
  return dropped > 0 ? { se, note: `${lost} and were dropped.` } : { se };
}

export function refitLimits(
  original: IntervalInput,
  estimate: number,
): Pick<Interval, 'lower' | 'upper' | 'note' | 'reason'> {
  const input = { ...original, folds: foldsThatCount(original.metric, original.folds) };
  const nUnits = countUnits(input.folds);
  const spread = refitSpread(input.refits ?? { values: [], count: 1 });
  const obstacle = commonObstacle(input, nUnits) ?? (hasReason(spread) ? spread.reason : undefined);
  if (hasReason(spread) || obstacle !== undefined) return { lower: null, upper: null, reason: obstacle };
  const blocks = unitBlocks(input).flat();
  const { note, ...limits } = limitsOf(input, blocks, { estimate, se: spread.se, df: nUnits - 1 });
  const origin = `Standard error of ${input.refits?.count} refits on resampled ${input.unit}s, times sqrt(.632).`;
  return { ...limits, ...joinNotes(origin, spread.note, note) };
}

/** A fold with fewer units says too little about its model. */
const MIN_PER_FOLD = 5;
const ALPHA = 0.01;

/**
 * Cochran's Q: the squared distances of the folds' values from their mean, in units of the variance that their test
 * rows explain. A fold with n of N units has N / n times the variance `variance` of the estimate. The p-value is that
 * of F, since that variance is itself estimated, with `df` degrees of freedom; of a repeated design the first repeat.
 *
 * Source: Cochran 1954, Biometrics 10:101.
 */
function foldHeterogeneity(
  { metric, folds, design }: Pick<IntervalInput, 'metric' | 'folds' | 'design'>,
  { variance, df }: Pick<UnitVariance, 'variance' | 'df'>,
): Heterogeneity | undefined {
  const once = folds.filter(({ repeat }) => repeat === folds[0].repeat);
  const parts = once.flatMap(({ score, table, units }) =>
    table && score.value !== null ? [{ value: score.value, n: effectiveUnits(metric, table, units) }] : [],
  );
  const assessed = design?.partition && parts.length === once.length && parts.length > 1;
  if (!assessed || !(variance > 0) || parts.some(({ n }) => n < MIN_PER_FOLD)) return undefined;
  const total = parts.reduce((sum, { n }) => sum + n, 0);
  const mean = parts.reduce((sum, { value, n }) => sum + n * value, 0) / total;
  const terms = parts.map(({ value, n }) => n * (value - mean) ** 2);
  const q = terms.reduce((sum, each) => sum + each, 0) / (total * variance);
  const pValue = incompleteBeta(df / (df + q), df / 2, (parts.length - 1) / 2);
  return { q, df: parts.length - 1, pValue, largest: terms.indexOf(Math.max(...terms)) };
}

const probability = (p: number) => (p < 0.001 ? 'p < .001' : `p = ${formatNumber(p)}`);

/** Intervals about the procedure include what training adds, unless halves show no effect of it. */
export function heterogeneityWarning(intervals: Readonly<Record<string, Interval>>): string[] {
  const found = Object.entries(intervals).flatMap(([name, { heterogeneity, estimand, trainingShare }]) =>
    heterogeneity && heterogeneity.pValue < ALPHA && (estimand === 'predictions' || trainingShare === 0)
      ? [`${name} (${probability(heterogeneity.pValue)})`]
      : [],
  );
  if (found.length === 0) return [];
  return [
    `The folds differ more than their test rows explain in ${found.join(', ')}, by Cochran's Q: other training sets may change the result by more than the intervals show. The absence of this warning proves nothing: folds share training rows.`,
  ];
}
