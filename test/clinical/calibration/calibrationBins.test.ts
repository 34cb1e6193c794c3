import { describe, expect, it } from 'vitest';
import { binaryRows } from '../../../src/clinical/binaryRows.js';
import { calibrationBins, expectedCalibrationError } from '../../../src/clinical/calibration/calibrationCurve.js';
import { ece } from '../../../src/metrics/definitions/probability.js';
import reference from '../../reference/calibrationCurves.json' with { type: 'json' };

const rows = (each: (typeof reference.cases)[number]) =>
  binaryRows(each.yTrue, each.yProba, { sampleWeight: each.sampleWeight });

// Means and shares of uniform bins are compared with R in calibrationCurve.test.ts.
describe('calibrationBins', () => {
  it('closes bins at their upper ends, the first at both', () => {
    const bins = calibrationBins(binaryRows([0, 1, 1, 0], [0, 0.5, 0.5000001, 1], {}), 2);
    expect(bins.map(({ n, positives, negatives }) => [n, positives, negatives])).toEqual([
      [2, 1, 1],
      [2, 1, 1],
    ]);
  });

  it('has null in an empty bin', () => {
    const [first] = calibrationBins(binaryRows([0, 1], [0.6, 0.9], {}), 2);
    expect(first).toEqual({ from: 0, to: 0.5, n: 0, positives: 0, negatives: 0, predicted: null, observed: null });
  });

  it.each(reference.cases)('by quantiles has the edges of R', (each) => {
    const bins = calibrationBins(rows(each), 5, 'quantile');
    each.quantiles.forEach((edge, i) => {
      expect(i < 5 ? bins[i].from : bins[4].to).toBeCloseTo(edge, 14);
    });
    expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(each.yTrue.length);
  });

  it.each(reference.cases)('with ten of equal width gives the metric ece', (each) => {
    const found = rows(each);
    expect(expectedCalibrationError(calibrationBins(found, 10))).toBeCloseTo(ece.compute(found.table) as number, 12);
  });
});
