/** No outer test row, and no patient of one, has a part in what its search chooses. */
import { describe, expect, it } from 'vitest';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { HierarchicalGroupKFold } from '../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { NestedGroupedCV } from '../../src/splitters/grouped/nestedGroupedCV.js';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { MonteCarloCV } from '../../src/splitters/iid/monteCarloCV.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { ExpandingWindowCV } from '../../src/splitters/temporal/expandingWindowCV.js';
import { NestedTemporalCV } from '../../src/splitters/temporal/nestedTemporalCV.js';
import { PurgedKFoldCV } from '../../src/splitters/temporal/purgedKFoldCV.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import type { TuningOptions } from '../../src/tuning/tuningOptions.js';
import { rowSpy, type Seen } from '../helpers/rowSpy.js';

const N = 72;
const rows = Array.from({ length: N }, (_, row) => row);
const X = rows.map((row) => [row, Math.sin(row * 12.9898)]);
const y = rows.map((row) => Number(Math.sin(row * 7.13) > 0));
/** 24 patients of three rows that lie apart, six sites of four patients. */
const patients = rows.map((row) => row % 24);
const sites = patients.map((patient) => patient % 6);
const timestamps = rows.map((row) => (row * 29) % N);
const labelEndTimes = timestamps.map((time) => time + 3);

interface Design {
  readonly cv: Splitter;
  /** Side data. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly more?: Partial<TuningOptions>;
  /** What never has ids on both sides, also of inner folds. */
  readonly whole?: readonly number[];
  /** What no inner fold splits, though the outer folds do. */
  readonly wholeWithin?: readonly number[];
  readonly whenOf?: (row: number) => number;
  readonly endOf?: (row: number) => number;
  /** Every inner test row is later than every inner training row. */
  readonly ordered?: true;
  /** The inner folds, where they are not of the kind of the outer ones. */
  readonly inner?: RegExp;
}

