import { describe, expect, it } from 'vitest';
import { HierarchicalGroupKFold } from '../../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { MultilevelCV } from '../../../src/splitters/grouped/multilevelCV.js';
import type { Folds } from '../../../src/splitters/splitter.js';

const picture = (folds: Folds) => [folds.warnings, ...Array.from(folds, ({ id, test }) => `${id}: ${test}`)];

/** 5 sites, 20 patients of whom one is seen at two sites, 40 visits. */
const rows = Array.from({ length: 60 }, (_, row) => row);
const hierarchy = {
  site: rows.map((row) => (row === 13 ? 's0' : `s${Math.floor(row / 12)}`)),
  patient: rows.map((row) => Math.floor(row / 3)),
  visit: rows.map((row) => Math.floor((row * 2) / 3)),
};

describe('MultilevelCV', () => {
  it('gives the folds of HierarchicalGroupKFold at its level, also in perLevel', () => {
    for (const hierarchyLevel of ['site', 'patient', 'visit']) {
      const expected = picture(
        new HierarchicalGroupKFold({ nSplits: 3, hierarchyLevel, randomState: 8 }).split(60, { hierarchy }),
      );
      const splitter = new MultilevelCV({ nSplits: 3, level: hierarchyLevel, randomState: 8 });
      // the owner in the warning is the one difference
      const named = JSON.stringify(picture(splitter.split(60, { hierarchy })));
      expect(JSON.parse(named.replace('MultilevelCV', 'HierarchicalGroupKFold'))).toEqual(expected);
      expect(splitter.getNSplits()).toBe(3);
      expect(picture(splitter.perLevel(hierarchy)[hierarchyLevel].split(60, { hierarchy }))).toEqual(expected);
    }
  });

  it('has one splitter per level, outermost first', () => {
    const splitters = new MultilevelCV({ nSplits: 4, level: 'patient', randomState: 5 }).perLevel(hierarchy);
    expect(Object.keys(splitters)).toEqual(['site', 'patient', 'visit']);
    for (const [hierarchyLevel, splitter] of Object.entries(splitters)) {
      expect(splitter.options).toMatchObject({ nSplits: 4, hierarchyLevel, randomState: 5 });
    }
  });
});
