import { describe, expect, it } from 'vitest';
import { nearDuplicates } from '../../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { loadCancerImaging } from '../../../src/datasets/loadCancerImaging.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { judged } from '../judged.js';
import { nearDuplicatesScenes } from './nearDuplicates.scenes.js';
import { normal } from './normal.js';

const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });
const draws = randomSource(31);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));

/** Noise that must be found, in standard deviations per feature, by rows and features. */
const FOUND = [
  [100, 1, 2e-6],
  [100, 2, 0.001],
  [100, 4, 0.03],
  [100, 8, 0.15],
  [100, 16, 0.35],
] as const;

describe('nearDuplicates', () => {
  it('names the rows of what it found', async () => {
    const { message, evidence, fix, ...result } = await judged(nearDuplicates, nearDuplicatesScenes.leaking);
    expect(result).toMatchObject({ status: 'failed', severity: 'high', fold: 'fold-0' });
    expect(message).toMatch(
      /^\d test rows are almost a training row of another patient: nearer to it than chance explains in these data. The closest pair has a similarity of 0\.99\d+ \(they agree most in feature \d, feature \d and feature \d, and differ most in [^.]+\)\. Detection limit: a copy with noise up to 0\.\d+ SD per feature is found in about 95 % of cases\.$/,
    );
    expect(fix).toMatch(/`mergeDuplicates`/);
    const examples = evidence.examples as { train: number; test: number; similarity: number }[];
    expect(examples.length).toBeLessThanOrEqual(5);
    // Row 112 + i is a copy of row i.
    for (const { train, test, similarity } of examples) {
      expect(Math.abs(train - test)).toBe(112);
      expect(similarity).toBeGreaterThan(0.99);
    }
  });

  it('says what it could have found', async () => {
    const { message } = await judged(nearDuplicates, nearDuplicatesScenes.clean);
    expect(message).toMatch(
      /^No test row is almost a training row of another patient\. Detection limit: a copy with noise up to 0\.\d+ SD per feature is found in about 95 % of cases\.$/,
    );
  });

  it('says of how many rows it could have, and passes where these are half or more', async () => {
    // Rows that lack all but one of eight numbers have nothing of their own to be told by.
    const withGaps = (share: number) =>
      cloud(200, 8).map((cells, row) => cells.map((x, at) => (at > 0 && row % 10 < 10 * share ? null : x)));
    const { status, message, evidence } = await judged(nearDuplicates, { X: withGaps(0.3), splitter });
    expect([status, evidence.inputs]).toEqual([
      'passed',
      [expect.objectContaining({ judged: expect.closeTo(0.7, 1) })],
    ]);
    expect(message).toMatch(/in about 95 % of cases of about \d\d % of the rows; the others lack values, or agree/);
    // Of rows without any number no copy can be told either.
    const bare = cloud(200, 8).map((cells, row) => cells.map((x) => (row % 10 < 3 ? null : x)));
    expect((await judged(nearDuplicates, { X: bare, splitter })).evidence.inputs).toEqual([
      expect.objectContaining({ judged: expect.closeTo(0.7, 2) }),
    ]);
    const most = await judged(nearDuplicates, { X: withGaps(0.7), splitter });
    expect([most.status, most.notDetectable]).toEqual(['not_evaluated', true]);
  });

  it.each(FOUND)('%i rows with %i features: finds copies with noise of %f SD, and not without', async (n, p, noise) => {
    let [found, accused] = [0, 0];
    for (let trial = 0; trial < 20; trial++) {
      const clean = cloud(n, p);
      const copied = clean.map((cells, row) =>
        row < n - 5 ? cells : clean[row - n + 5].map((x) => x + noise * normal(draws)),
      );
      found += (await judged(nearDuplicates, { X: copied, splitter })).status === 'failed' ? 1 : 0;
      accused += (await judged(nearDuplicates, { X: clean, splitter })).status === 'failed' ? 1 : 0;
    }
    // The goals are .98 found and .01 accused: fewer than 18 or more than 2 of 20 have a probability below .001.
    expect(found).toBeGreaterThanOrEqual(18);
    expect(accused).toBeLessThanOrEqual(2);
  });

  it('looks across the folds alone: a copy on the same side is no leak', async () => {
    const { leaking } = nearDuplicatesScenes;
    const groups = leaking.X.map((_, row) => row % 112);
    const together = new GroupKFold({ nSplits: 5, shuffle: true, randomState: 1 });
    const folds = [...together.split(leaking.X, undefined, { groups })];
    const given = { split: () => folds, getNSplits: () => 5 };
    expect((await judged(nearDuplicates, { X: leaking.X, splitter: given })).status).toBe('passed');
  });

  it('takes the patients from the hierarchy, and a vector of a model in place of the features', async () => {
    const { X } = nearDuplicatesScenes.leaking;
    const patient = X.map((_, row) => row % 112);
    const rest = { X, splitter };
    expect((await judged(nearDuplicates, { ...rest, data: { hierarchy: { patient } } })).status).toBe('passed');
    expect((await judged(nearDuplicates, { ...rest, embeddings: rowsOf(cloud(120, 7)) })).evidence.inputs).toEqual([
      expect.objectContaining({ features: 7 }),
    ]);
  });

  it('asks about rows in tight clusters, which patients explain', async () => {
    const means = cloud(40, 2);
    const rows = Array.from({ length: 480 }, (_, row) => row % 40);
    const X = rows.map((row) => means[row].map((value) => value + 1e-3 * normal(draws)));
    const without = await judged(nearDuplicates, { X, splitter });
    expect(['needs_review', 'failed']).toContain(without.status);
    const groups = rows.map((row) => `p${row}`);
    const grouped = await judged(nearDuplicates, {
      X,
      data: { groups },
      splitter: new GroupKFold({ nSplits: 5, randomState: 1 }),
    });
    expect(grouped.status).toBe('passed');
  });

  it('features that follow from others do not make rows look near: weight, height and what is computed of them', async () => {
    let accused = 0;
    for (let trial = 0; trial < 20; trial++) {
      const X = Array.from({ length: 300 }, () => {
        const [height, weight] = [1.7 + 0.1 * normal(draws), Math.exp(4.3 + 0.2 * normal(draws))];
        return [height, weight, weight / height ** 2, Math.sqrt((100 * height * weight) / 3600)];
      });
      accused += (await judged(nearDuplicates, { X, splitter })).status === 'passed' ? 0 : 1;
    }
    // Expected .2; before the neighbours were asked for their dimensions it was 4.
    expect(accused).toBeLessThanOrEqual(2);
  });

  it('says how images were compared, and in how many of 64 bits two that are alike differ', {
    tags: 'slow',
  }, async () => {
    const wave = (a: number, b: number, c: number, y: number, x: number) =>
      Math.sin(a * x + b) + Math.cos(c * y - a) + 0.5 * Math.sin((a + c) * (x + y) * 0.3 + c);
    const images = Array.from({ length: 80 }, () => {
      const [a, b, c] = [0.5 + draws.random(), 6 * draws.random(), 0.5 + draws.random()];
      return Array.from({ length: 16 }, (_, y) => Array.from({ length: 16 }, (_, x) => wave(a, b, c, y, x)));
    });
    // A negative, mirrored.
    images[79] = images[2].map((row) => row.map((value) => 1 - value).reverse());
    const { status, message, evidence } = await judged(nearDuplicates, { X: images, splitter });
    expect(status).toBe('failed');
    expect(message).toMatch(
      /80 images were aligned with the ones that look most alike, .*\. Of 30 copies that were made of these images, shifted by up to 3 % of a side, .* \d+ would be found; of 15 with a black square, \d+\. Of copies that were changed more/,
    );
    const [example] = evidence.examples as { train: number; test: number; differingBits: number }[];
    expect([example.train, example.test].sort((a, b) => a - b)).toEqual([2, 79]);
    expect(example.differingBits).toBe(0);
  });

  it('patients with twenty rows, alike within, are not accused', async () => {
    for (const within of [0.05, 0.5]) {
      const means = cloud(50, 6);
      const X = Array.from({ length: 1000 }, (_, row) =>
        means[Math.floor(row / 20)].map((m) => m + within * normal(draws)),
      );
      const groups = X.map((_, row) => `p${Math.floor(row / 20)}`);
      const { status } = await judged(nearDuplicates, {
        X,
        data: { groups },
        splitter: new GroupKFold({ nSplits: 5, randomState: 1 }),
      });
      expect(status).toBe('passed');
    }
  });

  it('finds nothing among the 569 tumours of WDBC, whose features are strongly related', async () => {
    const { X } = await loadCancerImaging();
    expect((await judged(nearDuplicates, { X, splitter })).status).toBe('passed');
  });

  it('is not evaluated for ten rows, two patients, and flags; leave-one-out is judged', async () => {
    const few = await judged(nearDuplicates, { X: cloud(10, 3), splitter });
    const groups = Array.from({ length: 60 }, (_, row) => row % 2);
    const two = await judged(nearDuplicates, {
      X: cloud(60, 3),
      data: { groups },
      splitter: new GroupKFold({ nSplits: 2, randomState: 1 }),
    });
    const flags = await judged(nearDuplicates, {
      X: cloud(60, 3).map((row) => row.map((x) => (x > 0 ? 1 : 0))),
      splitter,
    });
    expect([few.status, two.status, flags.status]).toEqual(['not_evaluated', 'not_evaluated', 'not_evaluated']);
    // More patients could be passed; continuous features that are not there could not.
    expect([few, two, flags].map(({ notDetectable = false }) => notDetectable)).toEqual([false, false, true]);
    expect(two.message).toMatch(/20 patients.*`patientIds`.*2/);
    expect((await judged(nearDuplicates, { X: cloud(80, 3), splitter: new LOOCV() })).status).toBe('passed');
  });
});
