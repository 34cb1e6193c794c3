import { InvalidDataError, sentence } from '../../core/errors.js';
import { isPlainObject } from '../../core/options.js';
import { betaMap } from './betaCalibration.js';
import { isotonicMap } from './isotonicRegression.js';
import { plattMap } from './plattScaling.js';
import type { Recalibration, RecalibrationJSON } from './recalibration.js';

const isNumber = (v: unknown) => Number.isFinite(v);
const isRising = (v: unknown) =>
  Array.isArray(v) && v.length > 0 && v.every((each, i) => isNumber(each) && (i === 0 || each >= v[i - 1]));

/**
 * The recalibration that `toJSON` saved, to be used with the model.
 *
 * @throws InvalidDataError for anything that `toJSON` of a recalibration does not give
 */
export function recalibrationFromJSON(json: RecalibrationJSON): Recalibration {
  const { method, intercept, slope, a, b, from, to } = (isPlainObject(json) ? json : {}) as Record<string, unknown>;
  if (method === 'platt' && isNumber(intercept) && isNumber(slope)) return plattMap(json as never);
  if (method === 'beta' && [intercept, a, b].every(isNumber)) return betaMap(json as never);
  if (method === 'isotonic' && isRising(from) && isRising(to) && (from as []).length === (to as []).length) {
    return isotonicMap(json as never);
  }
  throw new InvalidDataError(sentence('A saved recalibration', 'be what its toJSON gave', json));
}
