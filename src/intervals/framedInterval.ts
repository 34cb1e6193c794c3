import { combinedEstimate } from './influenceVariance.js';
import { commonObstacle, type Interval, type IntervalInput, intervalFacts, joinNotes } from './interval.js';
import type { UnitBlock } from './unitBlocks.js';

/** Limits, or the reason why there are none, with the notes that belong to them. */
export type Limits = Partial<
  Pick<
    Interval,
    | 'estimate'
    | 'lower'
    | 'upper'
    | 'standardError'
    | 'df'
    | 'reason'
    | 'note'
    | 'method'
    | 'heterogeneity'
    | 'trainingShare'
  >
>;

interface Frame extends Pick<Interval, 'method' | 'estimand'> {
  readonly repeats: readonly (readonly UnitBlock[])[];
  /** Why the method cannot serve the metric. */
  readonly unfit?: string | undefined;
}

/**
 * What intervals about the estimate over folds have in common: the facts, the estimate as the metric combines it, and
 * null limits with the reason where there is no value, the method does not fit, or there are too few units.
 */
export function framedInterval(
  input: IntervalInput,
  { method, estimand, repeats, unfit }: Frame,
  limits: (estimate: number, nUnits: number) => Limits,
): Interval {
  const facts = { ...intervalFacts(input), method, estimand };
  const combined = combinedEstimate(input.metric, repeats);
  const none = { ...facts, estimate: combined.value, lower: null, upper: null };
  if (combined.value === null) return { ...none, reason: combined.reason };
  const reason = unfit ?? commonObstacle(input, facts.nUnits);
  if (reason !== undefined) return { ...none, reason, ...joinNotes(combined.note) };
  const { note, ...found } = limits(combined.value, facts.nUnits);
  return { ...none, ...found, ...joinNotes(combined.note, note) };
}
