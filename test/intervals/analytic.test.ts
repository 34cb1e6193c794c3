import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { analytic } from '../../src/intervals/bootstrap.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import reference from '../reference/foldIntervals.json' with { type: 'json' };

const inputOf = (name: string, { folds, level }: (typeof reference.cases)[number], nBootstrap = 100) => {
  const metric = metricRegistry.get(name);
  return {
    metric,
    folds: folds.map(({ yTrue, yProba, weight, units, repeat }) => {
      const table = scoreTable({ yTrue, yProba, classes: [0, 1], ...(weight ? { sampleWeight: weight } : {}) });
      return { table, units: Int32Array.from(units), nTrain: 60, repeat, score: score(metric, table) };
    }),
    level,
    unit: 'patient',
    nBootstrap,
    random: randomSource(nBootstrap),
  };
};

describe('analytic', () => {
  it.each(reference.cases)('is the sum of squared influences, as numpy has it: $name', (each) => {
    for (const { metric, analytic: expected } of each.expected) {
      const found = analytic(inputOf(metric, each));
      expect(found, metric).toMatchObject({ method: 'analytic', estimand: 'predictions', unit: 'patient' });
      expect(found.estimate, metric).toBeCloseTo(expected.estimate, 10);
      expect(found.lower, metric).toBeCloseTo(expected.lower, 9);
      expect(found.upper, metric).toBeCloseTo(expected.upper, 9);
    }
  });

  it('draws nothing', () => {
    const [each] = reference.cases;
    expect(analytic(inputOf('accuracy', each, 100))).toEqual(analytic(inputOf('accuracy', each, 900)));
  });

  it('has no limits for a metric without influence function, with the reason', () => {
    const input = inputOf('brier', reference.cases[0]);
    const { influence: _, ...metric } = input.metric;
    expect(analytic({ ...input, metric })).toMatchObject({
      lower: null,
      reason: 'brier has no influence function; use bootstrap',
    });
  });
});
