/** Against `_GroupDecomposedSearchSpace` and `IntersectionSearchSpace` of Optuna 5.0.0: test/reference/tpe.py. */
import { describe, expect, it } from 'vitest';
import { categoricalDistribution, floatDistribution } from '../../../../src/runner/tuning/distribution.js';
import { isSingle, jointSpaces } from '../../../../src/runner/tuning/tpe/jointSpaces.js';
import { frozen } from '../../../helpers/tpe.js';
import reference from '../../../reference/tpe.json' with { type: 'json' };

const distributionOf = (name: string) =>
  name === 'single' ? floatDistribution(name, 1, 1) : floatDistribution(name, 0, 1);
const trialsOf = (names: readonly string[][]) =>
  names.map((each, number) =>
    frozen(number, { distributions: Object.fromEntries(each.map((name) => [name, distributionOf(name)])) }),
  );

describe('jointSpaces', () => {
  it.each(reference.spaces.map((each) => [JSON.stringify(each.trials), each] as const))(
    'has the groups of Optuna: %s',
    (_, { trials, groups, shared }) => {
      const namesOf = (all: boolean) => jointSpaces(trialsOf(trials), all).map((space) => Object.keys(space));
      expect(namesOf(true).sort()).toEqual(groups);
      expect(namesOf(false)).toEqual(shared.length > 0 ? [shared] : []);
    },
  );

  it('leaves out a name with two ranges', () => {
    const trials = [
      frozen(0, { distributions: { a: floatDistribution('a', 0, 1), b: floatDistribution('b', 0, 1) } }),
      frozen(1, { distributions: { a: floatDistribution('a', 0, 2), b: floatDistribution('b', 0, 1) } }),
    ];
    for (const all of [true, false]) expect(jointSpaces(trials, all).map(Object.keys)).toEqual([['b']]);
  });

  it('knows none without trials', () => {
    expect(jointSpaces([], true)).toEqual([]);
    expect(jointSpaces([], false)).toEqual([]);
  });
});

describe('isSingle', () => {
  it('is true of one value', () => {
    expect(isSingle(floatDistribution('a', 2, 2))).toBe(true);
    expect(isSingle(floatDistribution('a', 2, 3))).toBe(false);
    expect(isSingle(categoricalDistribution('a', ['x']))).toBe(true);
    expect(isSingle(categoricalDistribution('a', ['x', 'y']))).toBe(false);
  });
});
