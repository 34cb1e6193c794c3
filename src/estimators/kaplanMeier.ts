import { type NoOptions, noOptions } from '../core/options.js';
import { fields, finite, list, type Shape } from '../core/shape.js';
import { VERSION } from '../core/version.js';
import type { LabelsInput } from '../data/labels.js';
import { rowCount } from '../data/rowKinds.js';
import type { StepCurve } from '../data/timedLabels.js';
import { cumulativeIncidence, survivalAt } from '../survival/kaplanMeier.js';
import { estimatorNotFitted, savedParts } from './savedEstimator.js';
import { predictionTimes, timedRows } from './timedRows.js';

const OWNER = 'KaplanMeier';

/**
 * The same risk, and the survival curve of the training rows, for every row: what a model of outcomes by time must beat. With
 * competing events the curve is 1 minus the Aalen-Johansen incidence of the cause of interest.
 *
 * @example
 * const rows = Array.from({ length: 10 }, (_, row) => [row % 4, row % 3]);
 * const outcomes = { time: [9, 7, 5, 2, 12, 6, 4, 1, 10, 8], event: [1, 1, 0, 1, 0, 1, 1, 1, 1, 0] };
 * const curve = new KaplanMeier().fit(rows, outcomes);
 * console.log(curve.predictSurvival([[0, 1]], [5, 10]));
 */
export class KaplanMeier {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = 'KaplanMeier';
  /** Tells the adapter to hand over the cause of interest. */
  readonly takesPositive = true;
  #curve: StepCurve | undefined;

  constructor(input?: NoOptions) {
    noOptions(OWNER, input);
  }

  /**
   * Learns from the outcomes alone.
   *
   * @param X rows, which only have to be as many
   * @param y a time and an event for each row, in every form that a run takes
   * @param sampleWeight weight of each row, at least 0
   * @param causeOfInterest the event that counts; a run passes its own. By default 1
   */
  fit(X: unknown, y: LabelsInput, sampleWeight?: ArrayLike<number> | null, causeOfInterest?: number | null): this {
    const { outcomes, weight, cause } = timedRows(y, rowCount(X), sampleWeight, causeOfInterest);
    const { times, incidence } = cumulativeIncidence(outcomes, weight, cause);
    // A sum of shares may be above 1 by rounding.
    this.#curve = { times, survival: incidence.map((each) => Math.max(0, 1 - each)) };
    return this;
  }

  /** 0 for every row. */
  predictRisk(X: unknown): number[] {
    this.#known();
    return Array.from({ length: rowCount(X) }, () => 0);
  }

  /** As `predictRisk`. */
  predict(X: unknown): number[] {
    return this.predictRisk(X);
  }

  /**
   * The curve at each time, `[n, times]`.
   *
   * @param times in the unit of y
   */
  predictSurvival(X: unknown, times: ArrayLike<number>): number[][] {
    const curve = this.#known();
    const row = Array.from(predictionTimes(times), (time) => survivalAt(curve, time));
    return Array.from({ length: rowCount(X) }, () => row.slice());
  }

  /** The curve: constant from each of its times to the next, and 1 before the first. */
  get curve(): StepCurve {
    return this.#known();
  }

  /** There are no options. */
  getParams(): NoOptions {
    return {};
  }

  /** The curve as plain JSON values. */
  toJSON(): Record<string, unknown> {
    const curve = this.#curve;
    const fitted = curve ? { times: Array.from(curve.times), survival: Array.from(curve.survival) } : null;
    return { estimator: OWNER, cvkit: VERSION, options: {}, fitted };
  }

  /** The model that `toJSON` told of. */
  static fromJSON(json: unknown): KaplanMeier {
    type Read = { readonly times: number[]; readonly survival: number[] };
    const { options, fitted } = savedParts<Read>(OWNER, json, curveShape);
    const restored = new KaplanMeier(options as NoOptions);
    if (fitted) {
      restored.#curve = { times: Float64Array.from(fitted.times), survival: Float64Array.from(fitted.survival) };
    }
    return restored;
  }

  #known(): StepCurve {
    if (this.#curve) return this.#curve;
    throw estimatorNotFitted(OWNER, 'Call fit.');
  }
}

function curveShape(fitted: unknown): Shape {
  const { times } = (fitted ?? {}) as { times?: unknown };
  const length = Array.isArray(times) ? times.length : undefined;
  return fields({ times: list(finite), survival: list(finite, length) });
}
