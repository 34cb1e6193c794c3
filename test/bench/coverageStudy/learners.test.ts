/** Learners of the coverage study against scikit-learn; those without a reference: equal rows, equal model, and they learn. */
import { expect, it } from 'vitest';
import { fingerprint, LEARNERS, trainOn } from '../../../bench/coverageStudy/learners/index.mjs';
import { network } from '../../../bench/coverageStudy/learners/others.mjs';
import { sample } from '../../../bench/coverageStudy/population.mjs';
import { trueValues } from '../../../bench/coverageStudy/trueValues.mjs';
import reference from '../../reference/coverageStudy.json' with { type: 'json' };

const data = {
  x: Float64Array.from(reference.X.flat()),
  y: Uint8Array.from(reference.y),
  n: reference.y.length,
  p: reference.X[0].length,
};
const population = {
  prevalence: 0.4,
  signal: 1,
  features: 5,
  rows: 1,
  kind: 'linear',
  labels: 'patient',
  sizes: 'random',
  between: 0,
};

// The lasso stops after 30 rounds over the features; trees, neighbours and closed forms are exact.
const DIGITS: Record<string, number> = { lasso: 3, ridge: 6, logistic: 4 };

it.each(Object.entries(reference.learners))('%s gives the probabilities of scikit-learn', (name, expected) => {
  const found = trainOn(name, data)(data.x, data.n);
  expected.forEach((value, row) => {
    expect(found[row]).toBeCloseTo(value, DIGITS[name] ?? 10);
  });
});

it.each(Object.keys(LEARNERS))(
  '%s gives the same from equal rows, and probabilities that tell the classes apart',
  (name) => {
    const features = name === 'select5of100' ? 100 : 5;
    const [train, test] = [1, 2].map((seed) => sample({ ...population, features }, 400, seed));
    const first = trainOn(name, train)(test.x, test.n);
    const again = trainOn(name, { ...train, x: train.x.slice(), y: train.y.slice() })(test.x, test.n);
    expect(again).toEqual(first);
    expect(first.every((p: number) => p >= 0 && p <= 1)).toBe(true);
    expect(trueValues(test.y, first).roc_auc).toBeGreaterThan(0.68);
  },
);

it('bagging and the network see an interaction, which a linear model does not', () => {
  const [train, test] = [3, 4].map((seed) => sample({ ...population, kind: 'xor', signal: 0.9 }, 800, seed));
  const auc = (name: string) => trueValues(test.y, trainOn(name, train)(test.x, test.n)).roc_auc;
  expect(auc('discriminant')).toBeLessThan(0.6);
  for (const name of ['tree', 'bagging', 'network', 'nearest15']) expect(auc(name)).toBeGreaterThan(0.7);
});

it('the additive toy does worse the higher its last column was in training', () => {
  const [train, test] = [5, 6].map((seed) => sample(population, 400, seed));
  const shifted = (by: number) => {
    const x = train.x.map((value: number, at: number) => (at % 5 === 4 ? by : value));
    return trueValues(test.y, trainOn('additive', { ...train, x })(test.x, test.n));
  };
  expect(shifted(0.5).brier).toBeGreaterThan(shifted(-0.5).brier + 0.01);
  expect(shifted(0.5).roc_auc).toBeLessThan(shifted(-0.5).roc_auc - 0.01);
});

it('trains equal rows once where it remembers, and knows other rows from them', () => {
  const memo = new Map();
  expect(trainOn('tree', data, memo)).toBe(trainOn('tree', data, memo));
  const other = { ...data, y: data.y.map((label, row) => (row === 7 ? 1 - label : label)) };
  expect(fingerprint(other)).not.toBe(fingerprint(data));
  expect(trainOn('tree', other, memo)).not.toBe(trainOn('tree', data, memo));
});

it('a network goes on from the weights of another, and leaves those alone', () => {
  const { weights } = network(3, 10)({ ...data, seed: 1, weights: undefined });
  const before = weights.slice();
  const same = network(3, 0)({ ...data, seed: 2, weights });
  const further = network(3, 5)({ ...data, seed: 2, weights });
  expect(same.weights).toEqual(before);
  expect(further.weights).not.toEqual(before);
  expect(weights).toEqual(before);
});
