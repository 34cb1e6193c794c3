/** An interval for every score of a run, by the method that the caller chose. */
import { InvalidOptionError, sentence, suggestion } from '../core/errors.js';
import type { Label } from '../core/labels.js';
import { deriveSeed, randomSource } from '../core/random.js';
import { groupsOf } from '../core/sideData.js';
import { type AveragedAndPooled, averagedAndPooled } from '../metrics/intervals/averagedAndPooled.js';
import { refuseDesign } from '../metrics/intervals/correctedT.js';
import {
  type Interval,
  type IntervalFold,
  type IntervalInput,
  intervalFacts,
  joinNotes,
} from '../metrics/intervals/interval.js';
import type { IntervalMethodName } from '../metrics/intervals/methodNames.js';
import { pooledFallback } from '../metrics/intervals/pooledFallback.js';
import { intervalMethods, serves } from '../metrics/intervals/registry.js';
import { metricRegistry } from '../metrics/registry.js';
import type { CVResults } from '../runner/cvResults.js';
import type { SplitterClaims } from '../splitters/splitter.js';
import { validatorOptions } from './validatorOptions.js';

/** Method of the scores that a record does not name. */
const DEFAULT = validatorOptions.shape.ciMethod.defaultValue as IntervalMethodName;

export interface IntervalSettings {
  readonly ciMethod: IntervalMethodName | Readonly<Record<string, IntervalMethodName>>;
  readonly ciLevel: number;
  readonly nBootstrap: number;
  readonly randomState: number | string;
  readonly sampling: Interval['sampling'];
}

/** Intervals by score. The caller's own scoring functions declare no facts, so they get none, with the reason. */
export function confidenceIntervals(
  cv: CVResults,
  { folds, unit }: IntervalFolds,
  { ciMethod, ciLevel, nBootstrap, randomState, sampling }: IntervalSettings,
): Record<string, Interval> {
  const methodOf = (name: string) => (typeof ciMethod === 'string' ? ciMethod : (ciMethod[name] ?? DEFAULT));
  const intervals: Record<string, Interval> = {};
  for (const { name, metric } of cv.scorers) {
    const method = methodOf(name);
    intervals[name] = metric
      ? intervalOf(method, {
          metric,
          folds: folds.map((fold, at) => ({ ...fold, score: cv.scores[name][at] })),
          level: ciLevel,
          unit,
          nBootstrap,
          random: randomSource(deriveSeed(randomState, 'interval', name)),
          design: cv.plan.claims,
          sampling,
        })
      : withoutFacts(cv.meanScores[name], method, { level: ciLevel, unit, sampling, folds });
  }
  return intervals;
}

function intervalOf(method: IntervalMethodName, input: IntervalInput): Interval {
  const { metric, note } = pooledFallback(
    input.metric,
    input.folds.map((fold) => fold.score),
  );
  const interval = intervalMethods[method]({ ...input, metric });
  return { ...interval, ...joinNotes(note, interval.note) };
}

/** Both ways to one number for every metric, by score. */
export function foldAverages(cv: CVResults, { folds }: IntervalFolds): Record<string, AveragedAndPooled> {
  const scored = cv.scorers.flatMap(({ name, metric }) => (metric ? [{ name, metric }] : []));
  return Object.fromEntries(
    scored.map(({ name, metric }) => [
      name,
      averagedAndPooled({ metric, folds: folds.map((fold, at) => ({ ...fold, score: cv.scores[name][at] })) }),
    ]),
  );
}

/** Throws when a record of methods names a score that is not computed, or when one method serves none of the scores. */
export function checkMethodNames(ciMethod: IntervalSettings['ciMethod'], scores: readonly string[]): void {
  if (typeof ciMethod === 'string') {
    const known = scores.flatMap((name) => (metricRegistry.has(name) ? [metricRegistry.get(name)] : []));
    if (known.length === 0 || known.some((metric) => serves(ciMethod, metric))) return;
    const fit = ciMethod === 'cvauc' || ciMethod === 'delong' ? 'roc_auc' : 'shares of rows such as accuracy';
    throw new InvalidOptionError(
      sentence(`The scores with \`ciMethod: '${ciMethod}'\``, `include ${fit}`, { text: scores.join(', ') }),
      { code: 'interval_method' },
    );
  }
  const odd = Object.keys(ciMethod).find((name) => !scores.includes(name));
  if (odd === undefined) return;
  throw new InvalidOptionError(
    `The \`ciMethod\` option of CVKitValidator names '${odd}', which is not computed. ${suggestion(odd, scores)}`,
  );
}

/** Throws, before anything is trained, when a method that was asked for cannot serve the design. */
export function checkMethodDesign(ciMethod: IntervalSettings['ciMethod'], design: SplitterClaims | undefined): void {
  const methods = typeof ciMethod === 'string' ? [ciMethod] : Object.values(ciMethod);
  if (methods.includes('corrected_t')) refuseDesign(design);
}

/** The folds of a run as interval methods take them, but for the scores; `unit` is what counts as independent. */
export interface IntervalFolds {
  readonly folds: readonly Omit<IntervalFold, 'score'>[];
  readonly unit: string;
}

export function intervalFolds({ folds, plan }: CVResults, groups: ArrayLike<Label> | undefined): IntervalFolds {
  const codes = groups && groupsOf(groups, plan.n).codes;
  return {
    unit: codes ? 'patient' : 'row',
    folds: folds.map((result) => {
      const { train, test, repeat } = plan.at(result.fold.index);
      return {
        units: codes ? test.map((row) => codes[row]) : test,
        nTrain: new Set(codes ? train.map((row) => codes[row]) : train).size,
        repeat,
        ...(result.status === 'completed' ? { table: result.table } : {}),
      };
    }),
  };
}

function withoutFacts(estimate: number | null, method: string, facts: Parameters<typeof intervalFacts>[0]): Interval {
  return {
    ...intervalFacts(facts),
    estimate,
    lower: null,
    upper: null,
    method,
    estimand: 'predictions',
    reason: 'a scoring function declares no range and no way to combine folds; use defineMetric',
  };
}
