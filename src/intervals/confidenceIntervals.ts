import { InvalidOptionError, phrase, sentence, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { formatNumber } from '../core/format.js';
import { mean } from '../core/numbers.js';
import { rejectUnusedOption } from '../core/options.js';
import { deriveSeed, randomSource } from '../core/random.js';
import { gather } from '../data/labels.js';
import type { Bootstrap632 } from '../metrics/bootstrap632.js';
import { prevalence } from '../metrics/definitions/probability.js';
import type { Metric, Score } from '../metrics/metric.js';
import { metricRegistry } from '../metrics/registry.js';
import type { BootstrapEstimator, SplitterClaims } from '../splitters/splitter.js';
import { type AveragedAndPooled, averagedAndPooled } from './averagedAndPooled.js';
import { refuseDesign } from './correctedT.js';
import { WORSE } from './delong.js';
import { isFixed, metricOverFolds, overFolds, pooledFallback } from './foldEstimate.js';
import { heterogeneityWarning, refitLimits } from './foldInterval.js';
import {
  type Interval,
  type IntervalInput,
  intervalFacts,
  joinNotes,
  type ModelTest,
  type Refits,
} from './interval.js';
import type { IntervalFolds } from './intervalFolds.js';
import { DEFAULT_METHOD, type IntervalMethodName, resamplingMethodNames } from './methodNames.js';
import { intervalMethods, SERVED } from './registry.js';
import { SharedDraws } from './sharedDraws.js';

export type BootstrapEstimate = Partial<Omit<Bootstrap632, 'value'>> & {
  readonly estimator: BootstrapEstimator;
  /** Null with the reason where a part has no value. */
  readonly value: number | null;
  readonly reason?: string;
  /** How many bootstrap samples have no value, when some have none. */
  readonly note?: string;
  /** Value of the model of all rows on these rows. */
  readonly apparent?: number;
  /** Value on the rows that the bootstrap samples left out. */
  readonly outOfBag?: number;
  /** Value when predictions and outcomes have nothing to do with each other. */
  readonly noInformation?: number;
  /** Mean over samples of the value on the sample less the value on all rows; subtracted from the apparent value. */
  readonly optimism?: number;
};

export interface IntervalSettings
  extends Pick<IntervalInput, 'nBootstrap' | 'closedForm' | 'nested' | 'halves' | 'noHalves'> {
  readonly ciMethod: IntervalMethodName | Readonly<Record<string, IntervalMethodName>>;
  readonly ciLevel: number;
  readonly randomState: number | string;
  readonly sampling: Interval['sampling'];
  readonly fitted?: boolean;
  /** By default of these intervals alone. */
  readonly draws?: SharedDraws;
  /** Estimates of each score from the refits of `ciRefits`; undefined for a metric that they were not scored by. */
  readonly refitsOf?: ((score: string) => Refits | undefined) | undefined;
}

const methodOf = (ciMethod: IntervalSettings['ciMethod'], score: string): IntervalMethodName =>
  typeof ciMethod === 'string' ? ciMethod : (ciMethod[score] ?? DEFAULT_METHOD);

export const methodsOf = (ciMethod: IntervalSettings['ciMethod'], scores: readonly string[]) =>
  new Set(scores.map((score) => methodOf(ciMethod, score)));

export const unusedResamples = (methods: ReadonlySet<IntervalMethodName>): string | undefined =>
  resamplingMethodNames.some((name) => methods.has(name))
    ? undefined
    : `no score has a ciMethod that resamples (${resamplingMethodNames.join(', ')})`;

export function rejectUnusedResamples(
  owner: string,
  changed: ReadonlySet<string>,
  methods: ReadonlySet<IntervalMethodName>,
): void {
  const why = changed.has('nBootstrap') ? unusedResamples(methods) : undefined;
  if (why !== undefined) rejectUnusedOption(owner, 'nBootstrap', why);
}

interface Scored {
  readonly scorers: readonly { readonly name: string; readonly metric?: Metric | undefined }[];
  readonly scores: Readonly<Record<string, readonly Score[]>>;
  readonly meanScores: Readonly<Record<string, number | null>>;
  readonly plan: { readonly claims: SplitterClaims };
  readonly metadata: { readonly fixedModel: string | null; readonly classes: readonly unknown[] };
  readonly foldDetails: Parameters<typeof isFixed>[0]['foldDetails'];
}

export const sharedDraws = ({ randomState, nBootstrap }: Pick<IntervalSettings, 'randomState' | 'nBootstrap'>) =>
  new SharedDraws(deriveSeed(randomState, 'interval'), nBootstrap);

/** Scoring functions of the caller declare no facts, so they get no interval, with the reason. */
export function confidenceIntervals(
  cv: Scored,
  all: IntervalFolds,
  { ciMethod, ciLevel: level, randomState, fitted, refitsOf, ...passed }: IntervalSettings,
  estimates: Readonly<Record<string, BootstrapEstimate>> | null = null,
): Record<string, Interval> {
  const intervals: Record<string, Interval> = {};
  const seed = deriveSeed(randomState, 'interval');
  const draws = passed.draws ?? sharedDraws({ randomState, ...passed });
  for (const { name, metric } of cv.scorers) {
    const method = methodOf(ciMethod, name);
    const fixedModel = isFixed(cv, metric);
    const { folds, unit, note } = metric ? all.for(metric) : all;
    const other = unit === all.unit ? {} : { halves: undefined, noHalves: `halves are of ${all.unit}s` };
    const facts = { level, unit, sampling: passed.sampling, folds };
    const input =
      metric &&
      ofPatients({
        metric,
        folds: folds.map((fold, at) => ({ ...fold, score: cv.scores[name][at] })),
        level,
        unit,
        ...passed,
        ...other,
        random: randomSource(seed),
        draws,
        design: cv.plan.claims,
        fixedModel,
        refits: refitsOf?.(name),
      });
    const found = estimates
      ? ofEstimate(estimates[name], facts, input, refitsOf !== undefined)
      : input
        ? intervalOf(method, input)
        : { ...intervalFacts(facts), ...NO_FACTS, estimate: cv.meanScores[name], method };
    intervals[name] = {
      ...found,
      ...(metric?.averagedOver ? { averagedOver: 'patient', unitOfAnalysis: 'patient' } : {}),
      ...(fixedModel || fitted ? { estimand: 'predictions' } : {}),
      ...joinNotes(note, fixedModel && folds.length > 1 ? FIXED : undefined, found.note),
    };
  }
  return intervals;
}

/** Rows that are patients: their number is what counts, not that of their rows. */
function ofPatients(input: IntervalInput): IntervalInput {
  const { metric, folds, halves, nested } = input;
  const { ofPatients: patients } = metric;
  if (!patients || !folds.every(({ table }) => !table || table.aggregate)) return input;
  const each = <Part extends ModelTest>(part: Part): Part => {
    if (!part.table) return part;
    const { table, rows } = patients.of(part.table);
    return { ...part, table, units: gather(part.units, rows) };
  };
  return {
    ...input,
    metric: patients.metric,
    folds: folds.map(each),
    nested: nested?.map(each),
    halves: halves && { ...halves, halvings: halves.halvings.map(([a, b]) => [each(a), each(b)] as const) },
  };
}

const NO_FACTS = {
  estimand: 'predictions',
  lower: null,
  upper: null,
  reason: 'a scoring function declares no range and no way to combine folds; use defineMetric',
} as const;

const FIXED = 'A fixed model: folds show spread, not training.';

function intervalOf(method: IntervalMethodName, input: IntervalInput): Interval {
  const { note, ...over } = metricOverFolds(input);
  const interval = intervalMethods[method]({ ...input, ...over });
  return { ...interval, ...joinNotes(interval.estimate === null ? undefined : note, interval.note) };
}

export function aboutEstimates(
  cv: Scored & { readonly estimates: Readonly<Record<string, number | null>> },
  { folds }: IntervalFolds,
  intervals: Readonly<Record<string, Interval>>,
) {
  const classes = cv.metadata.classes.length;
  // NaN where no class is the positive one.
  const positives = mean(folds.flatMap(({ table }) => (table && table.positive >= 0 ? [prevalence(table)] : [])));
  const averages: Record<string, AveragedAndPooled> = {};
  const [biased, worse]: Record<'name' | 'text', string>[][] = [[], []];
  for (const { name, metric } of cv.scorers) {
    if (!metric) continue;
    const [interval, fixedModel] = [intervals[name], isFixed(cv, metric)];
    const scored = folds.map((fold, at) => ({ ...fold, score: cv.scores[name][at] }));
    averages[name] = averagedAndPooled({ metric, folds: scored, fixedModel }, interval);
    const { obstacle, note = '' } = pooledFallback(overFolds(metric, fixedModel), cv.scores[name]);
    if (obstacle && cv.estimates[name] !== null) biased.push({ name, text: `${note} No interval: ${obstacle}.` });
    const upper = interval?.upper ?? null;
    if (upper === null || !metric.chance || !(upper < metric.chance(classes, positives))) continue;
    const ofClasses = classes > 0 && metric.range[0] > -Infinity;
    const why = metric.tasks.includes('survival') ? WORSE_RISKS : ofClasses ? WORSE : WORSE_THAN_ONE;
    worse.push({ name, text: `${nameText(name)} is ${formatNumber(interval.estimate)}. ${why}` });
  }
  return {
    averages,
    biased: biased.map(({ name }) => name),
    warnings: [
      ...heterogeneityWarning(intervals),
      ...[...biased, ...worse].map(({ text }) => text),
      ...Object.values(averages).flatMap(({ warning }) => warning ?? []),
    ],
  };
}

export function checkMethodNames(ciMethod: IntervalSettings['ciMethod'], scores: readonly string[]): void {
  if (typeof ciMethod === 'string') {
    const known = scores.flatMap((name) => (metricRegistry.has(name) ? [metricRegistry.get(name)] : []));
    const [serves, fit] = SERVED[ciMethod] ?? [];
    if (known.length === 0 || !serves || known.some(serves)) return;
    const subject = `The scores with \`ciMethod: '${ciMethod}'\``;
    const got = phrase(scores.map((name) => nameText(name)).join(', '));
    throw new InvalidOptionError(sentence(subject, `include ${fit}`, got), { code: 'interval_method' });
  }
  const unknown = Object.keys(ciMethod).find((name) => !scores.includes(name));
  if (unknown === undefined) return;
  throw new InvalidOptionError(
    `The \`ciMethod\` option names '${nameText(unknown)}', which is not computed. ${suggestion(unknown, scores)}`,
  );
}

export function checkMethodDesign(ciMethod: IntervalSettings['ciMethod'], design: SplitterClaims | undefined): void {
  const methods = typeof ciMethod === 'string' ? [ciMethod] : Object.values(ciMethod);
  if (methods.includes('corrected_t')) refuseDesign(design);
}

/** An estimate that mixes training rows and rows left out has an interval only from refits of the whole procedure. */
function ofEstimate(
  { estimator, value, reason, note: samples, ...parts }: BootstrapEstimate,
  facts: Parameters<typeof intervalFacts>[0],
  input: IntervalInput | undefined,
  refitted: boolean,
): Interval {
  const partsText = Object.entries(parts)
    .map(([name, part]) => `${PART_NAMES[name as keyof typeof PART_NAMES]} ${formatNumber(part)}`)
    .join(', ');
  const lacking = refitted ? 'refits that are scored by this metric' : '`ciRefits`';
  const limits: ReturnType<typeof refitLimits> =
    value !== null && input?.refits
      ? refitLimits(input, value)
      : { lower: null, upper: null, reason: reason ?? `the ${estimator} estimate has no interval without ${lacking}` };
  return {
    ...intervalFacts(facts),
    estimate: value,
    ...limits,
    method: 'bootstrap',
    estimand: 'procedure',
    ...joinNotes(`Estimator ${estimator}: ${partsText}.`, samples, limits.note),
  };
}

const PART_NAMES: Readonly<Record<keyof Omit<BootstrapEstimate, 'estimator' | 'value' | 'reason' | 'note'>, string>> = {
  apparent: 'apparent',
  outOfBag: 'rows left out',
  noInformation: 'no information',
  overfitting: 'relative overfitting rate',
  weight: 'weight of the rows left out',
  optimism: 'optimism',
};

const WORSE_RISKS = 'Worse than no model at all: is a larger risk an earlier event, as it must be?';

const WORSE_THAN_ONE =
  'Worse than one value for every row: do the predictions belong to these rows, and are they in the unit of y?';
