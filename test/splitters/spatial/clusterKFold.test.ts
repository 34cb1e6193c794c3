import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { randomSource } from '../../../src/core/random.js';
import { ClusterKFold, type ClusterKFoldOptions } from '../../../src/splitters/spatial/clusterKFold.js';
import { matrix } from '../../helpers/matrix.js';

/** Clusters of scikit-learn, written by test/reference/clusters.py. */
const { separated }: { separated: { k: number; points: number[][]; labels: number[] }[] } = JSON.parse(
  readFileSync(new URL('../../reference/clusters.json', import.meta.url), 'utf8'),
);

/** The sets of rows as one text, whatever the numbers of the folds. */
const textOf = (sets: Iterable<ArrayLike<number>>) =>
  JSON.stringify(Array.from(sets, (rows) => [...Array.from(rows)].join()).sort());

const testSets = (options: ClusterKFoldOptions, n: number) =>
  textOf(Array.from(new ClusterKFold(options).split(n), ({ test }) => test));

describe('ClusterKFold', () => {
  it.each(separated)('tests the $k clusters that scikit-learn finds', ({ k, points, labels }) => {
    const expected = textOf(
      Array.from({ length: k }, (_, cluster) => [...labels.keys()].filter((row) => labels[row] === cluster)),
    );
    const found = Array.from({ length: 10 }, (_, randomState) =>
      testSets({ nSplits: k, features: points, randomState }, points.length),
    );
    // A single start may end elsewhere; most do not.
    expect(found.filter((sets) => sets === expected).length).toBeGreaterThanOrEqual(5);
  });

  it('tests every row once, has no empty fold and keeps equal rows together, or says that it cannot', () => {
    const cell = fc.oneof(
      fc.integer({ min: -2, max: 2 }),
      fc.double({ min: -1e99, max: 1e99, noNaN: true }).map((v) => Math.round(v * 1e3) / 1e3),
    );
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 40 }),
      );
    fc.assert(
      fc.property(table, fc.integer({ min: 2, max: 8 }), fc.nat(), (features, nSplits, randomState) => {
        const split = () => [
          ...new ClusterKFold({ nSplits, features, randomState, standardize: false }).split(features.length),
        ];
        if (new Set(features.map(String)).size < nSplits) {
          expect(split).toThrow(InfeasibleSplitError);
          return;
        }
        const folds = split();
        expect(folds.length).toBe(nSplits);
        expect(folds.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual([...features.keys()]);
        for (const { train, test } of folds) {
          expect(test.length).toBeGreaterThan(0);
          const tested = new Set(Array.from(test, (row) => String(features[row])));
          expect(Array.from(train).some((row) => tested.has(String(features[row])))).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives features the same say unless told otherwise', () => {
    // by hand: two ages far apart and three counts. In deviations, to part the ages leaves a sum of squares of 5.0 (the
    // counts'), to part the counts at least 6.25 (all of the ages', a quarter of the counts'). In numbers counts decide.
    const features = [20, 21, 22, 80, 81, 82].map((age, row) => [age, 5000 * (row % 3)]);
    const found = (standardize: boolean) => {
      const times = new Map<string, number>();
      for (let randomState = 0; randomState < 100; randomState++) {
        const sets = testSets({ nSplits: 2, features, standardize, randomState }, 6);
        times.set(sets, (times.get(sets) ?? 0) + 1);
      }
      return times;
    };
    const byAge = textOf(matrix('0 1 2 | 3 4 5'));
    const { [byAge]: parted = 0, ...others } = Object.fromEntries(found(true));
    expect(parted).toBeGreaterThan(Math.max(...Object.values(others)));
    expect(found(false).has(byAge)).toBe(false);
  });

  it('draws once per instance when it has no seed, and once from a source', () => {
    const features = Array.from({ length: 60 }, (_, row) => [(row * 37) % 61, (row * 53) % 67]);
    for (const randomState of [null, randomSource(3)]) {
      const splitter = new ClusterKFold({ nSplits: 4, features, randomState });
      const first = [...splitter.split(60)];
      for (let again = 0; again < 5; again++) expect([...splitter.split(60)]).toEqual(first);
    }
    const source = randomSource(1);
    const of = () => testSets({ nSplits: 4, features, randomState: source }, 60);
    expect(new Set(Array.from({ length: 5 }, of)).size).toBeGreaterThan(1);
  });

  it('keeps the features that it was given, whatever becomes of the array', () => {
    const features = [[1], [2], [8], [9]];
    const splitter = new ClusterKFold({ nSplits: 2, features, randomState: 0 });
    const folds = [...splitter.split(4)];
    features[0][0] = Number.NaN;
    features.push([3]);
    expect([...splitter.split(4)]).toEqual(folds);
  });

  it('takes features by option or as environment, with equal folds', () => {
    const { points, k } = separated[1];
    const byOption = [...new ClusterKFold({ nSplits: k, features: points, randomState: 5 }).split(points.length)];
    const environment = { a: points.map(([a]) => a), b: Float64Array.from(points, ([, b]) => b) };
    const byName = [...new ClusterKFold({ nSplits: k, randomState: 5 }).split(points.length, { environment })];
    expect(byName).toEqual(byOption);
    expect(byName.map(({ id }) => id)).toEqual(['fold-0', 'fold-1', 'fold-2']);
  });

  it('describes itself', () => {
    expect(new ClusterKFold({ nSplits: 3 }).describe()).toMatch(/nSplits: 3.*every row is tested once per repeat/);
  });
});
