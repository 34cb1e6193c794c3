import { describe, expect, it } from 'vitest';
import { splitterRegistry } from '../../src/splitters/registry.js';

import {
  type DesignFacts,
  defaultMethod,
  designsFor,
  designTable,
  PROTECTED,
} from '../../src/validator/designTable.js';
import { methodName, methodNames } from '../../src/validator/methods.js';

const PLAIN: DesignFacts = {
  task: 'binary',
  masks: false,
  repeated: false,
  ordered: false,
  labelEnds: false,
  site: null,
  separated: false,
  small: false,
};
const chosen = (facts: Partial<DesignFacts>) => designsFor({ ...PLAIN, ...facts })[0].splitter;

const either = [false, true];
const EVERY: DesignFacts[] = (['binary', 'multiclass', 'multilabel', 'regression'] as const).flatMap((task) =>
  either.flatMap((masks) =>
    masks && task !== 'multilabel'
      ? []
      : either.flatMap((repeated) =>
          either.flatMap((ordered) =>
            either.flatMap((labelEnds) =>
              [null, 'site'].flatMap((site) =>
                either.flatMap((separated) =>
                  either.map((small) => ({ task, masks, repeated, ordered, labelEnds, site, separated, small })),
                ),
              ),
            ),
          ),
        ),
  ),
);

describe('designTable', () => {
  // One case for each row, in its order: the condition as the table says it, and what decides.
  const rows: [facts: Partial<DesignFacts>, splitter: string][] = [
    [{ ordered: true, repeated: true }, 'PurgedGroupTimeSeriesSplit'],
    [{ ordered: true, labelEnds: true }, 'PurgedGroupTimeSeriesSplit'],
    [{ ordered: true }, 'TimeSeriesSplit'],
    [{ site: 'site', repeated: true }, 'HierarchicalGroupKFold'],
    [{ separated: true, repeated: true }, 'SpatialBlockCV'],
    [{ task: 'multilabel', repeated: true }, 'MultilabelStratifiedGroupKFold'],
    [{ task: 'multilabel' }, 'MultilabelStratifiedKFold'],
    [{ repeated: true }, 'StratifiedGroupKFold'],
    [{ task: 'regression', repeated: true }, 'GroupKFold'],
    [{ small: true }, 'RepeatedKFold'],
    [{}, 'StratifiedKFold'],
    [{ task: 'regression', small: true }, 'RepeatedKFold'],
    [{ task: 'regression' }, 'KFold'],
  ];

  it.each(rows.map(([facts, splitter], at) => [designTable[at].when, facts, splitter, at] as const))(
    '%s',
    (_when, facts, splitter, at) => {
      expect(designsFor({ ...PLAIN, ...facts })[0]).toBe(designTable[at]);
      expect(designTable[at].splitter).toBe(splitter);
    },
  );

  it('has a case above for each row', () => {
    expect(rows).toHaveLength(designTable.length);
  });

  it('is right in what is less plain', () => {
    expect(chosen({ ordered: true, labelEnds: true })).toBe('PurgedGroupTimeSeriesSplit');
    expect(chosen({ ordered: true, site: 'site', separated: true })).toBe('TimeSeriesSplit');
    expect(chosen({ task: 'multilabel', masks: true })).toBe('KFold');
    expect(chosen({ task: 'multilabel', masks: true, repeated: true })).toBe('GroupKFold');
    expect(chosen({ repeated: true, small: true })).toBe('StratifiedGroupKFold');
    expect(chosen({ labelEnds: true })).toBe('StratifiedKFold');
  });

  it('has an answer to every case, and none that tears patients who repeat', () => {
    for (const facts of EVERY) {
      const found = designsFor(facts);
      expect(found.length).toBeGreaterThan(0);
      if (facts.repeated) expect(found.every(({ keeps }) => keeps.includes('patients'))).toBe(true);
    }
  });

  it('names splitters of its category, and options that they have', () => {
    for (const { splitter, category, options, keeps } of designTable) {
      const entry = splitterRegistry.get(splitter);
      expect(entry.family).toBe(category);
      expect(methodNames()).toContain(methodName(splitter));
      for (const name of Object.keys(options?.({ ...PLAIN, repeated: true, site: 'site' }) ?? {}))
        expect(entry.options.canonical(name)).toBe(name);
      expect(keeps.every((kept) => PROTECTED.includes(kept))).toBe(true);
    }
  });

  it('is what the validator does by itself where nothing but labels and patients is known', () => {
    for (const facts of EVERY) {
      const { ordered, site, separated, small, task, repeated, masks } = facts;
      if (ordered || site !== null || separated || small) continue;
      const [row] = designsFor(facts);
      expect(defaultMethod(task, repeated, masks)).toEqual({ method: methodName(row.splitter), why: row.why(facts) });
    }
  });
});
