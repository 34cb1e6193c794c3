import { hasReason } from '../../core/hasReason.js';
import { clippedProbability, logistic } from '../../core/numbers.js';
import type { Label } from '../../data/labels.js';
import { logisticFit } from '../../metrics/logisticFit.js';
import { noFit, type Recalibration, type RecalibrationOptions, recalibration, rowsToFit } from './recalibration.js';

type Beta = { readonly method: 'beta'; readonly intercept: number; readonly a: number; readonly b: number };

const toZero = (p: number) => Math.log(clippedProbability(p));
const toOne = (p: number) => -Math.log(1 - clippedProbability(p));

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
    if (a >= 0 && b >= 0) return betaMap({ method: 'beta', intercept: coefficient(0), a, b });
    used = used.filter((j) => j !== (a < b ? 1 : 2));
  }
}

export const betaMap = (fit: Beta): Recalibration<Beta> =>
  recalibration(fit, (p) => logistic(fit.intercept + fit.a * toZero(p) + fit.b * toOne(p)));
