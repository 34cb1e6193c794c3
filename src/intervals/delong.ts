import { hasReason } from '../core/hasReason.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import { normalQuantile } from '../core/normalQuantile.js';
import { mean, sum } from '../core/numbers.js';
import { concat } from '../data/labels.js';
import { rocAuc } from '../metrics/definitions/ranking.js';
import type { Undefined } from '../metrics/metric.js';
import { unitsUpTo } from './effectiveUnits.js';
import { type Counted, framedInterval } from './framedInterval.js';
import { allUnits, type Interval, type IntervalInput, joinNotes } from './interval.js';
import { limitsOf, scaleOf } from './limits.js';
import { influenceOf, obstacleOf, type Sample, type Value, varianceIn, withoutLimits } from './sample.js';
import { blockInfluences, type Influential, influenceVariance, type UnitBlock } from './unitBlocks.js';
import { type UnitVariance, unitVariance } from './unitVariance.js';

/**
 * Interval of the area under the ROC curve about these predictions: DeLong's variance within each fold, with n / (n - 1) for
 * the n rows of a class there as pROC has it, and that of the mean over independent folds. Rows of a patient are summed
 * first, as Obuchowski does. On the logit scale with Student's t. A fold with one row (patient) of a class has no such
 * variance, so there are no limits; `cvauc` does not have this gap. Other metrics get null limits with the reason.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; Obuchowski 1997, Biometrics 53:567.
 */
export const delongOfFolds = (input: IntervalInput): Interval =>
  aucOfFolds(input, 'delong', (metric, repeats) => {
    const parts = repeats.map((blocks) => withinFolds(metric, blocks));
    if (parts.some(({ hasLone }) => hasLone)) {
      return { reason: `a fold with one ${input.unit} of a class has no variance by DeLong: take cvauc or bootstrap` };
    }
    return { variance: mean(parts.map(({ variance }) => variance)), df: mean(parts.map(({ df }) => df)) };
  });

function withinFolds(metric: Influential, blocks: readonly UnitBlock[]) {
  const folds = blocks.flatMap((block) => blockInfluences(metric, [block]) ?? []);
  const influences = folds.map(({ influence }) => influence.map((each) => each / folds.length));
  const parts = folds.map(({ units, strata }, fold) => unitVariance(influences[fold], units, strata));
  const within = sum(parts.map(({ variance }) => variance));
  // Folds are independent but for units that are tested in several of them.
  const together = squaresOf(unitVariance(concat(influences), allUnits(folds)));
  const shared = together - sum(folds.map(({ units }, fold) => squaresOf(unitVariance(influences[fold], units))));
  const spread = sum(parts.map(({ variance, df }) => variance ** 2 / df));
  return {
    variance: Math.max(0, within + shared),
    df: spread > 0 ? within ** 2 / spread : sum(parts.map(({ df }) => df)),
    hasLone: blocks.some(hasLoneUnit),
  };
}

const squaresOf = ({ variance, nUnits }: UnitVariance) => (variance * (nUnits - 1)) / nUnits;

function hasLoneUnit({ table: { yTrue, positive }, units }: UnitBlock): boolean {
  const [negatives, positives] = unitsUpTo(
    2,
    units.map((_, row) => Number(yTrue[row] === positive)),
    units,
  );
  return negatives !== 2 || positives !== 2;
}

export const WORSE = 'Worse than chance: is the positive class the right one, and do the predictions belong to it?';

export type AucScale = 'plain' | 'logit';

/**
 * Independent rows: as pROC, with the normal quantile and by default on the plain scale. Patients with several rows:
 * Obuchowski's, the placements summed per patient, with Student's t and by default on the logit scale, since the plain one
 * covers too little. Her small-sample factors differ between the terms; here each set of patients (positive rows only,
 * negative only, both) has n / (n - 1), which is the same where no patient or every patient has both classes.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; Obuchowski 1997, Biometrics 53:567; logit scale,
 * Pepe 2003, section 5.2.4.
 */
export const delong = (sample: Sample, scale?: AucScale): Value => areaInterval(sample, areaOf(sample), scale);

export interface Area {
  readonly estimate: number;
  readonly influence: Float64Array;
}

export function areaOf(sample: Sample): Area | Undefined {
  const estimate = rocAuc.compute(sample.table);
  if (typeof estimate !== 'number') return estimate;
  return { estimate, influence: influenceOf(rocAuc, sample, estimate) };
}

export function areaInterval(
  sample: Sample,
  area: Area | Undefined,
  scale: AucScale = sample.clustered ? 'logit' : 'plain',
): Value {
  const { table, units, level, clustered } = sample;
  const method = clustered ? 'obuchowski' : 'delong';
  if (hasReason(area)) return withoutLimits(method, null, area.reason);
  const { estimate, influence } = area;
  const reason = obstacleOf(sample, rocAuc, 2);
  if (reason !== undefined) return withoutLimits(method, estimate, reason);
  const { variance, df } = varianceIn(sample, rocAuc)(influence);
  const se = Math.sqrt(variance);
  const p = (1 + level) / 2;
  if (estimate === 0 || estimate === 1 || se < 1e-12) {
    const limits = limitsOf({ ...sample, metric: rocAuc }, [{ table, units }], { estimate, se: 0, df });
    const worse = limits.upper !== null && limits.upper < 0.5 ? WORSE : undefined;
    return { method: 'wilson', estimate, ...limits, ...joinNotes(limits.note, worse) };
  }
  const { to, back, slope } = scaleOf(scale === 'logit' ? rocAuc.range : [-Infinity, Infinity]);
  const half = (clustered ? studentTQuantile(p, df) : normalQuantile(p)) * se * slope(estimate);
  const [lower, upper] = [back(to(estimate) - half), back(to(estimate) + half)];
  const clipped = lower < 0 || upper > 1 ? 'Clipped to the range of the area, 0 to 1.' : undefined;
  const notes = joinNotes(clipped, upper < 0.5 ? WORSE : undefined);
  return { method, estimate, lower: Math.max(0, lower), upper: Math.min(1, upper), ...notes };
}

/**
 * Interval of the cross-validated area under the ROC curve about these predictions, from its influence curve: placements
 * within folds, centred at the mean of the folds, summed per patient. On the logit scale with Student's t, since the plain
 * normal interval covers too little (.86-.93 for .95). Other metrics get null limits with the reason.
 *
 * Source: LeDell, Petersen & van der Laan 2015, Electronic Journal of Statistics 9:1583.
 */
export const cvauc = (input: IntervalInput): Interval =>
  aucOfFolds(input, 'cvauc', (metric, repeats) => influenceVariance({ ...input, metric }, repeats));

type AreaVariance = (
  metric: Influential,
  repeats: Counted['repeats'],
) => Omit<UnitVariance, 'nUnits'> | { readonly reason: string };

function aucOfFolds(input: IntervalInput, method: string, varianceOf: AreaVariance): Interval {
  const { metric } = input;
  const unfit = metric.name === rocAuc.name ? undefined : `${method} is for roc_auc, not ${metric.name}`;
  return framedInterval(input, { method, estimand: 'predictions', unfit }, ({ estimate, repeats }) => {
    const found = varianceOf(metric as Influential, repeats);
    if (hasReason(found)) return found;
    return limitsOf(input, repeats.flat(), { estimate, se: Math.sqrt(found.variance), df: found.df });
  });
}
