import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, sum, unbiasedVariance } from '../../src/core/numbers.js';
import { randomInterval, randomSource } from '../../src/core/random.js';
import { SharedDraws } from '../../src/intervals/sharedDraws.js';
import { drawUnits, labelCells, readsCells } from '../../src/intervals/unitDraws.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('drawUnits', () => {
  it('draws n of n units with replacement, as numpy.random.RandomState(7).randint(0, 5, 5)', () => {
    // python3 -c "import numpy as n; r = n.random.RandomState(7); print([n.bincount(r.randint(0, 5, 5), minlength=5).tolist() for _ in range(2)])"
    expect(Array.from(drawUnits(randomSource(7), 5, 2), (draws) => Array.from(draws))).toEqual([
      [0, 1, 0, 2, 2],
      [1, 2, 2, 0, 0],
    ]);
  });

  it('draws what randomInterval draws, from any stream, and leaves the stream of two units or more at the same place', () => {
    const seeds = fc.oneof(fc.nat(), fc.string({ minLength: 1 }));
    fc.assert(
      fc.property(seeds, fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(64, 65, 1000)), (seed, n) => {
        const [left, right] = [randomSource(seed), randomSource(seed)];
        const drawn = Array.from(drawUnits(left, n, 3), (draws) => Array.from(draws));
        const expected = [0, 1, 2].map(() => {
          const draws = new Array<number>(n).fill(0);
          for (let i = 0; i < n; i++) draws[randomInterval(right, n - 1)]++;
          return draws;
        });
        expect(drawn).toEqual(expected);
        if (n > 1) expect(left.uint32()).toBe(right.uint32());
      }),
      { seed: 3 },
    );
  });
});

describe('drawUnits of 50,000 units and more', () => {
  it('draws n units in all, in bytes', () => {
    for (const n of [50_000, 50_001, 77_777]) {
      const [draws] = drawUnits(randomSource(n), n, 1);
      expect(draws).toBeInstanceOf(Uint8Array);
      expect(sum(draws)).toBe(n);
    }
    const [fewer] = drawUnits(randomSource(4), 49_999, 1);
    expect(fewer).toBeInstanceOf(Int32Array);
  });

  it('gives counts of the binomial distribution of n draws, 1/n each', () => {
    const n = 400_000;
    const [draws] = drawUnits(randomSource(2), n, 1);
    const found = new Float64Array(16);
    for (const times of draws) found[times] += 1 / n;
    // P(X = k), X binomial (n, 1/n); five standard errors.
    let p = (1 - 1 / n) ** n;
    for (let k = 0; k < 8; k++) {
      expect(Math.abs(found[k] - p), String(k)).toBeLessThan(5 * Math.sqrt(p / n));
      p *= (n - k) / (k + 1) / (n - 1);
    }
  });

  it('asks for further bits where sixteen do not decide: the sixteen that straddle exp(-1)', () => {
    const bits = Math.floor(Math.exp(-1) * 2 ** 16);
    const rest = Math.floor(Math.exp(-1) * 2 ** 32 - bits * 2 ** 16);
    const of = (more: number) => {
      // Halves of .5 give one draw each, of exp(-1) none or one.
      const words = [(0x8000 << 16) | bits, more << 16];
      const random = { uint32: () => (words.shift() ?? 0x80008000) >>> 0, random: () => 0 };
      return drawUnits(random, 50_000, 1)[Symbol.iterator]().next().value as Uint8Array;
    };
    expect(Array.from(of(rest + 1).subarray(0, 3))).toEqual([1, 1, 1]);
    const lower = of(rest - 1);
    expect(Array.from(lower.subarray(0, 3))).toEqual([0, 1, 1]);
    // The draw that is then lacking goes to a unit at random, here to the one of the next word.
    expect(lower[0x8000]).toBe(2);
  });

  it('gives the variance of multinomial counts: the draws of half of the units are binomial (n, 1/2)', () => {
    const [n, runs] = [50_000, 400];
    const halves = Array.from(drawUnits(randomSource(3), n, runs), (draws) => sum(draws.subarray(0, n / 2)));
    // Poisson counts without the correction of their sum would have n / 2. Five standard errors.
    expect(Math.abs(mean(halves) - n / 2)).toBeLessThan(5 * Math.sqrt(n / 4 / runs));
    expect(Math.abs(unbiasedVariance(halves) / (n / 4) - 1)).toBeLessThan(5 * Math.sqrt(2 / runs));
  });
});

