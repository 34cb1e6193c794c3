/** Every registered metric passes the common suite; the first test proves that nobody is missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
  it('are all registered: each that src/metrics/definitions declares', () => {
    const folder = new URL('../../src/metrics/definitions/', import.meta.url);
    const declared = readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^export const \w+: Metric = \{/gm)]);
    expect(metricRegistry.names()).toHaveLength(declared.length);
  });

  for (const metric of metricRegistry) {
    describe(metric.name, () => {
      const except = EXCEPTIONS[metric.name];
      for (const { name, run } of metricSuite(metric, except ? { except } : {})) it(name, run);
    });
  }
});
