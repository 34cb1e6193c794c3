import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { hasReason } from '../../core/hasReason.js';
import { lowerBound } from '../../core/lowerBound.js';
import { clippedLogit, clippedProbability, logistic } from '../../core/numbers.js';
import { type InputOf, isPlainObject, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import { calibrationFit } from '../../metrics/definitions/probability.js';
import { logisticFit } from '../../metrics/logisticFit.js';
import { ascendingOrder, concordance } from '../../metrics/rocPlacements.js';
import { checkedProbabilities } from '../../metrics/scoreTable.js';
import { type BinaryRows, binaryRowOptions, binaryRows } from '../binaryRows.js';

export const recalibrationOptions = optionTable('a recalibration', binaryRowOptions);

export type RecalibrationOptions = InputOf<typeof recalibrationOptions>;

type Platt = { readonly method: 'platt'; readonly intercept: number; readonly slope: number };
type Beta = { readonly method: 'beta'; readonly intercept: number; readonly a: number; readonly b: number };
type Isotonic = { readonly method: 'isotonic'; readonly from: readonly number[]; readonly to: readonly number[] };

/** What a fit consists of, as plain JSON. */
export type RecalibrationJSON = Platt | Beta | Isotonic;

/** A fitted recalibration. Fit it on training or inner rows, never on the rows that are scored with it. */
export interface Recalibration<J extends RecalibrationJSON = RecalibrationJSON> {
  /**
   * New probabilities, one per given one, in a fresh array. Throws InvalidDataError for numbers that are not
   * probabilities.
   */
  apply(probabilities: ArrayLike<number>): Float64Array;
  toJSON(): J;
}

const recalibration = <J extends RecalibrationJSON>(json: J): Recalibration<J> => ({
  apply(probabilities) {
    const map = mapOf(json);
    const checked = checkedProbabilities(probabilities, 1, 'probabilities', InvalidDataError);
    return checked.map((p) => Math.min(1, Math.max(0, map(p))));
  },
  toJSON: () => json,
});

function mapOf(fit: RecalibrationJSON): (p: number) => number {
  if (fit.method === 'platt') return (p) => logistic(fit.intercept + fit.slope * clippedLogit(p));
  if (fit.method === 'beta') return (p) => logistic(fit.intercept + fit.a * toZero(p) + fit.b * toOne(p));
  const { from, to } = fit;
  return (p) => {
    const right = lowerBound(from, p);
    if (right === 0) return to[0];
    if (right === from.length) return to[right - 1];
    const part = (p - from[right - 1]) / (from[right] - from[right - 1]);
    return to[right - 1] + part * (to[right] - to[right - 1]);
  };
}

const toZero = (p: number) => Math.log(clippedProbability(p));
const toOne = (p: number) => -Math.log(1 - clippedProbability(p));

function rowsToFit(owner: string, yTrue: ArrayLike<Label>, yProba: ArrayLike<number>, options: unknown): BinaryRows {
  const rows = binaryRows(yTrue, yProba, optionTable(owner, recalibrationOptions.shape).resolve(options));
  for (const side of [1, 0]) {
    if (rows.y.includes(side)) continue;
    const kind = side === 1 ? 'positive' : 'negative';
    const must = `hold ${kind} rows for ${owner}`;
    throw new InvalidDataError(sentence('yTrue', must, phrase('none')), { code: 'one_class' });
  }
  return rows;
}

/** The error for a fit without a finite maximum; isotonic regression always has one. */
function noFit(owner: string, reason: string): InvalidDataError {
  const way = 'Use isotonicRegression or more rows.';
  const text = sentence(`The rows of ${owner}`, 'determine a fit', phrase(`none (${reason})`), way);
  return new InvalidDataError(text, { code: 'did_not_converge' });
}

/**
 * Platt scaling in the form of clinical prediction models, logistic recalibration: outcomes are regressed on the
 * log-odds of the probabilities by maximum likelihood, and new log-odds are intercept + slope x old ones. So
 * probabilities that are calibrated stay as they are. Platt's smoothed targets are left out: they are for scores that
 * are not probabilities. Probabilities are kept within [1e-8, 1 - 1e-8].
 *
 * Source: Cox 1958, Biometrika 45:562; Steyerberg et al. 2004, Statistics in Medicine 23:2567; Platt 1999.
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n
 * @throws InvalidDataError with one class alone, equal probabilities, and where probabilities separate the classes
 * @example
 * const recalibration = plattScaling(yTrue, yProba);
 * console.log(recalibration.apply([0.1, 0.5, 0.9]));
 */
export function plattScaling(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  options?: RecalibrationOptions,
): Recalibration<Platt> {
  const fit = calibrationFit(rowsToFit('plattScaling', yTrue, yProba, options).table, 'slope');
  if (hasReason(fit)) throw noFit('plattScaling', fit.reason);
  const [intercept, slope] = fit.coefficients;
  return recalibration({ method: 'platt', intercept, slope });
}

/**
 * Beta calibration: new log-odds are intercept + a ln p - b ln(1 - p), fitted by maximum likelihood, so that the two
 * ends of the curve may bend differently; a = b is logistic recalibration. A negative a or b, which would reverse the
 * order, is set to 0 and the others are fitted again, the more negative one first.
 *
 * Source: Kull, Silva Filho & Flach 2017, AISTATS (PMLR 54:623).
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n
 * @throws InvalidDataError with one class alone, with fewer than three different probabilities, and where probabilities
 * separate the classes
 * @example
 * const recalibration = betaCalibration(yTrue, yProba);
 * console.log(recalibration.apply([0.1, 0.5, 0.9]));
 */
export function betaCalibration(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  options?: RecalibrationOptions,
): Recalibration<Beta> {
  const { table, y } = rowsToFit('betaCalibration', yTrue, yProba, options);
  const { yProba: p, weight } = table;
  const columns = [p.map(() => 1), p.map(toZero), p.map(toOne)];
  let used = [0, 1, 2];
  for (;;) {
    const fit = logisticFit({ columns: used.map((j) => columns[j]), y, ...(weight ? { weight } : {}) });
    if (hasReason(fit)) throw noFit('betaCalibration', fit.reason);
    const coefficient = (j: number) => fit.coefficients[used.indexOf(j)] ?? 0;
    const [a, b] = [coefficient(1), coefficient(2)];
    if (a >= 0 && b >= 0) return recalibration({ method: 'beta', intercept: coefficient(0), a, b });
    used = used.filter((j) => j !== (a < b ? 1 : 2));
  }
}

/**
 * Isotonic regression: the rising step function of the probabilities that is nearest to the outcomes by weighted least
 * squares, by pooling adjacent violators; straight lines between the ends of the steps, and beyond the fitted
 * probabilities the value at the end. As `IsotonicRegression(out_of_bounds='clip')` of scikit-learn. It keeps or ties
 * the order and needs many rows: hundreds of each class.
 *
 * Source: Ayer et al. 1955, Annals of Mathematical Statistics 26:641; Zadrozny & Elkan 2002, KDD.
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n
 * @throws InvalidDataError with one class alone
 * @example
 * const recalibration = isotonicRegression(yTrue, yProba);
 * console.log(recalibration.apply([0.1, 0.5, 0.9]));
 */
export function isotonicRegression(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  options?: RecalibrationOptions,
): Recalibration<Isotonic> {
  const { table } = rowsToFit('isotonicRegression', yTrue, yProba, options);
  const scores = table.yProba;
  const order = ascendingOrder(scores);
  const steps: Step[] = [];
  concordance({ ...table, scores }, (from, _to, _belowPositive, _belowNegative, positive, negative) => {
    const at = scores[order[from]];
    let step: Step = { from: at, to: at, positive, weight: positive + negative };
    // A step that is not above the one before it is pooled with it.
    for (let last = steps.at(-1); last && share(last) >= share(step); last = steps.at(-1)) {
      steps.pop();
      step = { ...step, from: last.from, positive: last.positive + step.positive, weight: last.weight + step.weight };
    }
    steps.push(step);
  });
  const ends = steps.flatMap((step) => (step.from < step.to ? [step.from, step.to] : [step.from]));
  const values = steps.flatMap((step) => (step.from < step.to ? [share(step), share(step)] : [share(step)]));
  return recalibration({ method: 'isotonic', from: ends, to: values });
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly positive: number;
  readonly weight: number;
}

const share = ({ positive, weight }: Step) => positive / weight;

const isNumber = (v: unknown) => Number.isFinite(v);
const isRising = (v: unknown) =>
  Array.isArray(v) && v.length > 0 && v.every((each, i) => isNumber(each) && (i === 0 || each >= v[i - 1]));

/**
 * The recalibration that `toJSON` saved, to be used with the model.
 *
 * @throws InvalidDataError for anything that `toJSON` of a recalibration does not give
 * @example
 * const saved = JSON.stringify(plattScaling(yTrue, yProba));
 * console.log(recalibrationFromJSON(JSON.parse(saved)).apply([0.1, 0.5, 0.9]));
 */
export function recalibrationFromJSON(json: RecalibrationJSON): Recalibration {
  const { method, intercept, slope, a, b, from, to } = (isPlainObject(json) ? json : {}) as Record<string, unknown>;
  const rising = isRising(from) && isRising(to) && (from as []).length === (to as []).length;
  const whole =
    (method === 'platt' && [intercept, slope].every(isNumber)) ||
    (method === 'beta' && [intercept, a, b].every(isNumber)) ||
    (method === 'isotonic' && rising);
  if (whole) return recalibration(json);
  throw new InvalidDataError(sentence('A saved recalibration', 'be what its toJSON gave', json));
}
