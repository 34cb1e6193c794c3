import { describe, expect, it } from 'vitest';
import { featureStatistics } from '../../../src/checkers/leakage/featureStatistics.js';
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

describe('featureStatistics', () => {
  it('names the feature, the fold, the difference and its p', async () => {
    const { status, severity, fold, message, evidence, fix } = await judged(featureStatistics, {
      X: shifted,
      splitter,
    });
    expect({ status, severity, fold }).toEqual({ status: 'needs_review', severity: 'low', fold: 'fold-3' });
    expect(message).toMatchInlineSnapshot(
      `"Test rows differ from the others beyond chance: marker by +1.69 SD in fold-3 (p = 0.001; 2 features, 5 folds, 100 rows). All features together tell test rows from others with an AUC of at most 0.98 (fold-3, 99 % interval 0.27 to 1.00)."`,
    );
    expect(fix).toMatchInlineSnapshot(
      `"Shuffle whole patients into the folds (\`shuffle: true\`, StratifiedGroupKFold), or declare what the folds stand for with \`design\`."`,
    );
    expect(evidence).toMatchObject({
      unit: 'row',
      units: 100,
      folds: 5,
      pValue: 0.001,
      permutations: 999,
      differing: 1,
      differingFolds: ['fold-3'],
      examples: [{ variable: 'marker', fold: 'fold-3', pValue: 0.001 }],
    });
  });

  it('says what it could have found where it found nothing', async () => {
    const { status, message, evidence } = await judged(featureStatistics, { X: noise, splitter });
    expect(status).toBe('passed');
    expect(message).toMatchInlineSnapshot(
      `"No feature differs between the test rows of a fold and the others beyond chance (p = 0.83; 2 features, 5 folds, 100 rows); below 1.23 SD a difference may not be detectable at this n. All features together tell test rows from others with an AUC of at most 0.59 (fold-4, 99 % interval 0.25 to 0.86)."`,
    );
    // 10 tests: (3.2905 + 1.6449) sqrt(1/20 + 1/80) SD, the quantiles of 1 - .01/20 and of .95.
    expect(evidence.detectableInSd).toBeCloseTo((3.290526731491926 + 1.6448536269514722) / 4, 9);
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
    expect(await said({ design: 'deployment' })).toMatchInlineSnapshot(`
      {
        "message": "Test rows may well differ from the others here: the test rows stand for other places. The largest difference: marker by +1.69 SD in fold-0. All features together tell test rows from others with an AUC of at most 0.98 (fold-0, 99 % interval 0.80 to 1.00).",
        "severity": "none",
        "status": "not_applicable",
      }
    `);
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
    expect(found.slice(0, 2).sort()).toEqual(['feature 0 = scanner b fold-1', 'feature 1 (missing) fold-4']);
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
