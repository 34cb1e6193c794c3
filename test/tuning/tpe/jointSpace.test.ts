/** Against `IntersectionSearchSpace` of Optuna 5.0.0: test/reference/tpe.py. */
import { describe, expect, it } from 'vitest';
import { categoricalDistribution, floatDistribution } from '../../../src/tuning/distribution.js';
import { isSingle, jointSpace } from '../../../src/tuning/tpe/jointSpace.js';
import { frozen } from '../../helpers/tpe.js';
import reference from '../../reference/tpe.json' with { type: 'json' };

const distributionOf = (name: string) =>
  name === 'single' ? floatDistribution(name, 1, 1) : floatDistribution(name, 0, 1);
const trialsOf = (names: readonly string[][]) =>
  names.map((each, number) =>
    frozen(number, { distributions: Object.fromEntries(each.map((name) => [name, distributionOf(name)])) }),
  );

describe('jointSpace', () => {
  it.each(reference.spaces.map((each) => [JSON.stringify(each.trials), each] as const))(
    'has the parameters of Optuna: %s',
    (_, { trials, shared }) => expect(Object.keys(jointSpace(trialsOf(trials)))).toEqual(shared),
  );

  it('leaves out a name with two ranges', () => {
    const trials = [
      frozen(0, { distributions: { a: floatDistribution('a', 0, 1), b: floatDistribution('b', 0, 1) } }),
      frozen(1, { distributions: { a: floatDistribution('a', 0, 2), b: floatDistribution('b', 0, 1) } }),
    ];
    expect(Object.keys(jointSpace(trials))).toEqual(['b']);
  });

  it('knows none without trials', () => {
    expect(jointSpace([])).toEqual({});
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