const groups = patients;
const timed = { timestamps };
const whenOf = (row: number) => timestamps[row];
const endOf = (row: number) => labelEndTimes[row];
const expanding = new ExpandingWindowCV({ initialTrainSize: 40, forecastHorizon: 10, stepSize: 10 });
const hierarchy = { site: sites, patient: patients };
const DESIGNS: Readonly<Record<string, Design>> = {
  KFold: { cv: new KFold({ nSplits: 4 }) },
  'KFold of patients who repeat': { cv: new KFold({ nSplits: 4 }), data: { groups }, wholeWithin: patients },
  StratifiedKFold: { cv: new StratifiedKFold({ nSplits: 4 }), inner: /^StratifiedKFold\(\{ nSplits: 3/ },
  'RepeatedKFold, stratified': {
    cv: new RepeatedKFold({ nSplits: 3, nRepeats: 2, stratify: true, randomState: 3 }),
    inner: /nSplits: 3, nRepeats: 1/,
  },
  MonteCarloCV: { cv: new MonteCarloCV({ nIterations: 4, testSize: 0.25, randomState: 3 }) },
  BootstrapValidation: { cv: new BootstrapValidation({ nIterations: 4, randomState: 3 }), inner: /^StratifiedKFold/ },
  NestedCV: { cv: new NestedCV({ outerCv: new KFold({ nSplits: 4 }), innerCv: new KFold({ nSplits: 3 }) }) },
  GroupKFold: { cv: new GroupKFold({ nSplits: 4, randomState: 3 }), data: { groups }, whole: patients },
  StratifiedGroupKFold: {
    cv: new StratifiedGroupKFold({ nSplits: 4, randomState: 3 }),
    data: { groups },
    whole: patients,
  },
  LeaveOneGroupOut: {
    cv: new LeaveOneGroupOut(),
    data: { groups: sites },
    whole: sites,
    inner: /^StratifiedGroupKFold/,
  },
  NestedGroupedCV: {
    cv: new NestedGroupedCV({
      outerCv: new GroupKFold({ nSplits: 4, randomState: 3 }),
      innerCv: new GroupKFold({ nSplits: 3, randomState: 4 }),
    }),
    data: { groups },
    whole: patients,
  },
  'HierarchicalGroupKFold, patients': {
    cv: new HierarchicalGroupKFold({ nSplits: 4, randomState: 3 }),
    data: { hierarchy },
    whole: patients,
  },
  'HierarchicalGroupKFold, sites': {
    cv: new HierarchicalGroupKFold({ nSplits: 3, hierarchyLevel: 'site', randomState: 3 }),
    data: { hierarchy },
    more: { innerCv: 2 },
    whole: sites,
  },
  TimeSeriesSplit: { cv: new TimeSeriesSplit({ nSplits: 4 }), whenOf: (row) => row, ordered: true },
  'TimeSeriesSplit with timestamps': { cv: new TimeSeriesSplit({ nSplits: 4 }), data: timed, whenOf, ordered: true },
  ExpandingWindowCV: { cv: expanding, data: timed, whenOf, ordered: true },
  NestedTemporalCV: {
    cv: new NestedTemporalCV({ outerCv: expanding, innerCv: new TimeSeriesSplit({ nSplits: 3 }) }),
    data: timed,
    whenOf,
    ordered: true,
  },
  PurgedKFoldCV: { cv: new PurgedKFoldCV({ nSplits: 4 }), data: { timestamps, labelEndTimes }, whenOf, endOf },
};

const searchOf = (fold: string) => /^(.+)_trial-\d+/.exec(fold)?.[1];

async function tuneWith({ cv, data, more }: Design) {
  const { make, seen, used } = rowSpy();
  const tuned = await new UniversalCVRunner({ cvSplitter: cv, verbose: 0 }).runWithHyperparameterTuning({
    modelFn: make,
    paramGrid: { slope: [-2, -1, 0.5, 1, 2] },
    data: { X, y, ...data },
    ...more,
  });
  return { tuned, seen, used: used() };
}

/** Rows that are predicted and not trained on: models are held against labels on training rows, too. */
const heldOut = ({ fitted, predicted }: Seen) => {
  const trained = new Set(fitted);
  return [...new Set(predicted)].filter((row) => !trained.has(row));
};
const shared = (a: readonly number[], b: readonly number[]) => {
  const known = new Set(a);
  return [...new Set(b)].filter((each) => known.has(each));
};

const sharedIds = (ids: readonly number[], ...sides: [readonly number[], readonly number[]]) => {
  const [a, b] = sides.map((side) => side.map((row) => ids[row]));
  return shared(a, b);
};

describe.each(Object.entries(DESIGNS))('a search within folds of %s', (_, design) => {
  const { cv, data = {}, whole, wholeWithin = whole, whenOf, endOf, ordered, inner } = design;
  it('sees training rows of its outer fold alone, and is held to what the outer folds keep', async () => {
    const { tuned, used } = await tuneWith(design);
    const outer = [...foldsOf(cv, N, y, data as never)];
    expect(tuned.perFoldParams.map(({ fold }) => fold)).toEqual(outer.map(({ id }) => id));
    if (inner) expect(tuned.search.innerFolds).toMatch(inner);
    const searches = new Set([...outer.map(({ id }) => id), 'all-rows']);
    for (const { id, train, test } of outer) {
      const within = used.filter(({ fold }) => searchOf(fold) === id);
      expect(within.length).toBeGreaterThanOrEqual(5 * 2);
      for (const each of within) {
        const touched = [...each.fitted, ...each.predicted];
        expect(shared(touched, [...test])).toEqual([]);
        expect(shared(touched, [...train])).toHaveLength(new Set(touched).size);
        if (whole) expect(sharedIds(whole, touched, [...test])).toEqual([]);
      }
      // The model that is tested has the chosen parameters.
      const chosen = tuned.perFoldParams.find(({ fold }) => fold === id)?.params;
      const last = used.filter(({ fold, params }) => fold === id && params.slope === chosen?.slope);
      expect(last.map(({ fitted }) => [...fitted].sort((a, b) => a - b))).toEqual([[...train]]);
      expect(heldOut(last[0]).sort((a, b) => a - b)).toEqual([...test]);
    }
    for (const each of used) {
      const search = searchOf(each.fold);
      if (search === undefined) continue;
      expect(searches.has(search)).toBe(true);
      const test = heldOut(each);
      expect(test.length).toBeGreaterThan(0);
      if (wholeWithin) expect(sharedIds(wholeWithin, each.fitted, test)).toEqual([]);
      if (ordered && whenOf) expect(Math.max(...each.fitted.map(whenOf))).toBeLessThan(Math.min(...test.map(whenOf)));
      if (endOf && whenOf) {
        const meets = (a: number, b: number) => whenOf(a) <= endOf(b) && whenOf(b) <= endOf(a);
        expect(each.fitted.filter((row) => test.some((other) => meets(row, other)))).toEqual([]);
      }
    }
  });
});
