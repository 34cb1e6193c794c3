import { describe, expect, it } from 'vitest';
import { featureStatistics } from '../../../src/checkers/CVL005-feature-statistics/featureStatistics.js';
import { normalQuantile } from '../../../src/core/normalQuantile.js';
import { randomSource } from '../../../src/core/random.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import { judged } from '../judged.js';
import { judgedOdd, ODD } from '../shift/oddScenes.js';

const random = randomSource(5);
const testFold = Array.from({ length: 100 }, (_, row) => row % 5);
const noise = testFold.map(() => [random.random(), random.random()]);
const shifted = noise.map(([a, b], row) => ({ age: a, marker: b + (testFold[row] === 3 ? 0.8 : 0) }));
const splitter = new PredefinedSplit({ testFold });

/** The sentence about the classifier, whose numbers domainClassifier.test.ts holds against numpy. */
const CLASSIFIER =
  /All features together tell test rows from others(?: best in fold-\d)?: AUC [01]\.\d\d, 99 % interval 0\.\d\d to [01]\.\d\d\.$/;

/** Mean of a fold's rows less that of the others, of normal scores (Blom) in units of their standard deviation. */
function differenceInSd(values: number[], fold: number): number {
  const scores = values.map((value) => {
    const rank = values.filter((other) => other <= value).length;
    return normalQuantile((rank - 0.375) / (values.length + 0.25));
  });
  const meanOf = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const centre = meanOf(scores);
  const squares = scores.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const side = (inside: boolean) => meanOf(scores.filter((_, row) => (testFold[row] === fold) === inside));
  return (side(true) - side(false)) / Math.sqrt(squares / (values.length - 1));
}

describe('featureStatistics', () => {
  it('names the feature, the fold, the difference and its p', async () => {
    const { status, severity, fold, message, evidence, fix } = await judged(featureStatistics, {
      X: shifted,
      splitter,
    });
    expect({ status, severity, fold }).toEqual({ status: 'needs_review', severity: 'low', fold: 'fold-3' });
    const marker = shifted.map((row) => row.marker);
    const sd = differenceInSd(marker, 3);
    // The largest of 999 permutations stays below: p = 1 / 1000.
    expect(message).toContain(
      `Test rows differ from the others beyond chance: marker by +${sd.toFixed(2)} SD in fold-3 (p = 0.001; 2 features, 1 pair, 5 folds, 100 rows). All features`,
    );
    expect(message).toMatch(CLASSIFIER);
    expect(fix).toBe(
      'Shuffle whole patients into the folds (`shuffle: true`, StratifiedGroupKFold), or declare what the folds stand for with `design`.',
    );
    expect(evidence).toMatchObject({
      unit: 'row',
      units: 100,
      folds: 5,
      pValue: 0.001,
      permutations: 999,
      differing: 1,
      differingFolds: ['fold-3'],
      examples: [{ variable: 'marker', fold: 'fold-3', pValue: 0.001, differenceInSd: expect.closeTo(sd, 9) }],
    });
  });

  it('says what it could have found where it found nothing', async () => {
    const { status, message, evidence } = await judged(featureStatistics, { X: noise, splitter });
    expect(status).toBe('passed');
    // 10 tests: (3.3528 + 1.6449) sqrt(1/20 + 1/80) SD, the quantiles of 1 - .008/20 and of .95.
    const size = (3.3527947805048592 + 1.6448536269514722) / 4;
    expect(evidence.detectableInSd).toBeCloseTo(size, 9);
    expect(message).toMatch(
      /^No feature differs between the test rows of a fold and the others beyond chance \(p = 0\.\d\d; 2 features, 1 pair, 5 folds, 100 rows\);/,
    );
    expect(message).toContain(
      `; below ${size.toFixed(2)} SD a difference of means may not be detectable at this n, below `,
    );
    expect(message).toMatch(CLASSIFIER);
  });

  it('fails two sets that are declared to be drawn alike, and describes those that are not', async () => {
    const train = testFold.flatMap((fold, row) => (fold === 3 ? [] : [row]));
    const test = testFold.flatMap((fold, row) => (fold === 3 ? [row] : []));
    const X = [...train, ...test].map((row) => shifted[row]);
    const sets = new PredefinedSplit({ testFold: X.map((_, row) => (row < 80 ? -1 : 0)) });
    const said = async (rest: object) => {
      const { status, severity, message } = await judged(featureStatistics, {
        X,
        splitter: sets,
        trainRows: 80,
        ...rest,
      });
      return { status, severity, message };
    };
    expect(await said({ drawnAlike: true })).toMatchObject({ status: 'failed', severity: 'medium' });
    expect(await said({})).toMatchObject({ status: 'needs_review', severity: 'low' });
    const described = await said({ design: 'deployment' });
    expect(described).toMatchObject({ status: 'not_applicable', severity: 'none' });
    const sd = differenceInSd(
      shifted.map((row) => row.marker),
      3,
    );
    expect(described.message).toContain(
      `Test rows may well differ from the others here: the test rows stand for other places. The largest difference of a mean: marker by +${sd.toFixed(2)} SD in fold-0. All features`,
    );
    expect(described.message).toMatch(CLASSIFIER);
  });

  it('finds a level of a category and values that are missing', async () => {
    const X = testFold.map((fold, row) => [
      fold === 1 ? 'scanner b' : row % 3 ? 'scanner a' : 'scanner c',
      fold === 4 ? null : row % 7,
    ]);
    const { evidence } = await judged(featureStatistics, { X, splitter });
    const found = (evidence.examples as { variable: string; fold: string }[]).map(
      ({ variable, fold }) => `${variable} ${fold}`,
    );
    expect(found.slice(0, 2).sort()).toEqual([
      'feature 0 = level 3 of 3 in order of frequency (20 % of rows) fold-1',
      'feature 1 (missing) fold-4',
    ]);
  });

  it('permutes whole patients: twenty rows alike are one observation', async () => {
    const groups = Array.from({ length: 600 }, (_, row) => `p${Math.floor(row / 20)}`);
    const levels = groups.map(() => 0).map(() => random.random());
    const X = groups.map((_, row) => [levels[Math.floor(row / 20)] + random.random() / 100]);
    const folds = groups.map((_, row) => Math.floor(row / 20) % 3);
    const { status, evidence } = await judged(featureStatistics, {
      X,
      data: { groups },
      splitter: new PredefinedSplit({ testFold: folds }),
    });
    expect(status).toBe('passed');
    expect(evidence).toMatchObject({ unit: 'patient', units: 30 });
    // Rows would be "beyond chance": 200 of 600 alike rows in each fold.
    const rows = await judged(featureStatistics, { X, splitter: new PredefinedSplit({ testFold: folds }) });
    expect(rows.status).toBe('needs_review');
  });

  it('does not look for what nothing could show: folds that tear patients, and few of them', async () => {
    const groups = Array.from({ length: 400 }, (_, row) => row % 20);
    const X = groups.map(() => [random.random()]);
    const torn = await judged(featureStatistics, {
      X,
      data: { groups },
      splitter: new KFold({ shuffle: true, randomState: 1 }),
    });
    expect(torn.status).toBe('not_evaluated');
    const few = await judged(featureStatistics, { X: X.slice(0, 20), splitter: new KFold({ nSplits: 5 }) });
    expect(few).toMatchObject({ status: 'not_evaluated', fix: 'Use fewer folds.' });
  });

  it.each(Object.keys(ODD))('accuses nobody and says no NaN: %s', async (name) => {
    await judgedOdd(featureStatistics, name);
  });
});
