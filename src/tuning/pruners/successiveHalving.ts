import type { FrozenTrial } from '../frozenTrial.js';
import type { StudyView } from '../sampler.js';

/** The steps at which the trials of one bracket are compared. */
export interface Rungs {
  /** The first of them; each further one is `reductionFactor` times as late. */
  readonly first: number;
  readonly reductionFactor: number;
  /** Steps from here on are no rungs: a trial that has come so far has nothing left to save. */
  readonly end: number;
}

/**
 * Whether a trial is out at a rung that it has just reached: it goes on where its value is among the best
 * 1 / `reductionFactor` of those that have reached the rung so far, itself included, or the best while these are too few. Its
 * value at a rung is the first one, NaN aside, that it reported there or later. A trial with NaN at a rung is out.
 *
 * Each trial is judged at once, by what is known then, and is not taken up again: so it is where trials run one after
 * the other. All values come from what the trials reported, whether they were complete, pruned or failed. So a
 * trial whose last report reached two rungs at once counts at both, though it may have been out at the first.
 *
 * Source: Jamieson & Talwalkar 2016, AISTATS; asynchronous, Li et al. 2020, MLSys, algorithm 2, where trials that are out may
 * be taken up later; first trials as in `SuccessiveHalvingPruner` of Optuna 5.
 *
 * @param others the other trials of its bracket
 */
export function losesAtRung(
  { intermediateValues }: FrozenTrial,
  others: readonly FrozenTrial[],
  { first, reductionFactor, end }: Rungs,
  direction: StudyView['direction'],
): boolean {
  const last = [...intermediateValues].at(-1);
  if (!last) return false;
  const [step, value] = last;
  for (let rung = first; rung <= step && rung < end; rung *= reductionFactor) {
    const reached = valueAt(intermediateValues, rung);
    // It was judged there when it reported that.
    if (reached && reached[0] < step) continue;
    if (!reached) return true;
    const loss = (each: number) => (direction === 'minimize' ? each : -each);
    const losses = others.flatMap((other) => valueAt(other.intermediateValues, rung)?.slice(1) ?? []).map(loss);
    const place = Math.max(0, Math.floor((losses.length + 1) / reductionFactor) - 1);
    // Out where more than `place` others are better: equal values go on together.
    if (losses.filter((each) => each < loss(value)).length > place) return true;
  }
  return false;
}

/** The first report with a value at a step or later. */
function valueAt(values: FrozenTrial['intermediateValues'], from: number): readonly [number, number] | undefined {
  for (const report of values) if (report[0] >= from && !Number.isNaN(report[1])) return report;
  return undefined;
}