describe('SharedDraws', () => {
  it('weighs the cells of blocks by the resamples, once for all who ask', () => {
    const draws = new SharedDraws(7, 2);
    const table = scoreTable({ yTrue: [0, 0, 1, 1, 1], yPred: [0, 0, 1, 1, 0], classes: [0, 1] });
    const block = { table, units: Int32Array.of(0, 1, 2, 3, 4) };
    const small = scoreTable({ yTrue: [0, 1], yPred: [0, 1], classes: [0, 1] });
    // Three cells of five rows save too little.
    expect(draws.cells([block], 5)).toBeUndefined();
    const right = { ...block, table: scoreTable({ yTrue: [0, 0, 1, 1, 1], yPred: [0, 0, 1, 1, 1], classes: [0, 1] }) };
    const found = draws.cells([right], 5);
    // The resamples are [0, 1, 0, 2, 2] and [1, 2, 2, 0, 0].
    expect(Array.from(found?.[0].weights as Float64Array)).toEqual([1, 4, 3, 2]);
    expect(draws.cells([{ ...right, units: Int32Array.of(0, 1, 2, 3, 4) }], 5)?.[0]).toBe(found?.[0]);
    const other = draws.cells([{ ...right, units: Int32Array.of(4, 3, 2, 1, 0) }], 5);
    expect(Array.from(other?.[0].weights as Float64Array)).toEqual([4, 1, 0, 5]);
    expect(draws.cells([right, { table: small, units: Int32Array.of(0, 1) }], 5)).toBeUndefined();
  });

  it('gives every metric the same resamples, also when there are too many to keep', () => {
    const draws = new SharedDraws(7, 2);
    const once = Array.from(draws.of(5), (each) => Array.from(each));
    expect(once).toEqual([
      [0, 1, 0, 2, 2],
      [1, 2, 2, 0, 0],
    ]);
    expect(Array.from(draws.of(5), (each) => Array.from(each))).toEqual(once);
    const many = new SharedDraws(1, 9);
    const first = () => Array.from(many.of(4_000_000)[Symbol.iterator]().next().value.subarray(0, 20));
    expect(first()).toEqual(first());
  });
});

const labels = metricRegistry.names().map((name) => metricRegistry.get(name));

describe('labelCells', () => {
  it('gives every metric of labels the value of the rows, under any weights', () => {
    const row = fc.record({ y: fc.nat(2), p: fc.nat(2), unit: fc.nat(9), w: fc.integer({ min: 0, max: 3 }) });
    const counts = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 20, maxLength: 60 }), counts, fc.boolean(), (rows, times, weighted) => {
        const table = scoreTable({
          yTrue: rows.map(({ y }) => y),
          yPred: rows.map(({ p }) => p),
          classes: [0, 1, 2],
          ...(weighted ? { sampleWeight: rows.map(({ w }) => w + 1) } : {}),
        });
        const cells = labelCells({ table, units: Int32Array.from(rows, ({ unit }) => unit) });
        if (!cells) throw new Error('no cells');
        cells.weigh(Int32Array.from(times), cells.table.weight);
        const weight = Float64Array.from(rows, ({ unit }, at) => times[unit] * (table.weight?.[at] ?? 1));
        for (const metric of labels.filter((each) => readsCells(each, table) && each.tasks.includes('multiclass'))) {
          const [found, expected] = [score(metric, cells.table), score(metric, { ...table, weight })];
          // Integers: every sum is exact.
          expect(found, metric.name).toEqual(expected);
        }
      }),
      { seed: 4 },
    );
  });

  it('is for metrics that read labels and weights, of tasks with classes', () => {
    const table = scoreTable({ yTrue: [0, 1, 0, 1], yPred: [0, 1, 1, 1], classes: [0, 1] });
    const of = (name: string) => readsCells(metricRegistry.get(name), table);
    expect(['accuracy', 'sensitivity', 'f1', 'mcc'].map(of)).toEqual([true, true, true, true]);
    expect(['roc_auc', 'brier', 'net_benefit'].map(of)).toEqual([false, false, false]);
    const { weighted: _, ...blind } = metricRegistry.get('accuracy');
    expect(readsCells(blind, table)).toBe(false);
    expect(readsCells(metricRegistry.get('mse'), scoreTable({ yTrue: [0.5, 1.5], yPred: [1, 2] }))).toBe(false);
  });

  it('is not made where it would save nothing: cells as many as rows', () => {
    const table = scoreTable({ yTrue: [0, 1, 0], yPred: [0, 1, 1], classes: [0, 1] });
    expect(labelCells({ table, units: Int32Array.of(0, 1, 2) })).toBeUndefined();
  });

  it('leaves the table as it is', () => {
    const table = scoreTable({
      yTrue: [0, 1, 0, 1],
      yPred: [0, 1, 0, 1],
      classes: [0, 1],
      yProba: [0.1, 0.9, 0.2, 0.8],
    });
    const cells = labelCells({ table, units: Int32Array.of(0, 1, 0, 1) });
    expect(cells?.table).toMatchObject({ length: 2, fixed: true, yTrue: Int32Array.of(0, 1) });
    expect(cells?.table.yProba).toBeUndefined();
    expect(table.weight).toBeUndefined();
    expect(table.length).toBe(4);
  });
});
