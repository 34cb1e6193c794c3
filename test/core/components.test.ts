import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Components } from '../../src/core/components.js';

describe('Components', () => {
  it('are numbered by their smallest members', () => {
    const components = new Components(6);
    components.join(5, 1);
    components.join(4, 5);
    components.join(3, 3);
    expect(components.codes()).toEqual({ codes: Int32Array.of(0, 1, 2, 3, 1, 1), sizes: [1, 3, 1, 1] });
  });

  it('are what spreading the smallest number along the pairs gives', () => {
    const pairs = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 30 });
    fc.assert(
      fc.property(pairs, (joined) => {
        const components = new Components(20);
        const label = Array.from({ length: 20 }, (_, item) => item);
        for (const [a, b] of joined) components.join(a, b);
        for (let round = 0; round < 20; round++) {
          for (const [a, b] of joined) label[a] = label[b] = Math.min(label[a], label[b]);
        }
        const order = [...new Set(label)].sort((a, b) => a - b);
        const { codes, sizes } = components.codes();
        expect([[...codes], sizes.length]).toEqual([label.map((each) => order.indexOf(each)), order.length]);
      }),
    );
  });
});
