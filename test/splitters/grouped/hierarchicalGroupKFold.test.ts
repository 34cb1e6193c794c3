import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permutation, randomSource } from '../../../src/core/random.js';
import { takeSideData } from '../../../src/data/sideData.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { HierarchicalGroupKFold } from '../../../src/splitters/grouped/hierarchicalGroupKFold.js';
import type { Fold } from '../../../src/splitters/splitter.js';
import { hierarchies, unitsByClosure } from './hierarchies.js';

const tests = (folds: Iterable<Fold>) => Array.from(folds, ({ test }) => [...test]);

/** True when an id of the level has rows on both sides. */
function torn({ train, test }: Fold, ids: ArrayLike<unknown>): boolean {
  const tested = new Set(Array.from(test, (row) => ids[row]));
  return Array.from(train).some((row) => tested.has(ids[row]));
}

/** 4 sites, 3 patients each, 2 visits each, 2 images each. */
const rows = Array.from({ length: 48 }, (_, row) => row);
const clean = {
  site: rows.map((row) => `site ${Math.floor(row / 12)}`),
  patient: rows.map((row) => Math.floor(row / 4)),
  visit: rows.map((row) => `${Math.floor(row / 4)}-${Math.floor(row / 2) % 2}`),
  image: rows,
};

describe('HierarchicalGroupKFold', () => {
  it('keeps the level and everything below it whole, on any hierarchy with crossings', () => {
    let splits = 0;
    fc.assert(
      fc.property(hierarchies, fc.integer({ min: 2, max: 4 }), fc.nat(), (hierarchy, nSplits, randomState) => {
        const levels = Object.keys(hierarchy);
        for (const [at, hierarchyLevel] of levels.entries()) {
          const { codes, count } = unitsByClosure(hierarchy, hierarchyLevel);
          if (count < nSplits) continue;
          splits++;
          const splitter = new HierarchicalGroupKFold({ nSplits, hierarchyLevel, randomState });
          const plan = foldsOf(splitter, codes.length, null, { hierarchy });
          for (const fold of plan) {
            for (const level of levels.slice(at)) expect(torn(fold, hierarchy[level])).toBe(false);
          }
          // balanced as GroupKFold balances the units
          const groupKFold = new GroupKFold({ nSplits, randomState });
          expect(tests(plan)).toEqual(tests(groupKFold.split(codes.length, { groups: codes })));
          expect(plan.warnings).toHaveLength(count < new Set(hierarchy[hierarchyLevel]).size ? 1 : 0);
        }
      }),
      { numRuns: 80 },
    );
    expect(splits).toBeGreaterThan(80);
  });

  it('moves with the rows: their order does not matter', () => {
    fc.assert(
      fc.property(hierarchies, fc.nat(), (hierarchy, randomState) => {
        const n = hierarchy.site.length;
        fc.pre(unitsByClosure(hierarchy, 'site').count >= 2);
        const splitter = new HierarchicalGroupKFold({ nSplits: 2, hierarchyLevel: 'site', randomState });
        const order = permutation(randomSource(randomState), n);
        const moved = splitter.split(n, null, takeSideData({ hierarchy }, order));
        const back = Array.from(moved, ({ test }) => [...test.map((row) => order[row]).sort()]);
        expect(back).toEqual(tests(splitter.split(n, { hierarchy })));
      }),
    );
  });

  it('splits clean data at each level as GroupKFold on its ids; levels above may be on both sides', () => {
    for (const hierarchyLevel of ['site', 'patient', 'visit', 'image'] as const) {
      const options = { nSplits: 4, randomState: 3 };
      const folds = new HierarchicalGroupKFold({ ...options, hierarchyLevel }).split(48, { hierarchy: clean });
      expect(folds.warnings).toEqual([]);
      expect(tests(folds)).toEqual(tests(new GroupKFold(options).split(48, { groups: clean[hierarchyLevel] })));
    }
    const byPatient = [...new HierarchicalGroupKFold({ randomState: 3 }).split(48, { hierarchy: clean })];
    expect(byPatient.some((fold) => torn(fold, clean.site))).toBe(true);
  });

  it('joins sites that share a patient, and says so without naming the patient', () => {
    const patient = clean.patient.with(0, 11);
    const options = { nSplits: 3, hierarchyLevel: 'site', randomState: 0 };
    const folds = new HierarchicalGroupKFold(options).split(48, { hierarchy: { ...clean, patient } });
    expect(folds.warnings).toEqual([expect.stringMatching(/4 site ids to 3 units .*: 1 patient id /)]);
    for (const { test } of folds) expect(test.includes(0)).toBe(test.includes(47));
  });

  it('takes groups alone as the level, and groups beside a hierarchy as one more inner level', () => {
    const options = { nSplits: 3, hierarchyLevel: 'site', randomState: 1 };
    const groups = clean.patient;
    const alone = new HierarchicalGroupKFold(options).split(48, { groups });
    expect(tests(alone)).toEqual(tests(new GroupKFold({ nSplits: 3, randomState: 1 }).split(48, { groups })));
    const { visit, image } = clean;
    const byVisit = new HierarchicalGroupKFold({ ...options, hierarchyLevel: 'visit' });
    const plan = foldsOf(byVisit, 48, null, { groups, hierarchy: { visit, image } });
    expect(plan.warnings).toEqual([expect.stringMatching(/24 visit ids to 12 units .*: 12 group ids /)]);
    for (const fold of plan) expect(torn(fold, groups)).toBe(false);
  });

  it('draws nothing without shuffle', () => {
    const options = { hierarchyLevel: 'site', nSplits: 2, shuffle: false };
    const folds = new HierarchicalGroupKFold(options).split(48, { hierarchy: clean });
    expect(tests(folds)).toEqual(
      tests(new GroupKFold({ nSplits: 2, shuffle: false }).split(48, { groups: clean.site })),
    );
  });
});
