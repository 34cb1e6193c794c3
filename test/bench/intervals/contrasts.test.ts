/** The plain contrasts of the bench beside those of the package, and on losses whose contrasts are known. */
import { describe, expect, it } from 'vitest';
import { METRICS, meanInfluences, ofFolds, ofHalves, tested } from '../../../bench/intervals/contrasts.mjs';
import { randomSource } from '../../../src/core/random.js';
import { halfContrasts } from '../../../src/intervals/trainingPart.js';
import { metricRegistry } from '../../../src/metrics/registry.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';

const source = randomSource(3);
const random = () => source.random();
const y = Array.from({ length: 40 }, (_, row) => row % 2);
const parts = (count: number) => {
  const block = (rows: number[]) => ({ rows, q: rows.map((row) => (random() + 0.4 * y[row]) / 1.4) });
  return Array.from({ length: count }, (_, part) => block(y.flatMap((_, row) => (row % count === part ? [row] : []))));
};

describe('ofHalves', () => {
  const folds = parts(5);
  // Halves that are no union of residues modulo 2, which the labels follow.
  const halves = [0, 1].map((side) => {
    const rows = y.flatMap((_, row) => (Math.floor(row / 2) % 2 === side ? [row] : []));
    // In tenths: some rows tie.
    return { rows, q: rows.map(() => Math.floor(10 * random()) / 10 + 0.01) };
  });

  it.each(METRICS)('gives the contrasts of the package for %s', (name) => {
    const asTest = ({ rows, q }: (typeof folds)[number]) => ({
      table: scoreTable({ yTrue: rows.map((row) => y[row]), yProba: q, classes: [0, 1] }),
      units: Int32Array.from(rows),
    });
    const theirs = halfContrasts(metricRegistry.get(name), {
      folds: folds.map((fold) => ({ ...asTest(fold), nTrain: 32, repeat: 0, score: { value: 0.5 } })),
      halves: { kind: 'crossed', sampling: 'cohort', halvings: [[asTest(halves[0]), asTest(halves[1])]] },
    });
    const ours = ofHalves(tested(y, folds)[name].influences, tested(y, halves)[name], halves);
    expect(ours.covariance).toBeCloseTo(theirs?.contrasts[0].covariance ?? Number.NaN, 14);
    expect(ours.training).toBeCloseTo(theirs?.contrasts[0].training ?? Number.NaN, 14);
  });
});

describe('ofFolds', () => {
  const K = 5;
  const folds = parts(K);

  it('finds no training where every repeat has the same influences and values', () => {
    const found = tested(y, folds).brier;
    const repeats = [0, 1].map(() => ({ folds, found }));
    const { covariance, training } = ofFolds(meanInfluences([found, found]), repeats);
    expect([covariance, training].map(Math.abs)).toEqual([expect.closeTo(0, 15), expect.closeTo(0, 15)]);
  });

  it('takes the noise of single patients out', () => {
    // Calculation: two repeats whose influences lie d above and below the mean ones, and a fold's value is the sum of the latter,
    // so that no contrast is left: K (K - 1) times the squares of one repeat.
    const own = Float64Array.from(y, () => random() / y.length);
    const byBlock = folds.map(({ rows }) => K * rows.reduce((total, row) => total + own[row], 0));
    const d = 0.01;
    const repeats = [d, -d].map((by) => ({ folds, found: { value: 0, byBlock, influences: own.map((u) => u + by) } }));
    const { covariance, training } = ofFolds(own, repeats);
    expect(covariance).toBeCloseTo(0, 14);
    expect(training).toBeCloseTo(-K * (K - 1) * y.length * d ** 2, 14);
  });

  it('finds what patients add as training patients', () => {
    // Calculation: every patient adds a_j as a training patient and t_i as a test patient, centred, and nothing is noise. A
    // fold's value is its mean of t less the mean of a over the fold / (K - 1). C and T are those of sums over folds.
    const centred = (values: number[]) => values.map((value) => value - values.reduce((a, b) => a + b, 0) / y.length);
    const t = centred(y.map(() => random()));
    const a = centred(y.map((_, row) => t[row] + random()));
    const sum = (values: number[], rows: number[]) => rows.reduce((total, row) => total + values[row], 0);
    const size = y.length / K;
    const own = Float64Array.from(t, (value) => value / y.length);
    const byBlock = folds.map(({ rows }) => sum(t, rows) / size - sum(a, rows) / size / (K - 1));
    const { covariance, training } = ofFolds(own, [{ folds, found: { value: 0, byBlock, influences: own } }]);
    const [ofTest, ofTraining] = [t, a].map((values) => folds.map(({ rows }) => sum(values, rows) / size));
    const product = (first: number[], second: number[]) =>
      first.reduce((total, each, k) => total + each * second[k], 0);
    expect(covariance).toBeCloseTo(product(ofTest, ofTraining) / (K * (K - 1)), 14);
    expect(training).toBeCloseTo(product(ofTraining, ofTraining) / (K * (K - 1)), 14);
  });
});
