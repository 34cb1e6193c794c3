/** The populations of the coverage study: closed forms, cluster sizes, and metrics against scikit-learn and brute force. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { truth } from '../../../bench/coverageStudy/chunk.mjs';
import { drawn, sample, take } from '../../../bench/coverageStudy/population.mjs';
import { stream } from '../../../bench/coverageStudy/random.mjs';
import { SCENARIOS } from '../../../bench/coverageStudy/scenarios.mjs';
import { areaUnderCurve, trueValues } from '../../../bench/coverageStudy/trueValues.mjs';
import reference from '../../reference/coverageStudy.json' with { type: 'json' };

const plain = {
  prevalence: 0.4,
  signal: 1,
  features: 5,
  rows: 1,
  kind: 'linear',
  labels: 'patient',
  sizes: 'random',
  between: 0,
  sampling: 'cohort',
};
type Drawn = ReturnType<typeof sample>;
const column = ({ x, n, p }: Drawn, j: number) => Float64Array.from({ length: n }, (_, row) => x[row * p + j]);
const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
const sizesOf = ({ group, nPatients }: Drawn) => {
  const sizes = new Array(nPatients).fill(0);
  for (const patient of group) sizes[patient]++;
  return sizes;
};

it.each(Object.entries(reference.auc.one))(
  'one feature at a distance of %s has the AUC of its closed form',
  (signal, expected) => {
    const data = sample({ ...plain, signal: Number(signal) }, 60_000, 11);
    expect(areaUnderCurve(data.y, column(data, 0))).toBeCloseTo(expected, 2);
    const both = column(data, 0).map((value, row) => value + data.x[row * 5 + 1]);
    expect(areaUnderCurve(data.y, both)).toBeCloseTo(reference.auc.oracle[signal as '1'], 2);
    expect(areaUnderCurve(data.y, column(data, 2))).toBeCloseTo(0.5, 2);
  },
);

it('the truth of a discriminant nears that of the best direction as patients grow, and has an error', () => {
  const scenario = { ...plain, n: 3000, folds: 5, learner: 'discriminant', id: 'test' };
  const { roc_auc } = truth(scenario, '1', 0, 40);
  const [value, square] = [roc_auc.sum / roc_auc.count, roc_auc.squares / roc_auc.count];
  expect(roc_auc.count).toBe(40);
  const error = Math.sqrt((square - value ** 2) / 40);
  expect(error).toBeGreaterThan(0.0005);
  expect(Math.abs(value - reference.auc.oracle['1'])).toBeLessThan(4 * error);
});

it('tails have variance 1 and more mass far out than normal features', () => {
  const far = (kind: string) => {
    const values = column(sample({ ...plain, kind, signal: 0 }, 60_000, 12), 0);
    return { far: mean(values.map((value) => Number(Math.abs(value) > 4))), size: mean(values.map(Math.abs)) };
  };
  // Of Student's t with 3 degrees of freedom over sqrt(3): P(|t| > 4 sqrt(3)) = .0062, E|t| / sqrt(3) = 2 / pi.
  expect(far('tails').far).toBeCloseTo(0.0062, 2.6);
  expect(far('tails').size).toBeCloseTo(2 / Math.PI, 2);
  expect(far('linear').far).toBeLessThan(0.0005);
});

it('an interaction shows in the product of two features and in neither alone', () => {
  const data = sample({ ...plain, kind: 'xor', signal: 0.8 }, 40_000, 13);
  const product = column(data, 0).map((value, row) => Math.sign(value * data.x[row * 5 + 1]));
  expect(areaUnderCurve(data.y, product)).toBeCloseTo(0.9, 2);
  expect(areaUnderCurve(data.y, column(data, 0))).toBeCloseTo(0.5, 1.5);
});

it('sizes tell of the label or of how hard a patient is, and rows weigh alike', () => {
  const byLabel = sample({ ...plain, rows: 6, sizes: 'label', between: 0.5 }, 20_000, 14);
  const label = new Uint8Array(20_000);
  byLabel.group.forEach((patient: number, row: number) => {
    label[patient] = byLabel.y[row];
  });
  const sizes = sizesOf(byLabel);
  const of = (y: number) => mean(sizes.filter((_, patient) => label[patient] === y));
  expect(of(1)).toBeCloseTo(9, 0.7);
  expect(of(0)).toBeCloseTo(3, 0.7);
  expect(mean(byLabel.y)).toBeCloseTo((0.4 * 9) / (0.4 * 9 + 0.6 * 3), 1.5);

  const hard = sample({ ...plain, rows: 6, sizes: 'hard', between: 0.5 }, 20_000, 15);
  expect(mean(sizesOf(hard))).toBeCloseTo(6, 0.7);
  const random = sample({ ...plain, rows: 6, between: 0.5 }, 20_000, 15);
  expect(areaUnderCurve(hard.y, column(hard, 0))).toBeLessThan(areaUnderCurve(random.y, column(random, 0)) - 0.05);
  expect(Math.max(...sizesOf(sample({ ...plain, rows: 18, sizes: 'label' }, 2000, 1)))).toBe(30);
});

it('labels per row vary within patients, with the prevalence asked for', () => {
  const data = sample({ ...plain, rows: 8, labels: 'row', prevalence: 0.3, between: 0.5 }, 10_000, 16);
  expect(mean(data.y)).toBeCloseTo(0.3, 1.7);
  const seen = new Map<number, Set<number>>();
  data.group.forEach((patient: number, row: number) => {
    seen.set(patient, (seen.get(patient) ?? new Set()).add(data.y[row]));
  });
  const mixed = [...seen.values()].filter((labels) => labels.size === 2).length;
  expect(mixed / 10_000).toBeGreaterThan(0.5);
});

it('a case-control sample has the numbers of patients that were planned, a cohort enough of each class', () => {
  const count = (data: Drawn) => Array.from(data.y).filter((label) => label === 1).length;
  for (const seed of [1, 2, 3]) {
    expect(count(drawn({ ...plain, prevalence: 0.5, sampling: 'case_control' }, 40, 20, 's', seed))).toBe(20);
    expect(Math.min(count(drawn(plain, 45, 20, 's', seed)), 25)).toBeGreaterThanOrEqual(20);
  }
});

it('the same seed draws the same patients, another seed others', () => {
  expect(sample(plain, 30, 5)).toEqual(sample(plain, 30, 5));
  expect(sample(plain, 30, 6).x).not.toEqual(sample(plain, 30, 5).x);
  const { x, y } = take(sample(plain, 30, 5), [3, 3, 8]);
  expect([...x.subarray(0, 5)]).toEqual([...x.subarray(5, 10)]);
  expect(y).toHaveLength(3);
});

it('normal draws have the moments of a normal distribution', () => {
  const { normal } = stream(3);
  const values = Float64Array.from({ length: 200_000 }, normal);
  expect(mean(values)).toBeCloseTo(0, 1.9);
  expect(mean(values.map((value) => value ** 2))).toBeCloseTo(1, 1.9);
  expect(mean(values.map((value) => value ** 4))).toBeCloseTo(3, 1);
});

it('every scenario has a name of its own and can be drawn', () => {
  expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length);
  for (const scenario of SCENARIOS) {
    const data = drawn(scenario, scenario.n, 20, 'door', scenario.id);
    expect(data.nPatients).toBe(scenario.n);
    expect(data.p).toBe(scenario.features);
  }
});

it('metrics agree with scikit-learn', () => {
  const { y, p, values } = reference.metrics;
  const found: Record<string, number> = trueValues(Uint8Array.from(y), Float64Array.from(p));
  for (const [name, value] of Object.entries(values)) expect(found[name]).toBeCloseTo(value, 12);
});

it('the AUC is the share of ordered pairs, with ties one half', () => {
  const rows = fc.array(fc.record({ y: fc.constantFrom(0, 1), p: fc.integer({ min: 0, max: 6 }) }), {
    minLength: 2,
    maxLength: 30,
  });
  fc.assert(
    fc.property(rows, (list) => {
      const [positive, negative] = [1, 0].map((label) => list.filter(({ y }) => y === label));
      fc.pre(positive.length > 0 && negative.length > 0);
      const pairs = positive.flatMap((one) => negative.map((other) => (Math.sign(one.p - other.p) + 1) / 2));
      const found = areaUnderCurve(
        Uint8Array.from(list, ({ y }) => y),
        Float64Array.from(list, ({ p }) => p),
      );
      expect(found).toBeCloseTo(mean(pairs), 12);
    }),
  );
});
