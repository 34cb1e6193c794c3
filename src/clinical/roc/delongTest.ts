import { hasReason } from '../../core/hasReason.js';
import { incompleteBeta, studentTQuantile } from '../../core/incompleteBeta.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { type InputOf, type OptionsOf, oneOf, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import { type Area, areaInterval, areaOf } from '../../intervals/delong.js';
import type { Interval } from '../../intervals/interval.js';
import { normalTail } from '../../intervals/normalTail.js';
import { obstacleOf, type Sample, sampleFacts, sampleOf, varianceIn } from '../../intervals/sample.js';
import { rocAuc } from '../../metrics/definitions/ranking.js';
import type { Undefined } from '../../metrics/metric.js';
import { intervalOptions, labelTable, withScores } from '../binaryRows.js';

export const delongTestOptions = optionTable('delongTest', {
  ...intervalOptions,
  alternative: oneOf('two-sided', 'less', 'greater')
    .default('two-sided')
    .describe(
      "What the p-value speaks for: areas that differ, or an area of A that is smaller ('less') or larger ('greater').",
    ),
});

export type DelongTestOptions = InputOf<typeof delongTestOptions>;

/** What {@link delongTest} gives. */
export interface DelongTest {
  /** Difference over its standard error; null, as the p-value, with the reason in `difference`. */
  readonly z: number | null;
  /** For the hypothesis that both areas are equal, or by `alternative` that A has no smaller or no larger one. */
  readonly pValue: number | null;
  /** Area of A less area of B, with two-sided limits. */
  readonly difference: Interval;
  readonly aucA: Interval;
  readonly aucB: Interval;
}

/**
 * Compares the areas under the ROC curves of two scores of the same rows, O(n log n) with ties and weights. Independent
 * rows: as pROC's `roc.test(method = "delong", paired = TRUE)`, `alternative` included. With `groups`, where patients have several rows, the
 * influences are summed per patient, and Student's t (Satterthwaite) takes the place of the normal distribution.
 *
 * Not for nested models on the rows that trained them: there the difference is not normal (Demler, Pencina & D'Agostino
 * 2012, Statistics in Medicine 31:2577).
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; Obuchowski 1997, Biometrics 53:567.
 *
 * @param yTrue labels of two classes, length n
 * @param scoresA numbers, higher for the positive class; they need not be probabilities. Length n
 * @param scoresB likewise
 * @throws InvalidDataError for NaN and lengths that differ, InvalidOptionError for options out of range
 * @example
 * const other = yProba.map((risk, row) => (row % 2 ? risk : 1 - risk));
 * const { difference, pValue } = delongTest(yTrue, yProba, other);
 * console.log(difference.estimate, pValue);
 */
export function delongTest(
  yTrue: ArrayLike<Label>,
  scoresA: ArrayLike<number>,
  scoresB: ArrayLike<number>,
  options: DelongTestOptions = {},
): DelongTest {
  const { level, groups, sampleWeight, positiveLabel, alternative } = delongTestOptions.resolve(options);
  const table = labelTable(yTrue, { sampleWeight, positiveLabel });
  const samples = Object.entries({ scoresA, scoresB }).map(([name, scores]) =>
    sampleOf(withScores(table, scores, name), groups, level),
  );
  const areas = samples.map(areaOf);
  const [aucA, aucB] = samples.map((sample, at) => ({ ...sampleFacts(sample), ...areaInterval(sample, areas[at]) }));
  return { ...difference(samples[0], areas[0], areas[1], alternative), aucA, aucB };
}

const NOTE = 'Not for nested models compared on the rows that trained them.';

function difference(
  sample: Sample,
  a: Area | Undefined,
  b: Area | Undefined,
  alternative: OptionsOf<typeof delongTestOptions>['alternative'],
): Pick<DelongTest, 'z' | 'pValue' | 'difference'> {
  const { clustered, level } = sample;
  const facts = { ...sampleFacts(sample), method: clustered ? 'obuchowski' : 'delong', note: NOTE };
  const none = (estimate: number | null, reason: string) => ({
    z: null,
    pValue: null,
    difference: { ...facts, estimate, lower: null, upper: null, reason },
  });
  if (hasReason(a)) return none(null, a.reason);
  if (hasReason(b)) return none(null, b.reason);
  const estimate = a.estimate - b.estimate;
  const reason = obstacleOf(sample, rocAuc, 2);
  if (reason !== undefined) return none(estimate, reason);
  const influence = a.influence.map((each, row) => each - b.influence[row]);
  const { variance, df } = varianceIn(sample, rocAuc)(influence);
  const se = Math.sqrt(variance);
  if (se < 1e-12) return none(estimate, 'the difference does not vary between rows');
  const z = estimate / se;
  const p = (1 + level) / 2;
  const twoSided = clustered ? incompleteBeta(df / (df + z * z), df / 2, 0.5) : 2 * normalTail(Math.abs(z));
  const isTowards = alternative === 'less' ? z < 0 : z > 0;
  const oneSided = isTowards ? twoSided / 2 : 1 - twoSided / 2;
  const half = (clustered ? studentTQuantile(p, df) : normalQuantile(p)) * se;
  return {
    z,
    pValue: alternative === 'two-sided' ? twoSided : oneSided,
    difference: { ...facts, estimate, lower: Math.max(-1, estimate - half), upper: Math.min(1, estimate + half) },
  };
}
