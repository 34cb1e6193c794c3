import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { constantsOf } from './calibration.js';
import { framedInterval } from './framedInterval.js';
import { influenceVariance, isInfluential } from './influenceVariance.js';
import { type Interval, type IntervalInput, joinNotes } from './interval.js';
import { limitsOf } from './limits.js';
import { prevalenceShift } from './prevalenceShift.js';
import { type RefitSpread, refitSpread } from './refitSpread.js';
import { resampleUnits } from './resampleUnits.js';
import { type UnitBlock, unitBlocks } from './unitBlocks.js';

/** With fewer units in a class the constants were not calibrated. */
const MIN_PER_CLASS = 20;

/**
 * The default interval about the training procedure: the variance of the out-of-fold predictions between patients, by
 * the metric's influence function or else by `nBootstrap` resamples of patients, times the square of a constant that
 * allows for what another training set would have changed. The constant is calibrated by simulation, not derived: see
 * {@link constantsOf}. Limits as in {@link limitsOf}, with Satterthwaite's degrees of freedom over the classes.
 *
 * With `refits` of the whole procedure on resampled patients the larger of the two standard errors counts:
 * {@link refitSpread}.
 *
 * Where the calibration does not hold, the interval speaks of these predictions alone, with a note: one split, fewer
 * than 20 patients in a class, folds that leave out every unit in turn, folds in time, in space or by site. Null limits
 * with a reason: a failed fold, fewer than ten units, a metric that most resamples leave undefined, a metric that depends
 * on the prevalence under case-control sampling.
 */
export function bootstrap(input: IntervalInput): Interval {
  const { metric } = input;
  const repeats = unitBlocks(input);
  const whyNot = beyondCalibration(input, repeats.flat());
  const estimand = whyNot === undefined ? 'procedure' : 'predictions';
  return framedInterval(input, { method: 'bootstrap', estimand, repeats }, (estimate, nUnits) => {
    const trainingVaries = estimand === 'procedure' && input.sampling !== 'case_control';
    const spread = isInfluential(metric)
      ? influenceVariance({ ...input, metric, ...(trainingVaries ? { beside: prevalenceShift } : {}) }, repeats)
      : resampledSpread(input, repeats, nUnits);
    if ('reason' in spread) return spread;
    const constants = constantsOf(metric.name);
    const factor = constants[estimand];
    const own = factor * Math.sqrt(spread.variance);
    const refits = input.refits && estimand === 'procedure' ? refitSpread(input.refits) : undefined;
    const se = Math.max(own, refits?.se ?? 0);
    const { note, ...limits } = limitsOf(input, repeats.flat(), { estimate, se, df: spread.df, factor });
    return {
      ...limits,
      ...(se === own ? { factor } : {}),
      ...joinNotes(
        whyNot && `${whyNot}: the interval is about these predictions alone.`,
        factor === 1
          ? undefined
          : `Standard error of these predictions times a factor calibrated by simulation (version ${constants.version}).`,
        input.refits && aboutRefits(input.refits.count, refits, own, input.unit),
        note,
      ),
    };
  });
}

/** Which of the two standard errors counts; without `spread` refits say nothing, since the interval is not about them. */
function aboutRefits(count: number, spread: RefitSpread | undefined, own: number, unit: string): string {
  if (!spread) return 'The refits were not used.';
  if (spread.se === null) return `The refits were not used: ${spread.reason}.`;
  const which = spread.se > own ? 'larger and was used' : 'smaller';
  const said = `The standard error of ${counted(count, 'refit')} on resampled ${unit}s, times sqrt(.632), is ${which}.`;
  return spread.note ? `${said} ${spread.note}` : said;
}

/** Resamples within each repeat, for the mean of their variances. */
function resampledSpread(input: IntervalInput, repeats: readonly (readonly UnitBlock[])[], nUnits: number) {
  let variance = 0;
  for (const blocks of repeats) {
    const spread = resampleUnits(input, [blocks]);
    if ('reason' in spread) return spread;
    variance += spread.variance / repeats.length;
  }
  return { variance, df: nUnits - 1 };
}

/** Why the calibrated constants do not speak of this design; undefined when they do. */
function beyondCalibration(
  { folds, design = {}, unit }: IntervalInput,
  blocks: readonly UnitBlock[],
): string | undefined {
  if (folds.length === 1) return 'One split says nothing about other training sets';
  if (design.timeOrdered || design.wholeTimes || design.disjointIntervals)
    return 'The folds are in time, where neighbours are alike';
  if (design.apart) return 'The folds are apart in space, where neighbours are alike';
  const single = folds.every(({ units }) => units.every((each) => each === units[0]));
  if (design.exhaustive || (single && folds.length > 2)) return `The folds leave out every ${unit} in turn`;
  const smallest = fewestPerClass(blocks);
  if (smallest && smallest.units < MIN_PER_CLASS) {
    return `Only ${counted(smallest.units, unit)} of class ${nameText(JSON.stringify(smallest.label))}, fewer than ${MIN_PER_CLASS}`;
  }
  return undefined;
}

/** The class that the fewest units have a row of; undefined for tasks without classes. */
function fewestPerClass(blocks: readonly UnitBlock[]) {
  const table = blocks[0]?.table;
  if (table?.task !== 'binary' && table?.task !== 'multiclass') return undefined;
  const having = table.classes.map(() => new Set<number>());
  for (const { table, units } of blocks) {
    for (let row = 0; row < table.length; row++) having[table.yTrue[row]].add(units[row]);
  }
  return table.classes
    .map((label, code) => ({ label, units: having[code].size }))
    .reduce((least, each) => (each.units < least.units ? each : least));
}
