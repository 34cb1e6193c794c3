import { describe, expect, it } from 'vitest';
import { casesOf, ourFolds, reference } from './sklearn.js';

/**
 * Designs that are to equal scikit-learn (the bootstrap: numpy), and how many of their shapes draw.
 */
const SAME: Readonly<Record<string, number>> = {
  KFold: 6,
  StratifiedKFold: 6,
  'StratifiedKFold with bins': 4,
  HoldOut: 6,
  'HoldOut with stratify': 6,
  MonteCarloCV: 6,
  'MonteCarloCV with stratify': 6,
  RepeatedKFold: 6,
  'RepeatedKFold with stratify': 6,
  BootstrapValidation: 6,
  'BootstrapValidation with groups': 6,
  GroupKFold: 0,
  TimeSeriesSplit: 0,
  LeaveOneGroupOut: 0,
  LeavePGroupsOut: 0,
  LOOCV: 0,
  LPOCV: 0,
};

describe('test/reference/splitters.json', () => {
  it('is from scikit-learn 1.9.1 or later', () => {
    const [major, minor, patch] = reference.versions['scikit-learn'].split('.').map(Number);
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(1_009_001);
  });

  it.each(Object.entries(SAME))('has 6 shapes of %s or more, 50 seeds for each that draws', (design, drawing) => {
    const [splitter, variant] = design.split(' with ');
    const cases = casesOf(splitter)
      .map(([, each]) => each)
      .filter(({ options, groups }) => {
        const given = { ...options, ...(drawing > 0 && groups ? { groups } : {}) };
        return ['bins', 'stratify', 'groups'].every((name) => name in given === (name === variant));
      });
    const seeded = cases.filter((each) => each.seeded);
    expect(cases.length).toBeGreaterThanOrEqual(6);
    expect(seeded.length).toBeGreaterThanOrEqual(drawing);
    expect(new Set(cases.map(({ n, options, groups }) => JSON.stringify([n, options, groups]))).size).toBe(
      cases.length,
    );
    for (const { folds } of seeded) expect(folds.length).toBe(50);
    expect(new Set(reference.seeds).size).toBe(50);
  });
});

describe.each([...new Set(reference.cases.map(({ splitter }) => splitter))])('%s equals the reference', (splitter) => {
  it.each(casesOf(splitter))('%s', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });
});
