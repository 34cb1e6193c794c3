import { hasReason } from '../core/hasReason.js';
import { mean, sum } from '../core/numbers.js';
import { concat } from '../data/labels.js';
import { rocAuc } from '../metrics/definitions/ranking.js';
import { unitsUpTo } from './effectiveUnits.js';
import { type Counted, framedInterval } from './framedInterval.js';
import { allUnits, type Interval, type IntervalInput } from './interval.js';
import { limitsOf } from './limits.js';
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
