import { describe, expect, it } from 'vitest';
import { labelDistribution } from '../../../src/checkers/CVL007-label-distribution/labelDistribution.js';
import { randomSource } from '../../../src/core/random.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { LeaveOneGroupOut } from '../../../src/splitters/grouped/leaveOneGroupOut.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
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
const judge = (y: unknown[], rest: object = {}) => judged(labelDistribution, { X, y, splitter, ...rest });

describe('labelDistribution', () => {
  it('counts against nobody where the patients are too few to show anything', async () => {
    const y = Array.from({ length: 30 }, (_, row) => row % 2);
    const few = { X: y.map((label) => [label]), splitter: new KFold({ nSplits: 3 }) };
    expect(await judge(y, few)).toMatchObject({ status: 'not_evaluated', notDetectable: true });
  });

  it('finds a fold of another prevalence, in points', async () => {
    const { message, evidence, ...found } = await judge(y);
    expect(found).toMatchObject({ status: 'needs_review', severity: 'low', fold: 'fold-2' });
    // The largest of 999 permutations stays below: p = 1 / 1000.
    expect(message).toBe(
      "Test rows differ from the others beyond chance: class 'ill' by +70 points in fold-2 (p = 0.001; 1 label, 5 folds, 100 rows).",
    );
    // 18 / 20 - 16 / 80 = 70 points; of the standard deviation of 34 ones and 66 zeros (ddof 1), .476: 1.47.
    const sd = Math.sqrt((34 * 66) / 100 / 99);
    const [differenceInPoints, differenceInSd] = [70, 0.7 / sd].map((value) => expect.closeTo(value, 9));
    const example = { variable: "class 'ill'", fold: 'fold-2', differenceInPoints, differenceInSd };
    expect(evidence).toMatchObject({ pValue: 0.001, examples: [example] });
  });

  it('lets the same prevalence pass, and names what it could have found', async () => {
    const even = testFold.map((_, row) => Number(Math.floor(row / 5) < 6));
    const { status, message, evidence } = await judge(even);
    expect(status).toBe('passed');
    // 5 tests: quantiles of 1 - .01/10 and .95, by sqrt(1/20 + 1/80) and the sd of 30 ones of 100 (ddof 1).
    const points = 100 * (3.090232306167813 + 1.6448536269514722) * 0.25 * Math.sqrt((30 * 70) / 100 / 99);
    expect(evidence.detectableInPoints).toBeCloseTo(points, 9);
    // No fold differs, so every permutation reaches the largest difference: p = 1.
    expect(message).toBe(
      `No label differs between the test rows of a fold and the others beyond chance (p = 1.00; 1 label, 5 folds, 100 rows); below ${Math.ceil(points)} points a difference may not be detectable at this n.`,
    );
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
    const { status, evidence } = await judge(labels);
    expect(status).toBe('needs_review');
    expect((evidence.examples as { variable: string }[])[0].variable).toBe(variable);
  });

  it('judges masks by the share of marked pixels, whatever the place of the marks', async () => {
    // Of ten pixels 0, 2, 4, 6 or 8 are marked: twenty rows each, in places that move with the row.
    const masks = (share: (row: number) => number) =>
      testFold.map((_, row) => [
        Array.from({ length: 5 }, (_, at) => Number((at + row) % 10 < share(row))),
        Array.from({ length: 5 }, (_, at) => Number((at + 5 + row) % 10 < share(row))),
      ]);
    const evenly = masks((row) => 2 * (Math.floor(row / 5) % 5));
    expect(await judge(evenly)).toMatchObject({ status: 'passed', evidence: { pValue: 1 } });
    const sorted = masks((row) => 2 * testFold[row]);
    const odd = await judge(sorted);
    // Mid-ranks 10.5, 30.5 ... 90.5 of 100, as normal scores: -1.2759, -.5230, 0, .5230, 1.2759 (scipy 1.17.1).
    const [far, near] = [1.2758882861169187, 0.5229665858081592];
    const sd = Math.sqrt((40 * (far ** 2 + near ** 2)) / 99);
    const [first] = odd.evidence.examples as { fold: string; differenceInSd: number }[];
    expect(Math.abs(first.differenceInSd)).toBeCloseTo((1.25 * far) / sd, 9);
    expect(['fold-0', 'fold-4']).toContain(first.fold);
    // Where marks stand makes no difference.
    const moved = sorted.map(([a, b]) => [b, a]);
    expect((await judge(moved)).evidence).toEqual(odd.evidence);
  });

  it('says whether more or fewer pixels are marked, in masks of few marks', async () => {
    // In fold-3 nine of ten pixels are marked, else one: 20 and 80 rows, mid-ranks 90.5 and 40.5 of 100.
    const masks = (own: number, other: number) =>
      testFold.map((fold) => [Array.from({ length: 10 }, (_, at) => Number(at < (fold === 3 ? own : other)))]);
    const signs = await Promise.all(
      [masks(9, 1), masks(1, 9)].map(async (y) => {
        const { status, evidence, message } = await judge(y);
        const [first] = evidence.examples as { fold: string; differenceInSd: number }[];
        expect([status, first.fold]).toEqual(['needs_review', 'fold-3']);
        expect(message).toContain(`share of marked pixels by ${first.differenceInSd > 0 ? '+' : '-'}`);
        return first.differenceInSd;
      }),
    );
    expect(signs[0]).toBeGreaterThan(1);
    expect(signs[1]).toBeCloseTo(-signs[0], 9);
  });

  it('names a class that a fold does not test, which is no finding by itself', async () => {
    const rare = testFold.map((_, row) => (row % 25 < 3 ? 'rare' : 'ab'[row % 2]));
    const { status, evidence, message } = await judge(rare);
    expect(status).toBe('passed');
    expect(evidence.missing).toEqual(['fold-3', 'fold-4'].map((fold) => ({ fold, class: 'rare' })));
    expect(message).toContain("No test row of fold-3 has the class 'rare'; 1 more such.");
  });

  it('says nothing of classes that a handful of patients cannot all have', async () => {
    const patients = testFold.map((_, row) => Math.floor(row / 4));
    const even = testFold.map((_, row) => row % 2);
    for (const rest of [{ splitter: new LOOCV() }, { data: { groups: patients }, splitter: new LeaveOneGroupOut() }]) {
      const result = await judge(even, rest);
      expect(result.message).not.toContain('No test row');
      expect(result.evidence).not.toHaveProperty('missing');
    }
  });

  it('describes where a difference is expected', async () => {
    const drift = testFold.map((_, row) => Number(row > 50));
    const data = { timestamps: testFold.map((_, row) => row) };
    const { status, message } = await judge(drift, { data, splitter: new TimeSeriesSplit({ nSplits: 4 }) });
    expect(status).toBe('not_applicable');
    // Of 100 rows in time, folds of 20 from row 20 on. Fold 2, rows 60 to 79, is all ones; of the 80 others 29 are: 51 / 80.
    expect(message).toBe(
      `Test rows may well differ from the others here: the folds are periods of time. The largest difference: class 1 by +${Math.round((100 * 51) / 80)} points in fold-2. No test row of fold-0 has the class 1; 2 more such.`,
    );
    expect((await judge(drift, { data, splitter: new LOOCV() })).status).toBe('not_applicable');
  });

  it('is not evaluated where no fold could show what is detectable, unless one shows enough', async () => {
    // Of 40 rows, 20 ill, a fold of 8 tests at most 8 of 8 against 12 of 32: 62.5 points.
    const judgeFirst = (n: number, labels: (row: number) => number) =>
      judged(labelDistribution, {
        X: testFold.slice(0, n).map((_, row) => [row]),
        y: Array.from({ length: n }, (_, row) => labels(row)),
        splitter: new PredefinedSplit({ testFold: testFold.slice(0, n) }),
      });
    const even = await judgeFirst(40, (row) => Number(Math.floor(row / 5) % 2));
    expect(even).toMatchObject({ status: 'not_evaluated', fix: 'Use fewer folds, or more data.' });
    expect(even.message).toMatch(
      /^Too few rows: a difference must be \d+ points or more to be found, and in these folds it cannot be so large \(1 label, /,
    );
    expect((even.evidence as { detectableInPoints: number }).detectableInPoints).toBeGreaterThan(62.5);
    // Of 60 rows twelve healthy ones in one fold are beyond chance all the same: (18! / (6! 12!)) / (60! / (48! 12!)).
    expect((await judgeFirst(60, (row) => Number(row % 5 === 2 || row % 5 === 3 || row % 10 === 4))).status).toBe(
      'needs_review',
    );
    expect((await judgeFirst(100, (row) => Number(Math.floor(row / 5) % 2))).status).toBe('passed');
  });

  it('has nothing to compare in one class, and says so', async () => {
    const { status, message } = await judge(testFold.map(() => 1));
    expect(status).toBe('not_evaluated');
    expect(message).toBe('Fewer than 10 rows differ from the others in any label, so there is nothing to compare.');
  });

  it.each([
    ['pairs', 80, () => 2, 'passed', undefined],
    // As the matched sets of bdendo (1:4) and infert (1:2, one set 1:1).
    ['sets of one case and four controls', 63, () => 5, 'passed', undefined],
    ['sets of two and one of another size', 83, (set: number) => (set === 9 ? 2 : 3), 'passed', undefined],
    // Five patients of one class alone: no mix, and nothing to compare.
    ['a rare class', 200, () => 1, 'not_evaluated', true],
  ] as const)('passes matched sets in folds that keep them whole: %s', async (_, sets, sizeOf, status, beyond) => {
    const rows = Array.from({ length: sets }, (_, set) => Array.from({ length: sizeOf(set) }, (_, at) => [set, at]));
    const all = rows.flat();
    const groups = all.map(([set]) => set);
    const found = await judged(labelDistribution, {
      X: all,
      y: all.map(([set, at]) => Number(sizeOf(set) === 1 ? set < 5 : at === 0)),
      data: { groups },
      splitter: new GroupKFold({ nSplits: 5, randomState: 1 }),
    });
    expect([found.status, found.notDetectable]).toEqual([status, beyond]);
    if (status !== 'passed') expect(found.fix).not.toBe('');
  });

  it('does not say that labels do not vary where every patient has the same share of them', async () => {
    const groups = testFold.map((_, row) => Math.floor(row / 5));
    const labels = testFold.map((_, row) => Number(row % 5 < 2));
    const { status, message } = await judge(labels, { data: { groups } });
    expect(status).toBe('not_evaluated');
    expect(message).toBe(
      'Fewer than 10 patients differ from the others in the mean of any label, so there is nothing to compare.',
    );
  });

  it('keeps differences possible where folds tear patients, and says to keep them whole', async () => {
    // 100 patients of 10 rows. Of the 20 that are ill 6 rows each are tested, of the others 1.
    const groups = Array.from({ length: 1000 }, (_, row) => Math.floor(row / 10));
    const labels = groups.map((id) => Number(id < 20));
    const tested = groups.map((id, row) => (row % 10 < (id < 20 ? 6 : 1) ? 0 : -1));
    const judgeIn = (testFold: number[]) =>
      judge(labels, { X: groups.map(() => [0]), data: { groups }, splitter: new PredefinedSplit({ testFold }) });
    const torn = await judgeIn(tested);
    expect(torn.status).toBe('needs_review');
    expect(torn.fix).toBe('Keep all rows of a patient on one side: GroupKFold, or StratifiedGroupKFold.');
    const examples = torn.evidence.examples as { differenceInPoints: number }[];
    // 120 of the 200 test rows are ill, and 80 of the 800 others.
    expect(examples[0].differenceInPoints).toBeCloseTo(50, 9);
    expect(torn.message).toContain('class 1 by +50 points in fold-0');
    // Of each patient about a fifth: no fold stands out.
    const even = await judgeIn(groups.map((id, row) => (row + Math.floor(id / 50)) % 5));
    expect(even).toMatchObject({ status: 'not_evaluated', fix: expect.stringContaining('Keep all rows of a patient') });
    expect(even.message).not.toMatch(/points/);
  });

  it.each(Object.keys(ODD))('accuses nobody and says no NaN: %s', async (name) => {
    await judgedOdd(labelDistribution, name);
  });

  it('fires in about one of a hundred clean calls', async () => {
    let fired = 0;
    for (let seed = 0; seed < 300; seed++) {
      const random = randomSource(seed);
      const labels = testFold.map(() => Number(random.random() < 0.3));
      if ((await judge(labels, { randomState: seed })).status !== 'passed') fired++;
    }
    // Of 300 at .01: more than 10 in 1 of 3,000 cases.
    expect(fired).toBeLessThanOrEqual(10);
  });
});
