import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { unitsOf } from '../../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { thrownBy } from '../../conformance/suite.js';
import { type Hierarchy, hierarchies, unitsByClosure } from './hierarchies.js';

const asked = (level: string, nSplits = 1) => ({ owner: 'a test', level, onCrossing: 'merge', nSplits }) as const;
const units = (hierarchy: Hierarchy, level: string) => {
  const { codes, count } = unitsOf({ hierarchy }, hierarchy.site.length, asked(level));
  return { codes: [...codes], count };
};

describe('unitsOf', () => {
  it('joins ids that share an inner id, directly or through others', () => {
    // patient 7 is at sites 1 and 2, patient 8 at 2 and 3: one unit; site 4 is alone
    const hierarchy = { site: [1, 2, 2, 3, 4, 4], patient: [7, 7, 8, 8, 9, 10] };
    expect(units(hierarchy, 'site')).toEqual({ codes: [0, 0, 0, 0, 1, 1], count: 2 });
    expect(units(hierarchy, 'patient')).toEqual({ codes: [0, 0, 1, 1, 2, 3], count: 4 });
  });

  it('joins over several levels, whatever the order of the rows', () => {
    // patient 2 joins sites a and c; image 'x' joins sites b and c
    const site = ['c', 'a', 'b', 'c', 'd'];
    const patient = [2, 2, 3, 4, 5];
    const image = ['u', 'v', 'x', 'x', 'w'];
    expect(units({ site, patient, image }, 'site')).toEqual({ codes: [0, 0, 0, 0, 1], count: 2 });
    expect(units({ site, patient, image }, 'patient')).toEqual({ codes: [0, 0, 1, 1, 2], count: 3 });
  });

  it('equals the closure by brute force at every level', () => {
    let joined = 0;
    fc.assert(
      fc.property(hierarchies, (hierarchy) => {
        for (const level of Object.keys(hierarchy)) {
          const expected = unitsByClosure(hierarchy, level);
          expect(units(hierarchy, level)).toEqual(expected);
          if (expected.count < new Set(hierarchy[level]).size) joined++;
        }
      }),
      { numRuns: 300 },
    );
    // the data do put the joining to the test
    expect(joined).toBeGreaterThan(100);
  });

  it('refuses more folds than units with the count of the closure', async () => {
    await fc.assert(
      fc.asyncProperty(hierarchies, async (hierarchy) => {
        const n = hierarchy.site.length;
        const { count } = unitsByClosure(hierarchy, 'site');
        unitsOf({ hierarchy }, n, asked('site', count));
        const error = await thrownBy(() => unitsOf({ hierarchy }, n, asked('site', count + 1)));
        expect(error).toBeInstanceOf(InfeasibleSplitError);
        expect((error as Error).message).toMatch(new RegExp(`(, |Got )${count}\\b`));
      }),
    );
  });
});
