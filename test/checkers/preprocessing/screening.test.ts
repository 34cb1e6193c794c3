import { describe, expect, it } from 'vitest';
import { readFeatures } from '../../../src/checkers/features.js';
import { chainsFor } from '../../../src/checkers/preprocessing/chains.js';
import { screening } from '../../../src/checkers/preprocessing/screening.js';
import type { Task } from '../../../src/checkers/preprocessing/versions.js';
import { labelsOf, rowNumbers } from '../../../src/core/labels.js';
import { rowsOf } from '../../../src/core/rows.js';
import reference from '../../reference/preprocessing.json' with { type: 'json' };

type Cells = (number | null)[][];
const { splits, cases } = reference;
const columnsOf = async (X: Cells) => (await readFeatures(rowsOf(X))).columns;

async function taskOf(before: Cells, after: Cells, y?: number[]): Promise<Task> {
  return {
    before: await columnsOf(before),
    after: await columnsOf(after),
    rows: Int32Array.from([...splits.train, ...splits.test]),
    train: Int32Array.from(splits.train),
    all: rowNumbers(before.length),
    y: y && labelsOf(y),
  };
}
const dataOf = (name: string) => reference[name as 'X' | 'missing' | 'positive'] as Cells;
const stepsOf = (name: string) => (name.split(' ')[0] === 'pca' ? ['pca'] : name.split(', '));

describe('screening', () => {
  it.each(cases.map((each) => [each.name, each] as const))('never rules out what was done: %s', async (name, each) => {
    for (const after of [each.train, each.all] as Cells[]) {
      const task = await taskOf(dataOf(each.data), after, each.labels ? reference[each.labels as 'y'] : undefined);
      expect(screening(task, 1e-6)({ name, steps: stepsOf(name) })).toBe(true);
    }
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
    const couldBe = screening(task, 1e-6);
    expect(chains.filter(couldBe).map(({ name }) => name)).toEqual([]);
  });

  it('rules most out for the last column alone', async () => {
    const scaled = cases.find(({ name }) => name === 'standardize')?.all as number[][];
    const after = scaled.map((row) => [...row.slice(0, -1), (row.at(-1) as number) ** 3]);
    const task = await taskOf(dataOf('X'), after);
    expect(chainsFor(task).filter(screening(task, 1e-6))).toEqual([]);
  });
});
