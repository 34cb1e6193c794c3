import { describe, expect, it } from 'vitest';
import { temporalOrder } from '../../../src/checkers/CVL004-temporal/temporalOrder.js';
import type { Design } from '../../../src/checkers/checkOptions.js';
import type { SideData } from '../../../src/data/sideData.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import type { Splitter } from '../../../src/splitters/splitter.js';
import { PurgedKFoldCV } from '../../../src/splitters/temporal/purgedKFoldCV.js';
import { TimeSeriesSplit } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import { inWords, judged } from '../judged.js';

/** One fold that trains on the rows marked -1 and tests the rows marked 0. */
const judge = (testFold: number[], data: SideData, design?: Design) =>
  judged(temporalOrder, { X: testFold.map((_, i) => [i]), data, splitter: new PredefinedSplit({ testFold }), design });
const over = (n: number, splitter: Splitter, design: Design | undefined, timestamps: SideData['timestamps']) =>
  judged(temporalOrder, { X: Array.from({ length: n }, (_, i) => [i]), data: { timestamps }, splitter, design });

describe('temporalOrder', () => {
  it('passes when all training rows are earlier', async () => {
    const result = await judge([-1, -1, 0], { timestamps: [1, 2, 3] }, 'prospective');
    const message = 'Every training row is known before the first test row.';
    expect(result).toMatchObject({ code: 'CVL004', status: 'passed', message });
  });

  it('says that rows have no time, and judges the others', async () => {
    const missing = [null, undefined, Number.NaN, ''] as unknown as number[];
    for (const none of missing) {
      const early = await judge([-1, -1, -1, 0, 0], { timestamps: [1, none, 2, none, 3] }, 'prospective');
      expect(early).toMatchObject({
        status: 'not_evaluated',
        evidence: { missing: 2 },
        message:
          'Whether every training row is known before the first test row cannot be told. 2 of 5 rows have no timestamp.',
      });
      const late = await judge([-1, -1, -1, 0, 0], { timestamps: [none, 4, 2, none, 3] }, 'prospective');
      const evidence = { trainingRows: 1, examples: [{ train: 1, test: 4 }] };
      expect(late).toMatchObject({ status: 'failed', evidence });
    }
    // Many folds: the same as few.
    const [leaveOut, times] = [new LOOCV(), Array.from({ length: 40 }, (_, row) => (row % 7 === 3 ? null : row))];
    const { evidence } = await over(40, leaveOut, 'prospective', times as number[]);
    const known = times.filter((time) => time !== null);
    const pairs = known.map((time) => known.filter((other) => other > time).length);
    expect(evidence.trainingRows).toBe(pairs.reduce((sum, later) => sum + later, 0));
    expect(evidence).toMatchObject({ byLabelEnd: 0, tied: 0 });
  });

  it('counts training rows from the first test row on, ties apart', async () => {
    // First test row: day 10. Training rows on days 1, 10 (tied), 12 and 40, which is 30 days later.
    const timestamps = ['2024-01-01', '2024-01-10', '2024-01-12', '2024-02-09', '2024-01-10', '2024-01-20'];
    const result = await judge([-1, -1, -1, -1, 0, 0], { timestamps }, 'prospective');
    expect(result).toMatchObject({ status: 'failed', severity: 'high', fold: 'fold-0' });
    expect(result.message).toMatch(/3 of 4 training.*not known.*30 days.*1 at/);
    expect(result.evidence).toEqual({
      trainingRows: 3,
      tied: 1,
      byLabelEnd: 0,
      folds: ['fold-0'],
      largestOverlap: 30,
      unit: 'days',
      examples: [{ fold: 'fold-0', train: 3, test: 4, days: 30 }],
    });
  });

  it('fails for a tie across the cut', async () => {
    const result = await judge([-1, -1, 0], { timestamps: [1, 3, 3] }, 'prospective');
    expect(result).toMatchObject({ status: 'failed', evidence: { trainingRows: 1, tied: 1, largestOverlap: 0 } });
  });

  it('fails when the label of an earlier row is known too late', async () => {
    // Row 1 is of time 2, its label of time 5; the first test row is of time 4.
    const data = { timestamps: [1, 2, 4], labelEndTimes: [1, 5, 6] };
    const result = await judge([-1, -1, 0], data, 'prospective');
    expect(result).toMatchObject({ status: 'failed', evidence: { trainingRows: 1, byLabelEnd: 1, largestOverlap: 1 } });
    expect(result.message).toMatch(/1 of 2 training.*not known.*1 in.*1 whose/);
    expect(await judge([-1, -1, 0], { ...data, labelEndTimes: [1, 3.5, 6] }, 'prospective')).toMatchObject({
      status: 'passed',
    });
  });

  it('describes folds of a design that promises no order, and says how to ask', async () => {
    const result = await judge([0, -1, -1], { timestamps: [1, 2, 3] });
    expect(inWords(result)).toMatch(
      /^not_applicable: .*'iid'.*2 of 2 training.*not known.*2 in.*`design: 'prospective'`/,
    );
    const earlier = await judge([-1, -1, 0], { timestamps: [1, 2, 3] }, 'deployment');
    expect(earlier.message).toMatch(/'deployment'.*`design: 'prospective'`/);
  });

  it('judges what a splitter over time claims, and purged folds only when asked', async () => {
    const times = Array.from({ length: 30 }, (_, i) => i);
    expect(await over(30, new TimeSeriesSplit({ nSplits: 4 }), undefined, times)).toMatchObject({ status: 'passed' });
    const purged = new PurgedKFoldCV({ nSplits: 3 });
    expect(await over(30, purged, undefined, times)).toMatchObject({ status: 'not_applicable' });
    expect(await over(30, purged, 'prospective', times)).toMatchObject({ status: 'failed' });
  });

  it('names label ends of another kind', async () => {
    const data = { timestamps: [1, 2, 3], labelEndTimes: ['2024-01-01', '2024-01-02', '2024-01-03'] };
    expect(await judge([-1, -1, 0], data, 'prospective')).toMatchObject({ status: 'not_evaluated', evidence: {} });
  });

  it('gives numbers for huge, equal and negative times, leave-one-out and bootstrap', async () => {
    const huge = await judge([-1, -1, 0], { timestamps: [1.7e308, 2, -1.7e308] }, 'prospective');
    expect(huge).toMatchObject({ status: 'failed', evidence: { largestOverlap: Number.MAX_VALUE } });
    const same = await judge([-1, -1, 0], { timestamps: [7, 7, 7] }, 'prospective');
    expect(same).toMatchObject({ status: 'failed', evidence: { tied: 2 } });
    const times = Array.from({ length: 10 }, (_, i) => i);
    const leaveOneOut = await over(10, new LOOCV(), 'prospective', times);
    expect(leaveOneOut).toMatchObject({ status: 'failed', fold: 'fold-0' });
    // Row t is tested against 9 - t later ones: 9 + 8 + ... + 0 = 45 of 10 times 9.
    expect(leaveOneOut.message).toMatch(/45 of 90 training.*not known.*9 of 10 folds.*9 in/);
    const bootstrap = new BootstrapValidation({ nIterations: 5, randomState: 1 });
    expect(await over(10, bootstrap, 'iid', times)).toMatchObject({ status: 'not_applicable' });
  });
});
