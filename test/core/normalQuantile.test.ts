import { expect, it } from 'vitest';
import { normalQuantile } from '../../src/core/normalQuantile.js';
import reference from '../reference/intervals.json' with { type: 'json' };

it.each(reference.normalQuantile)('normalQuantile of %d is that of scipy', (p, z) => {
  expect(Math.abs(normalQuantile(p) / z - 1)).toBeLessThan(2e-15);
});
