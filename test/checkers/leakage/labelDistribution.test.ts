import { describe, expect, it } from 'vitest';
import { labelDistribution } from '../../../src/checkers/leakage/labelDistribution.js';
import { randomSource } from '../../../src/core/random.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import { TimeSeriesSplit } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import { judged } from '../judged.js';
import { judgedOdd, ODD } from '../shift/oddScenes.js';

const testFold = Array.from({ length: 100 }, (_, row) => row % 5);
const splitter = new PredefinedSplit({ testFold });
const X = testFold.map((_, row) => [row]);
// In fold 2 18 of 20 rows are ill, elsewhere 4 of 20 each.
const y = testFold.map((fold, row) => (Math.floor(row / 5) < (fold === 2 ? 18 : 4) ? 'ill' : 'healthy'));

describe('labelDistribution', () => {
  it('finds a fold of another prevalence, in points', async () => {
    const { status, severity, fold, message, evidence } = await judged(labelDistribution, { X, y, splitter });
    expect({ status, severity, fold }).toEqual({ status: 'needs_review', severity: 'low', fold: 'fold-2' });
    expect(message).toMatchInlineSnapshot(
      `"Test rows differ from the others beyond chance: class 'ill' by +70 points in fold-2 (p = 0.001; 1 label, 5 folds, 100 rows)."`,
    );
    // 18 / 20 - 16 / 80 = 70 points; of the standard deviation of 34 ones and 66 zeros (ddof 1), .476: 1.47.
    const sd = Math.sqrt((34 * 66) / 100 / 99);
    expect(evidence).toMatchObject({
      pValue: 0.001,
      examples: [
        {
          variable: "class 'ill'",
          fold: 'fold-2',
          differenceInPoints: expect.closeTo(70, 9),
          differenceInSd: expect.closeTo(0.7 / sd, 9),
        },
      ],
    });
  });

  it('lets the same prevalence pass, and names what it could have found', async () => {
    const even = testFold.map((_, row) => Number(Math.floor(row / 5) < 6));
    const { status, message, evidence } = await judged(labelDistribution, { X, y: even, splitter });
    expect(status).toBe('passed');
    expect(message).toMatchInlineSnapshot(
      `"No label differs between the test rows of a fold and the others beyond chance (p = 1.00; 1 label, 5 folds, 100 rows); below 55 points a difference may not be detectable at this n."`,
    );
    // 5 tests: quantiles of 1 - .01/10 and .95, by sqrt(1/20 + 1/80) and the sd of 30 ones of 100 (ddof 1).
    const points = 100 * (3.090232306167813 + 1.6448536269514722) * 0.25 * Math.sqrt((30 * 70) / 100 / 99);
    expect(evidence.detectableInPoints).toBeCloseTo(points, 9);
  });

  it.each([
    ['several classes', testFold.map((fold, row) => (fold === 2 ? 'c' : 'ab'[row % 2])), "class 'c'"],
    ['numbers', testFold.map((fold, row) => (fold === 2 ? 5 : 0) + Math.sin(row)), 'y'],
    ['several labels', testFold.map((fold, row) => [row % 2, Number(fold === 2)]), 'label 1'],
    [
      'masks',
      testFold.map((fold, row) => [
        [Number(fold === 2), 0],
        [row % 2, Number(row % 3 === 0 || fold === 2)],
      ]),
      'share of marked pixels',
    ],
  ])('judges %s', async (_, labels, variable) => {
    const { status, evidence } = await judged(labelDistribution, { X, y: labels, splitter });
    expect(status).toBe('needs_review');
    expect((evidence.examples as { variable: string }[])[0].variable).toBe(variable);
  });

  it('names a class that a fold does not test, which is no finding by itself', async () => {
    const rare = testFold.map((_, row) => (row % 25 < 3 ? 'rare' : 'ab'[row % 2]));
    const { status, evidence, message } = await judged(labelDistribution, { X, y: rare, splitter });
    expect(status).toBe('passed');
    expect(evidence.missing).toEqual([
      { fold: 'fold-3', class: 'rare' },
      { fold: 'fold-4', class: 'rare' },
    ]);
    expect(message).toContain("No test row of fold-3 has the class 'rare'; 1 more such.");
  });

  it('describes where a difference is expected', async () => {
    const drift = {
      X,
      y: testFold.map((_, row) => Number(row > 50)),
      data: { timestamps: testFold.map((_, row) => row) },
    };
    const { status, message } = await judged(labelDistribution, {
      ...drift,
      splitter: new TimeSeriesSplit({ nSplits: 4 }),
    });
    expect(status).toBe('not_applicable');
    expect(message).toMatchInlineSnapshot(
      `"Test rows may well differ from the others here: the folds are periods of time. The largest difference: class 1 by +64 points in fold-2. No test row of fold-0 has the class 1; 2 more such."`,
    );
    expect((await judged(labelDistribution, { ...drift, splitter: new LOOCV() })).status).toBe('not_applicable');
  });

  it('has nothing to compare in one class, and says so', async () => {
    const { status, message } = await judged(labelDistribution, { X, y: testFold.map(() => 1), splitter });
    expect(status).toBe('not_evaluated');
    expect(message).toMatchInlineSnapshot(`"No label varies in 10 rows or more, so there is nothing to compare."`);
  });

  it.each(Object.keys(ODD))('accuses nobody and says no NaN: %s', async (name) => {
    await judgedOdd(labelDistribution, name);
  });

  it('fires in about one of a hundred clean calls', async () => {
    let fired = 0;
    for (let seed = 0; seed < 300; seed++) {
      const random = randomSource(seed);
      const labels = testFold.map(() => Number(random.random() < 0.3));
      fired += Number(
        (await judged(labelDistribution, { X, y: labels, splitter, randomState: seed })).status !== 'passed',
      );
    }
    // Of 300 at .01: more than 10 in 1 of 3,000 cases.
    expect(fired).toBeLessThanOrEqual(10);
  });
});
