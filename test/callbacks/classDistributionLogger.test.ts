import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminal } from '#io';
import {
  ClassDistributionLogger,
  type ClassDistributionLoggerOptions,
} from '../../src/callbacks/classDistributionLogger.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const { write } = terminal;
let written: string[] = [];
beforeEach(() => {
  written = [];
  terminal.write = (text) => void written.push(text);
});
afterEach(() => {
  terminal.write = write;
});

const rows = (n: number) => Array.from({ length: n }, (_, row) => [row]);
const constant = () => ({ fit: () => undefined, predict: (X: unknown[]) => X.map(() => 0) });
const says = (label: string) => () => ({ fit: () => undefined, predict: (X: unknown[]) => X.map(() => label) });

async function run(
  y: unknown[],
  splitter: Splitter,
  options: ClassDistributionLoggerOptions = {},
  more: Partial<RunOptions> = {},
) {
  const logger = new ClassDistributionLogger(options);
  const runner = new UniversalCVRunner({ cvSplitter: splitter, verbose: 0 });
  const data = [rows(y.length), y] as RunOptions['data'];
  const results = await runner.run({
    model: constant,
    data,
    metrics: ['accuracy'],
    callbacks: logger,
    ...more,
  } as RunOptions);
  const warnings = results.metadata.warnings.filter((text) => text.startsWith('Class'));
  return { logger, results, warnings };
}

