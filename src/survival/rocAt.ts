import type { InfluenceOptions } from './brier.js';
import { censoringInfluence } from './ipcw.js';
import { labelsAt } from './labelsAt.js';
import { type NoValue, ranked, type TimedOutcomes } from './outcomes.js';

export interface TimedRoc {
  readonly value: number;
  /** Sums of the weights of both classes, those of censoring included. */
  readonly cases: number;
  readonly controls: number;
  /** `centre`: about another estimate than this value. */
  influence(options?: InfluenceOptions & { readonly centre?: number }): Float64Array;
}

export interface TimedRocOptions {
  readonly horizon: number;
  readonly cause: number;
  /** Of the training rows, by row: see `censoringColumns`, of the horizon. */
  readonly censoring: Float64Array;
}

/**
 * Area under the ROC curve of risks at a horizon, cumulative and dynamic: cases had the event of `cause` by then, controls
 * had none or that of another cause. By IPCW; equal risks count 1/2. O(n log n).
 *
 * Source: Blanche, Dartigues & Jacqmin-Gadda 2013, Stat Med 32:5381, second definition; R's `riskRegression::Score`.
 */
export function timedRoc(
  outcomes: TimedOutcomes,
  risk: Float64Array,
  weight: Float64Array | null,
  { horizon, cause, censoring }: TimedRocOptions,
): TimedRoc | NoValue {
  const { time } = outcomes;
  const n = time.length;
  const [ofCases, ofControls] = [new Float64Array(n), new Float64Array(n)];
  const found = labelsAt(outcomes, weight, { horizon, cause, censoring });
  let [cases, controls] = [0, 0];
  for (let row = 0; row < n; row++) {
    if (found.isCase[row]) ofCases[row] = found.weight[row];
    else ofControls[row] = found.weight[row];
    cases += ofCases[row];
    controls += ofControls[row];
  }
  if (!Number.isFinite(cases + controls)) return { reason: 'the curve of being censored is 0 by the horizon' };
  if (cases === 0) return { reason: 'no row has the event by the horizon' };
  if (controls === 0) return { reason: 'no row is without the event at the horizon' };

  // Of the other class, the share that a row is ranked the right way from.
  const right = new Float64Array(n);
  const { order, starts, values } = ranked(risk);
  let [casesBelow, controlsBelow, concordant] = [0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    let [tiedCases, tiedControls] = [0, 0];
    for (let i = starts[at]; i < starts[at + 1]; i++) {
      tiedCases += ofCases[order[i]];
      tiedControls += ofControls[order[i]];
    }
    concordant += tiedCases * (controlsBelow + tiedControls / 2);
    for (let i = starts[at]; i < starts[at + 1]; i++) {
      const row = order[i];
      if (ofCases[row] > 0) right[row] = (controlsBelow + tiedControls / 2) / controls;
      else right[row] = 1 - (casesBelow + tiedCases / 2) / cases;
    }
    casesBelow += tiedCases;
    controlsBelow += tiedControls;
  }
  const value = Math.min(1, concordant / (cases * controls));

  const influence = ({
    ownCensoring = false,
    centre = value,
  }: InfluenceOptions & { readonly centre?: number } = {}) => {
    const out = right.map((each, row) => (ofCases[row] / cases + ofControls[row] / controls) * (each - centre));
    if (!ownCensoring) return out;
    // Like the weights themselves, what they do to the value is in proportion to 1 / G.
    let part = 0;
    const parts = out.map((each, row) => {
      if (time[row] <= horizon) return each;
      part += each;
      return 0;
    });
    const added = censoringInfluence(outcomes, weight, { before: parts, at: [{ horizon, part }] });
    return out.map((each, row) => each + added[row]);
  };
  return { value, cases, controls, influence };
}
