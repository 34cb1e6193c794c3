import { describe, expect, it } from 'vitest';
import { screenTargets } from '../../../src/checkers/CVL009-feature-target/targets.js';
import { labelsOf } from '../../../src/data/labels.js';

describe('targetsOf', () => {
  it('tells each of several classes from the rest, with the share of the rarer side', () => {
    const targets = screenTargets(labelsOf(['a', 'b', 'c', 'c', 'c']));
    expect(targets.map(({ name, values, share }) => [name, [...values], share])).toEqual([
      ['a', [1, 0, 0, 0, 0], 1 / 5],
      ['b', [0, 1, 0, 0, 0], 1 / 5],
      ['c', [0, 0, 1, 1, 1], 1 - 3 / 5],
    ]);
  });

  it('holds the rows of each class alone: the numbers of all rows of thousands of classes are not in memory at once', () => {
    const targets = screenTargets(labelsOf(['a', 'b', 'c']));
    expect(targets[0].values).not.toBe(targets[0].values);
    expect(targets.map(({ rows }) => [...rows])).toEqual([[0], [1], [2]]);
  });

  it('takes two classes as one target, and leaves out what does not vary', () => {
    expect(screenTargets(labelsOf([0, 1, 1])).map(({ name, values }) => [name, [...values]])).toEqual([
      ['', [0, 1, 1]],
    ]);
    const labels = labelsOf(
      [
        [0, 1, 1],
        [1, 1, 0],
      ],
      { task: 'multilabel' },
    );
    expect(screenTargets(labels).map(({ name, values }) => [name, [...values]])).toEqual([
      ['0', [0, 1]],
      ['2', [1, 0]],
    ]);
    expect(screenTargets(labelsOf([1.5, 1.5], { task: 'regression' }))).toEqual([]);
    expect(screenTargets(labelsOf([1.5, 2.5], { task: 'regression' }))).toMatchObject([{ classes: false }]);
  });
});
