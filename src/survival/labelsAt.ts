import type { TimedOutcomes } from './outcomes.js';

/** Outcomes by a horizon as two classes, with weights that stand for the rows that were censored before it. */
export interface LabelsAt {
  /** 1 with the event of the cause by the horizon, else 0. */
  readonly isCase: Uint8Array;
  /** By inverse probability of censoring, times the weights of rows; 0 where the class is not known. */
  readonly weight: Float64Array;
}

/**
 * Who had the event of `cause` by the horizon, and who had none by then or that of another cause. Source: Blanche, Dartigues &
 * Jacqmin-Gadda 2013, Stat Med 32:5381, second definition of controls.
 *
 * @param censoring `[n, 2]`, see `censoringColumns`, of the horizon
 */
export function labelsAt(
  { time, event }: TimedOutcomes,
  weight: Float64Array | null,
  { horizon, cause, censoring }: { readonly horizon: number; readonly cause: number; readonly censoring: Float64Array },
): LabelsAt {
  const [isCase, weights] = [new Uint8Array(time.length), new Float64Array(time.length)];
  for (let row = 0; row < time.length; row++) {
    const w = weight ? weight[row] : 1;
    const isLater = time[row] > horizon;
    if (w === 0 || (!isLater && event[row] === 0)) continue;
    isCase[row] = Number(!isLater && event[row] === cause);
    weights[row] = w / censoring[2 * row + Number(isLater)];
  }
  return { isCase, weight: weights };
}
