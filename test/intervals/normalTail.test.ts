import { describe, expect, it } from 'vitest';
import { normalTail } from '../../src/intervals/normalTail.js';
import reference from '../reference/clinical.json' with { type: 'json' };

describe('normalTail', () => {
  it('equals pnorm of R, also relative to tiny tails', () => {
    for (const [z, tail] of reference.normalTail) {
      expect(normalTail(z) / tail, String(z)).toBeCloseTo(1, 12);
      expect(normalTail(-z)).toBeCloseTo(1 - tail, 14);
    }
  });
});
