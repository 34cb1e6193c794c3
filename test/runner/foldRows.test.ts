import { describe, expect, it } from 'vitest';
import { rowNumbers } from '../../src/data/labels.js';
import type { Rows } from '../../src/data/rows.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { OneHotEncoder } from '../../src/preprocessing/oneHotEncoder.js';
import { RandomOverSampler } from '../../src/preprocessing/randomOverSampler.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { rejection } from '../helpers/failure.js';
import { NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const y = Array.from({ length: 20 }, (_, row) => Number(row % 3 === 0));
const X = y.map((label, row) => [label + row / 10, row % 3]);
const BAD = 7;
const isBad = ([x]: readonly number[]) => x === X[BAD][0];
const withBad = X.map((cells, row) => (row === BAD ? [Number.NaN, cells[1]] : cells));

const model = () => new LogisticRegression();
const predicting = (fails: object) => () => ({
  fit: () => undefined,
  predict: (rows: number[][]) => rows.map(() => 1),
  ...fails,
});

describe('an error about a row of a fold names its row of X', () => {
  const CASES: Readonly<Record<string, Omit<RunOptions, 'data'> & { readonly data?: RunOptions['data'] }>> = {
    'what trains it': { model, data: [withBad, y] },
    'what trains it, in random order': {
      model,
      data: [withBad, y],
      preprocessing: [new RandomOverSampler({ randomState: 1 })],
    },
    'a category that the training rows lack': {
      model,
      data: [X.map((_, row) => ({ site: row === BAD ? 'c' : 'ab'[row % 2] })), y],
      preprocessing: new OneHotEncoder(),
    },
    'a step that makes it worse': {
      model,
      preprocessing: new FunctionTransformer((rows: number[][]) =>
        rows.map((cells) => (isBad(cells) ? [Number.NaN, cells[1]] : cells)),
      ),
    },
    'a label that is no class': {
      model: predicting({ predict: (rows: number[][]) => rows.map((cells) => (isBad(cells) ? 5 : 1)) }),
    },
    'a number that is none': {
      model: predicting({ predict: (rows: number[][]) => rows.map((cells) => (isBad(cells) ? Number.NaN : 1)) }),
      data: [X, y.map((label, row) => label + row / 7)],
    },
    'a probability above 1': {
      model: predicting({ predictProba: (rows: number[][]) => rows.map((cells) => (isBad(cells) ? 2 : 0.5)) }),
    },
    'probabilities that do not sum to 1': {
      model: predicting({
        predictProba: (rows: number[][]) => rows.map((cells) => (isBad(cells) ? [0.9, 0.9] : [0.5, 0.5])),
      }),
    },
  };

  it.each(Object.entries(CASES))('%s', async (_, { data = [X, y], ...options }) => {
    const cvSplitter = new KFold({ nSplits: 4, shuffle: true, randomState: 3 });
    const runner = new UniversalCVRunner({ cvSplitter, verbose: 0 });
    const message = await rejection(runner.run({ data, ...options } as RunOptions));
    expect(message).toMatch(/^[^.]*Fold .* This is row 7 of X\.$/);
    expect(message).not.toMatch(/This is.*This is/);
  });

  const sites = X.map((_, row) => ({ site: row === BAD ? 'c' : 'ab'[(row >> 1) % 2] }));
  const source = { length: sites.length, take: (rows: Int32Array) => Array.from(rows, (row) => sites[row]) };
  const inPairs = async (rows: Rows) => {
    for (let at = 0; at + 2 <= rows.length; at += 2) await rows.take(Int32Array.of(at, at + 1)).toArrays();
  };
  const byFolds = (folds: readonly object[]) => ({ getNSplits: () => folds.length, split: () => folds }) as never;
  const [even, odd] = [0, 1].map((rest) => Array.from(X.keys()).filter((row) => row % 2 === rest));

  it.each([
    ['a validation row', sites, { train: rowNumbers(10), test: rowNumbers(20).slice(10) }],
    ['a row of a source that is predicted in parts', source, { train: even, test: odd }],
  ])('%s', async (_, rows, fold) => {
    const { adapter } = spyAdapter({
      async fit(_model, train, { validation }, hooks) {
        await hooks.onEpochStart(0);
        await inPairs(train.X);
        await validation?.X.toArrays();
        await hooks.onEpochEnd(0, { loss: 1 });
        return { epochs: [{ loss: 1 }] };
      },
      async predict(_model, X) {
        await inPairs(X as Rows);
        return { probabilities: { data: new Float64Array(2 * X.length).fill(0.5), shape: [X.length, 2] } };
      },
    });
    const runner = new UniversalCVRunner({ cvSplitter: byFolds([fold]), adapter, verbose: 0 });
    const validation = Array.isArray(rows)
      ? { splitter: byFolds([{ train: rowNumbers(6), test: Int32Array.of(6, 7, 8, 9) }]) }
      : undefined;
    const preprocessing = new OneHotEncoder();
    const message = await rejection(
      runner.run({ model: () => new NearestMean(), data: [rows as never, y], preprocessing, validation }),
    );
    expect(message).toMatch(/This is row 7 of X\.$/);
  });
});