describe('ClassDistributionLogger', () => {
  it('counts the classes on both sides of each fold, and writes a line for each', async () => {
    const y = [...'aaaaaaaabbbb'];
    const more = { positiveLabel: 'b', model: says('b') };
    const { logger, warnings } = await run(y, new StratifiedKFold({ nSplits: 4 }), { verbose: true }, more);
    expect(logger.distributions).toHaveLength(4);
    expect(logger.distributions[0]).toEqual({
      fold: 'fold-0',
      train: { rows: 9, counts: { a: 6, b: 3 }, proportions: { a: 6 / 9, b: 3 / 9 } },
      test: { rows: 3, counts: { a: 2, b: 1 }, proportions: { a: 2 / 3, b: 1 / 3 } },
    });
    expect(written).toHaveLength(4);
    expect(written[0]).toBe(
      'fold-0  training 9 rows: a 6 (66.7 %), b 3 (33.3 %); test 3 rows: a 2 (66.7 %), b 1 (33.3 %)\n',
    );
    expect(warnings).toEqual([]);
  });

  it('writes nothing unless asked, and a few of many folds', async () => {
    await run([...'abababab'], new KFold({ nSplits: 4 }), {}, { positiveLabel: 'a', model: says('a') });
    expect(written).toEqual([]);
    const y = rows(30).map((_, row) => row % 2);
    await run(y, new LOOCV(), { verbose: true });
    expect(written).toHaveLength(21);
    expect(written.at(-1)).toBe('and 10 more folds\n');
  });

  it('warns of a class that a side lacks, not of sides that are too small to have all', async () => {
    const y = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1];
    const { warnings } = await run(y, new KFold({ nSplits: 3 }));
    expect(warnings).toEqual(['Class 1 is in no test row of 1 of 3 folds (fold-0).']);
    const named = y.map((label) => (label === 1 ? 'case' : 'control'));
    const more = { model: says('case'), onFoldError: 'record' } as const;
    const texts = await run(named.sort(), new KFold({ nSplits: 5 }), {}, more);
    expect(texts.warnings).toEqual([
      "Class 'control' is in no test row of 1 of 5 folds (fold-0).",
      "Class 'case' is in no test row of 3 of 5 folds (fold-2, fold-3, fold-4).",
    ]);
    expect((await run(y, new LOOCV())).warnings).toEqual([]);
  });

  it('counts the rows that are watched apart, and they are those that the run watches', async () => {
    const seen: { fit: number[]; watch: number[] }[] = [];
    // Whole groups are watched, which are no strata: other groups would have other counts.
    const y = rows(40).map((_, row) => ((row * row) % 11 < 4 ? 1 : 0));
    const groups = rows(40).map((_, row) => Math.floor(row / 2));
    const { adapter } = spyAdapter();
    const fit: typeof adapter.fit = (model, train, options, hooks) => {
      seen.push({ fit: [...train.indices], watch: [...(options.validation?.indices ?? [])] });
      return adapter.fit(model, train, options, hooks);
    };
    const logger = new ClassDistributionLogger();
    const cvSplitter = new StratifiedKFold({ nSplits: 4 });
    const runner = new UniversalCVRunner({ cvSplitter, adapter: { ...adapter, fit }, verbose: 0 });
    const call = { model: () => new NearestMean(), data: [rows(40), y, groups] as [number[][], number[], number[]] };
    await runner.run({ ...call, validation: 0.3, metrics: ['accuracy'], callbacks: logger });
    const ones = (of: number[]) => ({
      rows: of.length,
      counts: { 0: of.filter((row) => y[row] === 0).length, 1: of.filter((row) => y[row] === 1).length },
    });
    expect(seen.some(({ watch }) => watch.length > 0)).toBe(true);
    logger.distributions.forEach(({ train, validation }, fold) => {
      expect(train).toMatchObject(ones(seen[fold].fit));
      expect(validation).toMatchObject(ones(seen[fold].watch));
    });
  });

  it('gives the labels of several per row, mean and sd of numbers, and the marked share of masks', async () => {
    const several = rows(12).map((_, row) => [row % 2, row < 3 ? 1 : 0]);
    const masks = rows(8).map((_, row) => [
      [row % 2, 1],
      [0, 0],
    ]);
    const model = () => ({ fit: () => undefined, predict: (X: unknown[]) => X.map(() => [0, 1]) });
    const labels = await run(several, new KFold({ nSplits: 3 }), {}, { model });
    expect(labels.logger.distributions[1].test).toEqual({
      rows: 4,
      counts: { 0: 2, 1: 0 },
      proportions: { 0: 0.5, 1: 0 },
    });
    expect(labels.results.metadata.warnings).toContain('Label 1 is in no training row of 1 of 3 folds (fold-0).');
    const spread = [0.5, 1.5, 2.5, 3.5, 10, 30.5];
    const numbers = await run(spread, new KFold({ nSplits: 3 }), { verbose: true }, { metrics: ['mae'] });
    // (.5 + 1.5) / 2; the sd of two numbers that are 1 apart is 1 / sqrt 2.
    expect(numbers.logger.distributions[0].test).toEqual({ rows: 2, mean: 1, sd: Math.SQRT1_2 });
    expect(numbers.logger.distributions[0].train).toMatchObject({ rows: 4, mean: 11.625 });
    expect(written[0]).toMatch(
      /^fold-0 {2}training 4 rows: mean 11\.625, sd 13\.015; test 2 rows: mean 1\.000, sd 0\.707\n$/,
    );
    const one = await run([0.5, 1.25, 7], new LOOCV(), {}, { metrics: ['mae'] });
    expect(one.logger.distributions[2].test).toEqual({ rows: 1, mean: 7, sd: null });
    const marked = new ClassDistributionLogger();
    const { labelsOf } = await import('../../src/data/labels.js');
    const { foldsOf } = await import('../../src/splitters/foldsOf.js');
    const y = labelsOf(masks);
    const folds = foldsOf(new KFold({ nSplits: 2 }), 8);
    await marked.onCvStart({ y, folds, warn: () => expect.unreachable() } as never);
    // Each mask has a quarter or a half of its pixels marked, in turn.
    expect(marked.distributions[0].test).toMatchObject({ rows: 4, mean: 0.375 });
  });

  it('does not print classes that look like names', async () => {
    const people = rows(12).map((_, row) => `Person ${row % 6}`);
    const model = says('Person 1');
    const { logger } = await run(people, new KFold({ nSplits: 2 }), { verbose: true }, { model });
    expect(JSON.stringify(logger.distributions) + written.join('')).not.toContain('Person');
  });

  it('refuses what it does not know', () => {
    expect(() => new ClassDistributionLogger({ verbos: true } as never)).toThrow('Did you mean `verbose`?');
  });
});
