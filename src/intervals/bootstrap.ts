import { counted, points } from '../core/format.js';
import { hasReason } from '../core/hasReason.js';
import { type CombinedScore, combinedEstimate } from '../metrics/combineFolds.js';
import { foldInterval } from './foldInterval.js';
import { framedInterval } from './framedInterval.js';
import { countUnits, type Interval, type IntervalInput, joinNotes } from './interval.js';
import { limitsOf } from './limits.js';
import { estimateByUnits, resampleCells, resampleUnits } from './resampleUnits.js';
import { blockInfluences, influenceVariance, isInfluential, type UnitBlock } from './unitBlocks.js';
import type { Draws } from './unitDraws.js';

/**
 * The default interval: the variance of `nBootstrap` resamples of patients (else rows), the metric recomputed within
 * folds as its `combine` says, and what training adds by models of halves (`ciFits`). Where a resample leaves a fold without
 * a value, the summed influences of the patients drawn take its place; a metric without influence function counts with the
 * other folds alone. All metrics of a run share the resamples. Over repeats the variances are averaged.
 *
 * With `closedForm` and 500,000 units or more it is {@link analytic}, and says so. Limits as in {@link limitsOf}, with
 * Satterthwaite's degrees of freedom over the classes.
 *
 * Source: Efron & Tibshirani 1993, chapter 6; for patients as units, Field & Welsh 2007, JRSS B 69:369; influences for
 * the area under the curve, LeDell, Petersen & van der Laan 2015, Electronic Journal of Statistics 9:1583.
 */
export function bootstrap(input: IntervalInput): Interval {
  if (input.closedForm && isInfluential(input.metric) && countUnits(input.folds) >= CLOSED) return inClosedForm(input);
  return foldInterval(input, 'bootstrap', (repeats, nUnits) => {
    let variance = 0;
    const notes = new Set<string | undefined>();
    for (const blocks of repeats) {
      const quick = resampleCells(input, [blocks]);
      const linear = quick ? undefined : linearEstimate(input, blocks);
      const spread = quick ?? resampleUnits(input, [blocks], linear?.valueFor);
      if (hasReason(spread)) return spread;
      variance += spread.variance / repeats.length;
      for (const note of [...spread.notes, linear?.note(input.nBootstrap)]) notes.add(note);
    }
    const { metric } = input;
    const df = isInfluential(metric) ? influenceVariance({ ...input, metric }, repeats).df : nUnits - 1;
    return { variance, df, notes: [...notes] };
  });
}

const CLOSED = 500_000;

/** Resamples would take longer than the models, and their own random error exceeds the difference. */
function inClosedForm(input: IntervalInput): Interval {
  const { nBootstrap, unit } = input;
  const found = analytic(input);
  if (found.standardError === undefined) return found;
  const error = points(1 / Math.sqrt(2 * (nBootstrap - 1)));
  const explanation = `With ${counted(found.nUnits, unit)} the standard error is computed from what each ${unit} adds to the estimate, as by ciMethod: 'analytic'. ${counted(nBootstrap, 'resample')} approach it with a random error of ${error} %; they are drawn where \`nBootstrap\` is written.`;
  return { ...found, ...joinNotes(found.note, explanation) };
}

/** Where a resample leaves a fold without a value, the estimate is moved by the influences of the units drawn. */
function linearEstimate({ metric }: IntervalInput, blocks: readonly UnitBlock[]) {
  const found = isInfluential(metric) ? blockInfluences(metric, blocks) : undefined;
  if (!found) return undefined;
  const { estimate, influence, units } = found;
  const { defined } = combinedEstimate(metric, [blocks]);
  const exact = estimateByUnits(metric, [blocks]);
  let moved = 0;
  return {
    valueFor(draws: Draws): CombinedScore {
      const value = exact(draws);
      if (value.value !== null && value.defined === defined) return value;
      moved++;
      return {
        ...value,
        defined,
        value: influence.reduce((sum, each, row) => sum + draws[units[row]] * each, estimate),
      };
    },
    note: (count: number) =>
      moved === 0
        ? undefined
        : `${moved} of ${counted(count, 'resample')} left a fold without a value; what they give is approximated from what each patient adds to the estimate.`,
  };
}

/**
 * The interval of {@link bootstrap} without resampling: its variance is the sum of the squared influences of the patients
 * (else rows), which many resamples approach. Metrics without influence function get null limits with the reason.
 *
 * Source: Binder 1983, International Statistical Review 51:279; for the area under the curve, LeDell, Petersen & van
 * der Laan 2015, Electronic Journal of Statistics 9:1583.
 */
export function analytic(input: IntervalInput): Interval {
  const { metric } = input;
  return foldInterval(input, 'analytic', (repeats) =>
    isInfluential(metric)
      ? { ...influenceVariance({ ...input, metric }, repeats), notes: [] }
      : { reason: `${metric.name} has no influence function; use bootstrap` },
  );
}

/**
 * Interval about these predictions: the standard error is the standard deviation of the metric, recomputed within folds,
 * over `nBootstrap` resamples of patients (else rows). Symmetric on the logit scale of a finite range, with Student's t for
 * one unit less than there are. A unit is drawn for all repeats at once. The models are held fixed.
 *
 * Source: Efron & Tibshirani 1993, chapters 6 and 8; for patients as units, Field & Welsh 2007, JRSS B 69:369.
 */
export function oofBootstrap(input: IntervalInput): Interval {
  return framedInterval(
    input,
    { method: 'oof_bootstrap', estimand: 'predictions' },
    ({ estimate, nUnits, repeats }) => {
      const spread = resampleCells(input, repeats) ?? resampleUnits(input, repeats);
      if (hasReason(spread)) return spread;
      const se = Math.sqrt(spread.variance);
      const { note, ...limits } = limitsOf(input, repeats.flat(), { estimate, se, df: nUnits - 1 });
      return { ...limits, ...joinNotes(...spread.notes, note) };
    },
  );
}
