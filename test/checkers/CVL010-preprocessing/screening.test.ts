import { describe, expect, it } from 'vitest';
import { screening } from '../../../src/checkers/CVL010-preprocessing/assessPreprocessing.js';
import { chainsFor } from '../../../src/checkers/CVL010-preprocessing/chains.js';
import type { Task } from '../../../src/checkers/CVL010-preprocessing/task.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { labelsOf, rowNumbers } from '../../../src/data/labels.js';
import { rowsOf } from '../../../src/data/rows.js';
import reference from '../../reference/preprocessing.json' with { type: 'json' };

type Cells = (number | null)[][];
const { splits, cases } = reference;
const columnsOf = async (X: Cells) => (await readFeatures(rowsOf(X))).columns;

async function taskOf(before: Cells, after: Cells, y?: number[]): Promise<Task> {
  const columns = await columnsOf(after);
  return {
    before: await columnsOf(before),
    after: columns,
    rounding: columns.map(() => 0),
    rows: Int32Array.from([...splits.train, ...splits.test]),
    train: Int32Array.from(splits.train),
    all: rowNumbers(before.length),
    y: y && labelsOf(y),
  };
}
const dataOf = (name: string) => reference[name as 'X' | 'missing' | 'positive'] as Cells;
const stepsOf = (name: string) => (name.split(' ')[0] === 'pca' ? ['pca'] : name.split(', '));

/** Mean and SD of each column of `missing` over the training rows. */
const moments = dataOf('missing')[0].map((_, at) => {
  const known = splits.train.flatMap((row) => dataOf('missing')[row][at] ?? []);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return [mean, Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length)];
});

describe('screening', () => {
  it.each(cases.map((each) => [each.name, each] as const))('never rules out what was done: %s', async (name, each) => {
    for (const after of [each.train, each.all] as Cells[]) {
      const task = await taskOf(dataOf(each.data), after, each.labels ? reference[each.labels as 'y'] : undefined);
      const seen = after === each.train ? [] : stepsOf(name);
      expect(screening(task, 1e-6)({ name, steps: stepsOf(name) })).toContainEqual(seen);
    }
  });

  it('leaves the one version that could be', async () => {
    const [standardize, pca] = ['standardize', 'pca'].map((name) => cases.find((each) => each.name === name));
    for (const [each, steps] of [
      [standardize, ['standardize']],
      [pca, ['pca']],
    ] as const) {
      for (const [after, seen] of [
        [each?.train, []],
        [each?.all, steps],
      ]) {
        const task = await taskOf(dataOf('X'), after as Cells);
        expect(screening(task, 1e-6)({ name: '', steps })).toEqual([seen]);
      }
    }
  });

  it('keeps components of columns that were scaled before a constant was filled in', async () => {
    const X = dataOf('missing');
    const filled = X.map((row) =>
      row.map((value, at) => (value === null ? 0 : value - moments[at][0]) / moments[at][1]),
    );
    const made = filled.map((row) =>
      [1, 2].map((k) => row.reduce((sum, value, at) => sum + Math.cos(k * at) * value, 0)),
    );
    const means = [0, 1].map((at) => splits.train.reduce((sum, row) => sum + made[row][at], 0) / splits.train.length);
    const task = await taskOf(
      X,
      made.map((row) => row.map((value, at) => value - means[at])),
    );
    const steps = ['standardize', 'impute:constant', 'pca'];
    expect(screening(task, 1e-6)({ name: '', steps })).toEqual([[]]);
  });

  const bent = (X: Cells) => X.map((row) => row.map((value) => (value === null ? 0 : Math.exp(value / 50))));
  it.each([
    ['a curve', 'X', bent(dataOf('X'))],
    ['a curve after filling', 'missing', bent(dataOf('missing'))],
    ['a curve of some columns', 'X', bent(dataOf('X')).map((row) => row.slice(0, 3))],
    ['what is filled by none', 'missing', dataOf('missing').map((row) => row.map((value) => value ?? 1e4))],
  ])('rules every preparation out that leaves another trace: %s', async (_, data, after) => {
    const task = await taskOf(dataOf(data), after, reference.y);
    const chains = chainsFor(task);
    expect(chains.length).toBeGreaterThan(4);
    const possible = screening(task, 1e-6);
    expect(chains.filter((chain) => possible(chain).length > 0).map(({ name }) => name)).toEqual([]);
  });

  it('rules most out for the last column alone', async () => {
    const scaled = cases.find(({ name }) => name === 'standardize')?.all as number[][];
    const after = scaled.map((row) => [...row.slice(0, -1), (row.at(-1) as number) ** 3]);
    const task = await taskOf(dataOf('X'), after);
    expect(chainsFor(task).flatMap(screening(task, 1e-6))).toEqual([]);
  });
});
