/** Every registered metric passes the common suite; the first test proves that nobody is missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { metricRegistry } from '../../src/metrics/registry.js';
import { metricSuite } from '../conformance/metricSuite.js';

describe('metrics', () => {
  it('are all registered: each file of src/metrics that declares a Metric', () => {
    const folder = new URL('../../src/metrics/', import.meta.url);
    const declared = readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^export const \w+: Metric = \{/gm)]);
    expect(metricRegistry.names()).toHaveLength(declared.length);
  });

  for (const metric of metricRegistry) {
    describe(metric.name, () => {
      for (const { name, run } of metricSuite(metric)) it(name, run);
    });
  }
});
