/** Every registered metric passes the common suite; the first test proves that nobody is missing. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Metric } from '../../src/metrics/metric.js';
import { isBuiltIn } from '../../src/metrics/metricsFor.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { metricSuite } from '../conformance/metricSuite.js';

const INHERENT = 'the least possible value depends on the shares of the classes';
const FLIPPED = 'classes that are all confused in turn are still told apart in part';

/** Cases that cannot hold for a metric, each with the reason. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  average_precision: { 'binary: worst predictions': INHERENT },
  cohen_kappa: { 'binary: worst predictions': INHERENT, 'multiclass: worst predictions': INHERENT },
  cohen_kappa_linear: { 'binary: worst predictions': INHERENT, 'multiclass: worst predictions': INHERENT },
  cohen_kappa_quadratic: { 'binary: worst predictions': INHERENT, 'multiclass: worst predictions': INHERENT },
  mcc: { 'multiclass: worst predictions': INHERENT },
  roc_auc_ovr_macro: { 'multiclass: worst predictions': FLIPPED },
  roc_auc_ovo_macro: { 'multiclass: worst predictions': FLIPPED },
  concordance_correlation: { 'regression: worst predictions': 'predictions far off have no covariance left, near 0' },
  net_benefit: {
    'binary: perfect predictions': 'the most possible is the prevalence',
    'binary: worst predictions': 'the least possible is the share of negatives, negated',
  },
};

describe('metrics', () => {
  it('are all registered: each that a file of src/metrics/definitions exports', async () => {
    const files = readdirSync(new URL('../../src/metrics/definitions/', import.meta.url));
    const families = files.map((file) => import(`../../src/metrics/definitions/${file.replace(/\.ts$/, '')}.ts`));
    const values = (await Promise.all(families)).flatMap((family) => Object.values(family as Record<string, Metric>));
    const exported = values.filter((each) => typeof each.compute === 'function');
    expect(exported.length).toBeGreaterThanOrEqual(35);
    const lacking = exported.filter((metric) => !isBuiltIn(metric)).map(({ name }) => name);
    expect(lacking, 'Metrics that lack their row: `npm run generate` writes it.').toEqual([]);
    expect(exported).toHaveLength(metricRegistry.names().length);
  });

  for (const metric of metricRegistry) {
    describe(metric.name, () => {
      const except = EXCEPTIONS[metric.name];
      for (const { name, run } of metricSuite(metric, except ? { except } : {})) it(name, run);
    });
  }
});
