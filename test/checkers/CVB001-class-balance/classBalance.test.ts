import { describe, expect, it } from 'vitest';
import { classBalance } from '../../../src/checkers/CVB001-class-balance/classBalance.js';
import { metricRegistry } from '../../../src/metrics/registry.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { inWords, judged } from '../judged.js';
import { judgedOdd, ODD } from '../shift/oddScenes.js';

const X = Array.from({ length: 40 }, (_, row) => [row]);
const splitter = new KFold({ nSplits: 4 });
const judge = async (y: unknown[], given = splitter as KFold | LOOCV | StratifiedKFold) => {
  const { status, severity, fold, message, evidence } = await judged(classBalance, { X, y, splitter: given });
  return { status, severity, fold, message, evidence };
};

describe('classBalance', () => {
  it('passes with the largest difference and its effect size', async () => {
    // Of 10 rows of fold-0 5 are ill, of the other 30 rows 6: .5 - .2; h = 2 asin sqrt .5 - 2 asin sqrt .2 = .6435.
    const y = X.map((_, row) => ((row < 10 ? row % 2 : row % 5 === 0) ? 'ill' : 'healthy'));
    const { status, message, evidence } = await judge(y);
    expect(inWords({ status, message })).toMatch(
      /^passed: .*'ill'.*11 of 40 rows.*0\.379 of.*30\.0 points.*fold-0.*0\.64/,
    );
    expect(evidence).toEqual({
      counts: { healthy: 29, ill: 11 },
      imbalanceRatio: 11 / 29,
      maxDifference: expect.closeTo(0.3, 12),
      maxDifferenceFold: 'fold-0',
      cohenH: expect.closeTo(Math.PI / 2 - 2 * Math.asin(Math.sqrt(0.2)), 12),
    });
  });

  it('fails a fold that trains without a class', async () => {
    const { message, evidence, ...rest } = await judge(X.map((_, row) => (row < 10 ? 'rare' : 'ab'[row % 2])));
    expect(rest).toEqual({ status: 'failed', severity: 'high', fold: 'fold-0' });
    expect(message).toMatch(/'rare'.*fold-0/);
    expect(evidence.examples).toEqual([{ fold: 'fold-0', class: 'rare', side: 'train' }]);
  });

  it('asks for a look where a fold does not test a class', async () => {
    const { message, ...rest } = await judge(X.map((_, row) => Number(row >= 10 && row % 2 === 0)));
    expect(rest).toMatchObject({ status: 'needs_review', severity: 'low', fold: 'fold-0' });
    expect(message).toMatch(/1 has.*fold-0.*undefined/);
  });

  it('asks no single row to be of two classes', async () => {
    const even = X.map((_, row) => row % 2);
    expect((await judge(even, new LOOCV())).status).toBe('passed');
  });

  it('asks for a look at rare classes, and fails one class alone', async () => {
    const wide = Array.from({ length: 200 }, (_, row) => [row]);
    const y = wide.map((_, row) => Number(row % 20 === 0));
    const rare = await judged(classBalance, { X: wide, y, splitter: new StratifiedKFold({ nSplits: 5 }) });
    expect(rare).toMatchObject({ status: 'needs_review', severity: 'low', evidence: { imbalanceRatio: 10 / 190 } });
    expect(rare.message).toMatch(/1 is.*10 of 200 rows.*0\.053 of.*0\.0 points.*fold-0.*0\.00/);
    expect(await judge(X.map(() => 1))).toMatchObject({ status: 'failed', severity: 'high' });
  });

  it.each<[string[] | undefined, string]>([
    [undefined, 'needs_review'],
    [['accuracy', 'roc_auc'], 'needs_review'],
    [['specificity'], 'needs_review'],
    [['roc_auc', 'average_precision', 'brier'], 'passed'],
  ])('lets a rare class pass that is scored as it advises: %j', async (scores, status) => {
    const y = Array.from({ length: 200 }, (_, row) => Number(row % 20 === 0));
    const stratified = new StratifiedKFold({ nSplits: 5 });
    const found = await judged(classBalance, { X: y.map((_, row) => [row]), y, splitter: stratified, scores });
    expect(found).toMatchObject({ status, evidence: { imbalanceRatio: 10 / 190 } });
  });

  it.each<[string[], number | string, 'passed' | 'needs_review']>([
    // 19 of 20 rows are positive: who calls all rows positive has an average precision of .95 and an F1 of .974.
    [['roc_auc', 'average_precision', 'brier'], 0, 'needs_review'],
    [['balanced_accuracy', 'f1'], 'neg', 'needs_review'],
    [['sensitivity'], 0, 'needs_review'],
    [['specificity', 'roc_auc'], 0, 'passed'],
    [['balanced_accuracy'], 'neg', 'passed'],
  ])('advises for the class that is rare, the negative one: %j', async (scores, rare, status) => {
    const common = rare === 0 ? 1 : 'pos';
    const y = Array.from({ length: 200 }, (_, row) => (row % 20 === 0 ? rare : common));
    const splitter = new StratifiedKFold({ nSplits: 5 });
    const found = await judged(classBalance, { X: y.map((_, row) => [row]), y: y as number[], splitter, scores });
    expect(found.status).toBe(status);
    if (status === 'needs_review')
      expect(found.fix).toMatch(/\(balanced_accuracy, specificity, roc_auc\), not by accuracy/);
  });

  it.each<['binary' | 'multiclass' | 'multilabel', (row: number) => number | number[]]>([
    ['binary', (row) => Number(row % 25 === 0)],
    ['multiclass', (row) => (row % 25 === 0 ? 2 : row % 2)],
    ['multilabel', (row) => [Number(row % 25 === 0), row % 2]],
  ])('advises metrics that the task has: %s', async (task, labelOf) => {
    const y = Array.from({ length: 200 }, (_, row) => labelOf(row)) as number[];
    const splitter = new KFold({ nSplits: 4 });
    const { status, fix } = await judged(classBalance, { X: y.map((_, row) => [row]), y, task, splitter });
    expect(status).toBe('needs_review');
    const named = metricRegistry.names().filter((name) => fix.split(/[ (),]+/).includes(name) && name !== 'accuracy');
    expect(named).toHaveLength(3 - Number(task === 'multilabel'));
    for (const name of named) expect(metricRegistry.get(name).tasks).toContain(task);
  });

  it('judges each of several labels, and no numbers or masks', async () => {
    const several = await judge(X.map((_, row) => [row % 2, Number(row < 10)]));
    expect(several).toMatchObject({ status: 'failed', fold: 'fold-0', evidence: { counts: { 0: 20, 1: 10 } } });
    expect((await judge(X.map((_, row) => row + 0.5))).status).toBe('not_applicable');
    const masks = X.map(() => [0, 1].map((at) => [at, 1 - at]));
    expect((await judge(masks)).status).toBe('not_applicable');
  });

  it('judges given sets', async () => {
    const y = X.map((_, row) => (row < 20 ? 'a' : 'b'));
    const sets = new PredefinedSplit({ testFold: X.map((_, row) => (row < 20 ? -1 : 0)) });
    const { status, evidence } = await judged(classBalance, { X, y, splitter: sets });
    expect(status).toBe('failed');
    expect(evidence.missing).toBe(2);
  });

  it.each(Object.keys(ODD))('accuses nobody and says no NaN: %s', async (name) => {
    await judgedOdd(classBalance, name);
  });
});
