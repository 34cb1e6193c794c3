import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { labelsOf } from '../../src/data/labels.js';
import { labelMoves, type Scheme } from '../../src/stats/labelMoves.js';

const moved = (y: number[], groups: number[] | undefined, scheme?: Scheme, seed = 1) => {
  const labels = labelsOf(y, { task: 'classification' });
  const moves = labelMoves(labels, groups, scheme);
  return { ...moves, y: Array.from(moves.draw(randomSource(seed)), (row) => y[row]) };
};
const byGroup = (y: number[], groups: number[]) =>
  [...new Set(groups)].map((group) => y.filter((_, row) => groups[row] === group));
const sorted = (values: readonly unknown[]) => values.map(String).sort();

describe('labelMoves', () => {
  it('moves rows freely where there are no patients', () => {
    const { scheme, y } = moved([1, 1, 0, 0, 0, 1], undefined);
    expect(scheme).toBe('rows');
    expect(sorted(y)).toEqual(sorted([1, 1, 0, 0, 0, 1]));
  });

  it('moves the one label of a patient as a block: patients keep one label, and as many have each', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 1 })), { minLength: 2 }),
        fc.nat(),
        (patients, seed) => {
          const groups = patients.flatMap(([rows], patient) => Array<number>(rows).fill(patient));
          const y = groups.map((patient) => patients[patient][1]);
          const result = moved(y, groups, undefined, seed);
          expect(result.scheme).toBe('patients');
          const labels = byGroup(result.y, groups).map((all) => new Set(all));
          expect(labels.every(({ size }) => size === 1)).toBe(true);
          expect(sorted(labels.map(([label]) => label))).toEqual(sorted(patients.map(([, label]) => label)));
        },
      ),
    );
  });

  it('moves at all: four patients have six ways to give two of them the label', () => {
    const ways = Array.from(
      { length: 60 },
      (_, seed) => moved([1, 1, 0, 1, 0, 0], [0, 0, 1, 2, 3, 3], undefined, seed).y,
    );
    expect(new Set(ways.map(String)).size).toBe(6);
  });

  const groups = [0, 0, 0, 1, 1, 1, 2, 2, 3];
  const y = [1, 0, 0, 1, 1, 0, 0, 0, 1];

  it("'within' keeps the labels of every patient", () => {
    for (let seed = 0; seed < 20; seed++) {
      expect(byGroup(moved(y, groups, 'within', seed).y, groups).map(sorted)).toEqual(byGroup(y, groups).map(sorted));
    }
    expect(
      new Set(Array.from({ length: 20 }, (_, seed) => moved(y, groups, 'within', seed).y.join())).size,
    ).toBeGreaterThan(3);
  });

  it("'between' moves whole vectors among patients of equal size, and says who cannot move", () => {
    const seen = Array.from({ length: 20 }, (_, seed) => moved(y, groups, 'between', seed));
    expect(new Set(seen.map((each) => each.y.join()))).toEqual(new Set([y.join(), [1, 1, 0, 1, 0, 0, 0, 0, 1].join()]));
    expect(seen[0].text).toMatch(/ 2 patients .*; 2 /);
  });

  it('reads numbers and rows of labels, too', () => {
    const numbers = labelsOf([0.5, 0.5, 1.5, 2.5], { task: 'regression' });
    expect(labelMoves(numbers, [0, 0, 1, 2], undefined).scheme).toBe('patients');
    expect(labelMoves(numbers, [0, 1, 1, 2], 'within').scheme).toBe('within');
    const rows = labelsOf(
      [
        [1, 1],
        [1, 1],
        [0, 1],
        [1, 0],
      ],
      { task: 'multilabel' },
    );
    expect(labelMoves(rows, [0, 0, 1, 2], undefined).scheme).toBe('patients');
    expect(labelMoves(rows, [0, 0, 1, 1], 'within').scheme).toBe('within');
  });
});
