import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { otherOrder } from '../../src/metrics/columnOrder.js';

type Row = readonly [p: number, label: number];

/** The order that is found for the probabilities of `positive` beside a model's own labels. */
const found = (rows: readonly Row[], positive = 1) =>
  otherOrder({
    task: 'binary',
    classes: ['no', 'yes'],
    positive,
    length: rows.length,
    yPred: Int32Array.from(rows, ([, label]) => label),
    yProba: Float64Array.from(rows, ([p]) => p),
  });

/** What a model makes of some rows: its probabilities, rounded to parts, and labels by its own cut-off, some at random. */
const model = fc.record({
  seed: fc.nat(),
  n: fc.integer({ min: 1, max: 200 }),
  cut: fc.double({ min: 0, max: 1, noNaN: true }),
  parts: fc.constantFrom(0, 1, 2, 5, 20, 1e9),
  squeeze: fc.constantFrom(1, 0.3, 0.01),
});
function rowsOf({ seed, n, cut, parts, squeeze }: typeof model extends fc.Arbitrary<infer M> ? M : never, noise = 0) {
  const random = randomSource(seed);
  return Array.from({ length: n }, (): Row => {
    const p = parts === 0 ? 0.4 : squeeze * (Math.round(random.random() * parts) / parts);
    return [p, random.random() < noise ? Number(random.random() < 0.5) : Number(p > squeeze * cut)];
  });
}

describe('otherOrder', () => {
  it('accuses no honest model: any cut-off, ties, constant probabilities, noisy labels', () => {
    fc.assert(
      fc.property(model, fc.constantFrom(0, 0.1, 0.5), (each, noise) => {
        expect(found(rowsOf(each, noise))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('accuses labels that have nothing to do with the probabilities in fewer than 1 of 1,000 cases', () => {
    const random = randomSource(5);
    let accused = 0;
    for (let run = 0; run < 5000; run++) {
      const rows = Array.from({ length: 20 }, (_, row): Row => [random.random() / 2, row % 2]);
      if (found(rows)) accused++;
    }
    expect(accused).toBeLessThanOrEqual(5); // 12 of 184,756 are expected, so .3
  });

  it('finds exchanged columns at any cut-off that leaves ten rows of each label', () => {
    const all = Array.from({ length: 60 }, (_, row) => (row + 0.5) / 60);
    for (let above = 10; above <= 50; above++) {
      for (const positive of [0, 1]) {
        const rows = all.map((p, row): Row => [1 - p, row >= 60 - above ? positive : 1 - positive]);
        expect(found(rows, positive), `${above} rows`).toEqual([1, 0]);
      }
    }
  });

  it('finds nothing where a label is rare and all rows are on one side of .5', () => {
    const rows = Array.from({ length: 60 }, (_, row): Row => [0.5 - row / 200, Number(row >= 51)]);
    expect(found(rows)).toBeUndefined();
  });

  it('tells several columns by the most probable one, not counting ties', () => {
    const of = (rows: readonly (readonly [probabilities: readonly number[], label: number])[]) =>
      otherOrder({
        task: 'multiclass',
        classes: ['a', 'b', 'c'],
        positive: -1,
        length: rows.length,
        yPred: Int32Array.from(rows, ([, label]) => label),
        yProba: Float64Array.from(rows.flatMap(([probabilities]) => probabilities)),
      });
    const best = [
      [0.6, 0.2, 0.2],
      [0.2, 0.6, 0.2],
      [0.2, 0.2, 0.6],
    ];
    const turned = Array.from({ length: 30 }, (_, row) => [best[row % 3], (row + 1) % 3] as const);
    expect(of(turned)).toEqual([1, 2, 0]);
    const tie = Array.from({ length: 20 }, () => [[0.4, 0.4, 0.2], 2] as const);
    expect(of([...turned, ...tie])).toEqual([1, 2, 0]);
    expect(of(turned.map(([probabilities], row) => [probabilities, row % 3] as const))).toBeUndefined();
  });
});
