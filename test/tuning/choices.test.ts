import { describe, expect, it } from 'vitest';
import { stabilityOf } from '../../src/tuning/choices.js';
import { categoricalDistribution, floatDistribution, intDistribution } from '../../src/tuning/distribution.js';

describe('stabilityOf', () => {
  it('counts how alike folds chose', () => {
    const chosen = [
      { C: 1, k: 'a' },
      { C: 3, k: 'a' },
      { C: 1, k: 'a' },
      { C: 2, k: 'b' },
    ];
    const stability = stabilityOf(chosen, { C: floatDistribution('C', 1, 3) });
    expect(stability).toMatchObject({ nFolds: 4, nDifferent: 3, share: 0.5 });
    expect(stability.byParameter.C).toEqual({
      values: [1, 3, 1, 2],
      mostFrequent: 1,
      share: 0.5,
      range: { low: 1, median: 1.5, high: 3 },
      isUnstable: true,
      atEdge: 3,
    });
    expect(stability.byParameter.k).toMatchObject({ mostFrequent: 'a', share: 0.75, range: null, atEdge: 0 });
  });

  it('tells a parameter that was not asked for from one that is null', () => {
    const { nDifferent, byParameter } = stabilityOf([{ k: null }, {}, {}], {});
    expect(nDifferent).toBe(2);
    expect(byParameter.k).toMatchObject({ values: [null, undefined, undefined], mostFrequent: undefined });
    expect(stabilityOf([{ k: 'undefined' }, {}], {}).nDifferent).toBe(2);
  });

  it('takes any name, and tells lists from text', () => {
    const named = stabilityOf([{ constructor: 1 }, {}] as never, {});
    expect(named.byParameter.constructor).toMatchObject({ values: [1, undefined], atEdge: 0 });
    expect(stabilityOf([{ k: [1] }, { k: '[1]' }], {}).nDifferent).toBe(2);
  });

  it('sees edges only where something lies between them', () => {
    const atEdge = (value: number, of: Parameters<typeof stabilityOf>[1][string]) =>
      stabilityOf([{ n: value }], { n: of }).byParameter.n.atEdge;
    expect(atEdge(1, intDistribution('n', 1, 3))).toBe(1);
    expect(atEdge(2, intDistribution('n', 1, 3))).toBe(0);
    expect(atEdge(1, intDistribution('n', 1, 2))).toBe(0);
    expect(atEdge(5, floatDistribution('n', 5, 5))).toBe(0);
    expect(atEdge(9, categoricalDistribution('n', [3, 9, 1]))).toBe(1);
    expect(atEdge(9, categoricalDistribution('n', [9, 'a', 1]))).toBe(0);
  });
});
