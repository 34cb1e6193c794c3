/** What the competitors that train models of their own share. */

import { trainOn } from '../learners/index.mjs';
import { take } from '../population.mjs';
import { METRICS, RANGES } from '../scenarios.mjs';
import { trueValues } from '../trueValues.mjs';

/** .975 quantile of the normal distribution. */
export const Z = 1.959963984540054;

/** The rows of each patient. */
export function patientRows({ group, n, nPatients }) {
  const rows = Array.from({ length: nPatients }, () => []);
  for (let row = 0; row < n; row++) rows[group[row]].push(row);
  return rows;
}

/**
 * Every metric on the patients `test` by a model of the patients `train`; a patient that is listed twice counts twice.
 * Undefined where a side lacks a class.
 */
export function evaluate(learner, data, rowsOf, train, test) {
  const [inside, outside] = [train, test].map((patients) =>
    take(
      data,
      Array.from(patients).flatMap((each) => rowsOf[each]),
    ),
  );
  if (![inside, outside].every(({ y }) => y.includes(0) && y.includes(1))) return undefined;
  return trueValues(outside.y, trainOn(learner, inside)(outside.x, outside.n));
}

/** Per metric estimate -+ half its width, clipped to the range; null where either is missing. */
export const around = (estimates, halves) =>
  Object.fromEntries(
    METRICS.map((metric) => {
      const [low, high] = RANGES[metric];
      const [centre, half] = [estimates[metric], halves[metric]];
      const known = Number.isFinite(centre) && Number.isFinite(half);
      return [metric, known ? [Math.max(low, centre - half), Math.min(high, centre + half)] : null];
    }),
  );
