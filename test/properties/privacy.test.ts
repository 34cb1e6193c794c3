/** Ids of patients, cells and labels stay out of messages. */
import { expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import {
  CVKitError,
  DataLeakageChecker,
  deriveSeed,
  foldsFromJSON,
  foldsOf,
  foldsToJSON,
  GroupKFold,
  HierarchicalGroupKFold,
  KFold,
  StratifiedKFold,
  UniversalCVRunner,
} from '../../src/index.js';
import { subgroupTable } from '../../src/stats/index.js';

/** Names of people, dates of birth, places and results of measurements: none of this may be read in a message. */
const N = 40;
const ids = Array.from({ length: N }, (_, row) => `Doe-${deriveSeed('name', row % 20)}-Jane`);
const SECRETS = [/Doe-\d/, /1954/, /52\.51/, /61\.37/, /Bertha/];
const y = ids.map((_, row) => row % 2);
const X = ids.map((_, row) => [row, row % 3]);
const each = <T>(values: readonly T[], row: number, value: unknown) => values.with(row, value as T) as never;
const torn = {
  claims: { disjointGroups: true },
  split: () => new KFold({ nSplits: 2, shuffle: true, randomState: 1 }).split(N),
};
const crossing = { site: ids.map((_, row) => `Bertha ${row % 3}`), patient: ids };
const run = (data: object) => () =>
  new UniversalCVRunner({ cvSplitter: new KFold(), verbose: 0 }).run({
    model: () => ({ fit: (rows: unknown) => rows, predict: (rows: unknown[]) => rows.map(() => 0) }),
    data: { X, y, ...data },
  } as never);

const CALLS: Readonly<Record<string, () => unknown>> = {
  'groups on both sides': () => foldsOf(torn as never, N, y, { groups: ids }),
  'ids of several sites': () =>
    foldsOf(new HierarchicalGroupKFold({ hierarchyLevel: 'site', onCrossing: 'error', nSplits: 2 }), N, y, {
      hierarchy: crossing,
    }),
  'too few units': () =>
    foldsOf(new HierarchicalGroupKFold({ hierarchyLevel: 'site', nSplits: 3 }), N, y, { hierarchy: crossing }),
  'cases on both sides': () => foldsToJSON(torn.split(), { format: 'nnunet', ids }),
  'cases that are not there': () => foldsFromJSON([{ train: [ids[0]], val: ['Doe-7-Jane'] }], { ids }),
  'an object as an id': () => foldsOf(new GroupKFold(), N, y, { groups: each(ids, 3, ['Doe-1-Jane']) }),
  'a time that is none': () => foldsOf(new KFold(), N, y, { timestamps: each(y, 3, '1954-02-30') }),
  'a place that is none': () => foldsOf(new KFold(), N, y, { coordinates: each(X, 3, [52.51, 13.38, 0]) }),
  'text in X': () => rowsOf(each(X, 3, ['Doe-1-Jane', 1])).toDense(),
  'text in records': () => rowsOf(ids.map((id) => ({ id }))).toDense(),
  'text among numbers of y': run({ y: each(y, 3, 'Doe-1-Jane') }),
  'an object as a label': run({ y: each(y, 3, ['61.37']) }),
  'a label of many texts': () =>
    new StratifiedKFold().split(
      X,
      ids.map((id, row) => `${id} ${row}`),
    ),
  'text for a regression': run({ y: ids, task: 'regression' }),
  'many texts for two classes': run({ y: ids, task: 'binary' }),
  'ids as y of an estimator': run({
    y: ids,
    ...{ data: [X, ids.map((id, row) => `${id} ${row % 40}`)], metrics: ['accuracy'] },
    task: 'multiclass',
  }),
  'no positive label among many': run({ y: ids, positiveLabel: 'Bertha' }),
  'a measurement for a mask': run({ y: each(X, 3, [61.37, 0]) }),
  'a level that is missing': () => new DataLeakageChecker().checkHierarchicalLeakage(ids, each(ids, 3, ['Doe-1-Jane'])),
  'a subgroup of an object': () => subgroupTable({} as never, { by: { id: ids } } as never),
};

it.each(Object.keys(CALLS))('%s: the message tells kind and place', async (name) => {
  const error = await Promise.resolve()
    .then(CALLS[name])
    .then(
      () => undefined,
      (thrown) => thrown,
    );
  expect(error).toBeInstanceOf(CVKitError);
  for (let each = error; each instanceof Error; each = each.cause as Error) {
    for (const secret of SECRETS) expect(each.message).not.toMatch(secret);
  }
});
