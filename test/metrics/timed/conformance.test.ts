/** Metrics of outcomes by time pass the suite of all metrics, on tables with ties, censoring and weights. */
import { describe, expect, it } from 'vitest';
import { metricsFor, namesAt } from '../../../src/metrics/metricsFor.js';
import { metricRegistry } from '../../../src/metrics/registry.js';
import { isWeighted, metricsAt, registerTimedMetrics, TIMED_METRICS } from '../../../src/metrics/timed/timedMetrics.js';
import { metricSuite } from '../../conformance/metricSuite.js';

const EFRON = "Efron's treatment of ties shares the risk set among copies of a row, as coxph does";
const TARGET = 'the suite has calibrated predictions of two classes alone; see test/survival/calibrationAt.test.ts';
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  log_partial_likelihood: { 'survival: weight k is the row k times': EFRON },
  calibration_slope_at_2: {
    'survival: weight k is the row k times': EFRON,
    'survival: perfect predictions': TARGET,
    'survival: worst predictions': TARGET,
  },
  observed_expected_at_2: { 'survival: perfect predictions': TARGET, 'survival: worst predictions': TARGET },
};

for (const metric of [...TIMED_METRICS, ...metricsAt(2)]) {
  describe(metric.name, () => {
    const except = EXCEPTIONS[metric.name];
    for (const { name, run } of metricSuite(metric, except ? { except } : {})) it(name, run);
  });
}

describe('families', () => {
  it('give one name for each time, the same metric each time they are asked', () => {
    registerTimedMetrics();
    const names = namesAt(['concordance', 'brier_at', 'calibration_at'], { of: 'times', places: [1, 2.5] });
    expect(names).toEqual([
      ...['concordance', 'brier_at_1', 'brier_at_2.5', 'calibration_slope_at_1', 'observed_expected_at_1'],
      ...['calibration_slope_at_2.5', 'observed_expected_at_2.5'],
    ]);
    const found = metricsFor(names, 'survival');
    expect(namesAt(['brier_at'], { of: 'times', places: [1] })).toEqual(['brier_at_1']);
    expect(metricRegistry.get('brier_at_1')).toBe(found[1]);
    expect(found.filter(isWeighted).map(({ name }) => name)).toEqual(['brier_at_1', 'brier_at_2.5']);
  });
});
