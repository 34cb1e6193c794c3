/** Formulas of the competitors on small cases; reference numbers by numpy and scipy. */
import { expect, it } from 'vitest';
import { bayle } from '../../../bench/coverageStudy/competitors/bayle.mjs';
import { conservativeHalves, conservativeZ } from '../../../bench/coverageStudy/competitors/conservativeZ.mjs';
import { correctedT } from '../../../bench/coverageStudy/competitors/correctedT.mjs';
import { adjustedSize, components, cvBootstrap } from '../../../bench/coverageStudy/competitors/cvBootstrap.mjs';
import { nestedCv } from '../../../bench/coverageStudy/competitors/nestedCv.mjs';
import { drawn } from '../../../bench/coverageStudy/population.mjs';
import { stream } from '../../../bench/coverageStudy/random.mjs';
import { METRICS, SCENARIOS } from '../../../bench/coverageStudy/scenarios.mjs';
import reference from '../../reference/coverageStudy.json' with { type: 'json' };

const close = (found: number[] | null, expected: number[]) => {
  expected.forEach((value, at) => {
    expect(found?.[at]).toBeCloseTo(value, 10);
  });
};

it('corrected t is the formula of Nadeau and Bengio, clipped to the range', () => {
  const { folds, limits } = reference.correctedT;
  const scores = folds.map((value) => ({ value }));
  close(correctedT(scores, 5, [0, 1]), limits);
  expect(correctedT(scores, 5, [0.7, 0.8])).toEqual([0.7, 0.8]);
  expect(correctedT([{ value: null }, ...scores.slice(1)], 5, [0, 1])).toBeNull();
});

it("Bayle's intervals have both published variances; the order of rows does not matter", () => {
  const { y, fold, learners } = reference;
  const rows = y.map((_, row) => row);
  const tableOf = (order: number[]) => ({
    y: order.map((row) => y[row]),
    p: order.map((row) => learners.ridge[row]),
    group: order,
    fold: order.map((row) => fold[row]),
    repeat: order.map(() => 0),
  });
  for (const order of [rows, [...rows].reverse()]) {
    const found = bayle(tableOf(order)) as Record<string, Record<string, number[]>>;
    close(found.bayle_all.brier, reference.bayle.bayle_all);
    close(found.bayle_within.brier, reference.bayle.bayle_within);
  }
});

it('Bayle counts a patient with copies of its row once, and a second repeat not at all', () => {
  const { y, fold, learners } = reference;
  const once = y.map((_, row) => row);
  const table = (order: number[], repeat: number[]) => ({
    y: order.map((row) => y[row]),
    p: order.map((row) => learners.ridge[row]),
    group: order,
    fold: order.map((row) => fold[row]),
    repeat,
  });
  const single = bayle(
    table(
      once,
      once.map(() => 0),
    ),
  ) as Record<string, Record<string, number[]>>;
  const tripled = once.flatMap((row) => [row, row, row]);
  const copies = bayle(
    table(
      tripled,
      tripled.map(() => 0),
    ),
  ) as Record<string, Record<string, number[]>>;
  close(copies.bayle_all.brier, single.bayle_all.brier);
  close(copies.bayle_within.brier, single.bayle_within.brier);
  const twice = [...once, ...once];
  const repeated = bayle(
    table(
      twice,
      twice.map((_, at) => (at < once.length ? 0 : 1)),
    ),
  ) as typeof single;
  expect(repeated).toEqual(single);
});

it('conservative z takes half the mean squared difference of halves, leaving out what is undefined', () => {
  const { halvings, half } = reference.conservative;
  const pairs = halvings.map((pair) => pair.map((values) => values.map((roc_auc) => ({ roc_auc }))));
  expect(conservativeHalves(pairs).roc_auc).toBeCloseTo(half, 12);
  const hole = [...pairs, [[{ roc_auc: Number.NaN }], [{ roc_auc: 0.5 }]]];
  expect(conservativeHalves(hole).roc_auc).toBeCloseTo(half, 12);
  expect(conservativeHalves(pairs).brier).toBeNaN();
});

it('the variance between resamples is the moment estimate; none is given at zero or below', () => {
  const { table, within, between } = reference.components;
  const found = components(table);
  expect(found.within).toBeCloseTo(within, 12);
  expect(found.between).toBeCloseTo(between, 12);
  expect(
    components([
      [0, 10, 5],
      [10, 0, 5],
      [5, 10, 0],
    ]).between,
  ).toBeNaN();
});

it.each(reference.adjustedSize)(
  '$m of $n patients become the training size that the loss of the paper has',
  ({ n, m, size }) => {
    expect(Math.abs(adjustedSize(n, m) - size)).toBeLessThanOrEqual(0.75);
  },
);

const scenario = SCENARIOS.find(({ name }) => name === 'hard ones have more rows') as (typeof SCENARIOS)[number];
const data = drawn(scenario, scenario.n, 20, 'competitors', 1);
const estimates = Object.fromEntries(METRICS.map((name) => [name, 0.7]));

it.each([
  ['conservative z', conservativeZ],
  ['fast bootstrap', cvBootstrap],
])('%s gives intervals around the estimate, the same from the same seed', (_, method) => {
  const run = (seed: number) =>
    method({ ...scenario, data, estimates, ...stream(seed) } as Parameters<typeof method>[0]);
  const found = run(5);
  expect(run(5)).toEqual(found);
  expect(run(6)).not.toEqual(found);
  for (const name of ['roc_auc', 'accuracy', 'brier', 'sensitivity']) {
    const [lower, upper] = found[name] as [number, number];
    expect(lower).toBeLessThan(0.7);
    expect(upper).toBeGreaterThan(0.7);
    expect(lower).toBeGreaterThanOrEqual(0);
  }
});

it('nested cross-validation speaks of losses, and not of repeats', async () => {
  const found = (await nestedCv(scenario, data, 3)) as Record<string, [number, number]>;
  expect(Object.keys(found)).toEqual(['accuracy', 'brier', 'log_loss']);
  expect(found.brier[0]).toBeLessThan(found.brier[1]);
  expect(await nestedCv({ ...scenario, repeats: 3 }, data, 3)).toEqual({});
});
