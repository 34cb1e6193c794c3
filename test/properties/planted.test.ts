/**
 * Values that name people are planted in every kind of input of every entry that reads data. Whatever comes of it -
 * errors, warnings, summaries, reports, findings, what `console.log` shows - holds none of them.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  BalanceChecker,
  ClinicalMetrics,
  CVKitError,
  CVKitValidator,
  DataLeakageChecker,
  deriveSeed,
  evaluate,
  GroupKFold,
  KFold,
  KNNDM,
  mergeDuplicates,
  RegulatoryComplianceLogger,
  StratifiedKFold,
  scoreTable,
  TimeSeriesSplit,
  UniversalCVRunner,
} from '../../src/index.js';
import { blandAltman } from '../../src/stats/index.js';
import { JournalStorage } from '../../src/tuning/index.js';

const N = 60;
const rows = Array.from({ length: N }, (_, row) => row);
const draw = (name: string, row: number) => (deriveSeed(name, row) % 1e6) / 1e6;

/** A text and a number that occur nowhere else. */
const SECRET = /SECRET|7361[.]?52|0[.]736152/;
const TEXT = (row: number) => `SECRET-${row}`;
const NUMBER = 7361.52;

interface Data {
  X: unknown;
  y: unknown;
  groups: unknown;
  timestamps: unknown;
  sampleWeight: unknown;
  coordinates: unknown;
  hierarchy: unknown;
  predicted: (row: number) => unknown;
  probability: (row: number) => unknown;
}

const clean = (): Data => ({
  X: rows.map((row) => ({ age: draw('age', row), dose: row % 7, ward: row % 2 ? 'north' : 'south' })),
  y: rows.map((row) => row % 2),
  groups: rows.map((row) => `p${row % 20}`),
  timestamps: rows.map((row) => row),
  sampleWeight: rows.map(() => 1),
  coordinates: rows.map((row) => [draw('a', row), draw('b', row)]),
  hierarchy: { site: rows.map((row) => `s${row % 4}`) },
  predicted: (row) => row % 2,
  probability: (row) => draw('p', row),
});

type Plant = (data: Data) => Partial<Data>;
const at3 = (values: unknown, value: unknown) => (values as unknown[]).with(3, value);
const inRow3 = (data: Data, value: unknown) => at3(data.X, { ...(data.X as object[])[3], age: value });

/** Ids in the place of what is known, and values that are no such thing. */
const PLANTS: Readonly<Record<string, Plant>> = {
  'a text in a column of numbers': (data) => ({ X: inRow3(data, TEXT(3)) }),
  'a huge number in a column': (data) => ({ X: inRow3(data, NUMBER * 1e6) }),
  'a text of its own in each row': (data) => ({
    X: (data.X as object[]).map((row, at) => ({ ...row, note: TEXT(at) })),
  }),
  'a text for each patient': (data) => ({ X: (data.X as object[]).map((row, at) => ({ ...row, x: TEXT(at % 20) })) }),
  'a rare level': (data) => ({ X: (data.X as object[]).map((row, at) => ({ ...row, x: at < 2 ? TEXT(1) : 'none' })) }),
  'a name in many rows': (data) => ({
    X: (data.X as object[]).map((row, at) => ({ ...row, x: TEXT(Math.floor(at / 15)) })),
  }),
  'a list as a cell': (data) => ({ X: inRow3(data, [TEXT(3)]) }),
  'a text as a row': (data) => ({ X: at3(data.X, TEXT(3)) }),
  'text for X': () => ({ X: TEXT(1) }),
  'a short list for X': () => ({ X: [TEXT(1), TEXT(2)] }),
  'a text among labels': (data) => ({ y: at3(data.y, TEXT(3)) }),
  'a measurement among labels': (data) => ({ y: at3(data.y, NUMBER) }),
  'a text of its own for each label': () => ({ y: rows.map(TEXT) }),
  'patients as labels': () => ({ y: rows.map((row) => TEXT(row % 15)) }),
  'a list among labels': (data) => ({ y: at3(data.y, [TEXT(3)]) }),
  'text for labels': () => ({ y: TEXT(1) }),
  'text for groups': () => ({ groups: TEXT(1) }),
  'ids that are names': () => ({ groups: rows.map((row) => TEXT(row % 20)) }),
  'few ids': () => ({ groups: [TEXT(1), TEXT(2)] }),
  'an id that is a list': (data) => ({ groups: at3(data.groups, [TEXT(3)]) }),
  'a time that is none': (data) => ({ timestamps: at3(data.timestamps, TEXT(3)) }),
  'text for times': () => ({ timestamps: TEXT(3) }),
  'a weight that is a text': (data) => ({ sampleWeight: at3(data.sampleWeight, TEXT(3)) }),
  'a negative weight': (data) => ({ sampleWeight: at3(data.sampleWeight, -NUMBER) }),
  'a huge weight': (data) => ({ sampleWeight: at3(data.sampleWeight, NUMBER * 1e60) }),
  'a place of three numbers': (data) => ({ coordinates: at3(data.coordinates, [NUMBER, 1, 2]) }),
  'a place that is a text': (data) => ({ coordinates: at3(data.coordinates, TEXT(3)) }),
  'sites that are names': () => ({ hierarchy: { site: rows.map((row) => TEXT(row % 4)) } }),
  'text for a hierarchy': () => ({ hierarchy: TEXT(1) }),
  'a site that is a list': () => ({ hierarchy: { site: rows.map((row) => [TEXT(row)]) } }),
  'a predicted text': () => ({ predicted: (row) => (row === 3 ? TEXT(row) : 0) }),
  'a predicted number': () => ({ predicted: (row) => (row === 3 ? NUMBER : 0) }),
  'a predicted list': () => ({ predicted: (row) => (row === 3 ? [TEXT(row)] : 0) }),
  'a probability above 1': () => ({ probability: (row) => (row === 3 ? NUMBER : 0.5) }),
  'a probability that is a text': () => ({ probability: (row) => (row === 3 ? TEXT(3) : 0.5) }),
  'a probability that is a list': () => ({ probability: (row) => (row === 3 ? [TEXT(3), NUMBER] : 0.5) }),
  'a share for a label': () => ({ predicted: (row) => (row === 3 ? 0.736152 : 0) }),
};

/** A model that gives what is planted, whatever it is trained on. */
const modelOf = ({ predicted, probability }: Data) => ({
  fit: () => undefined,
  predict: (X: unknown[]) => X.map((_, at) => predicted(at)),
  predictProba: (X: unknown[]) => X.map((_, at) => probability(at)),
});
const cv = new KFold({ nSplits: 3, shuffle: true, randomState: 1 });
const bare = ({ predicted, probability, ...rest }: Data) => rest;
const lists = (data: Data) => ({ yPred: rows.map(data.predicted), yProba: rows.map(data.probability) });

const trained = (data: Data) => ({ model: () => modelOf(data), verbose: 0 });
const predictionPoints = [0.1, 0.9].map((each) => [each, each] as const);
const inSpace = new KNNDM({ nSplits: 3, randomState: 1, predictionPoints });

const ENTRIES: Readonly<Record<string, (data: never) => unknown>> = {
  'UniversalCVRunner.run': (data: Data) => {
    const { sampleWeight, ...rest } = bare(data);
    const runner = new UniversalCVRunner({ cvSplitter: cv, verbose: 0 });
    return runner.run({ model: () => modelOf(data), data: rest, sampleWeight } as never);
  },
  'CVKitValidator.validate': (data: Data) =>
    new CVKitValidator({ cv, ciMethod: 'corrected_t' }).validate({ ...bare(data), ...trained(data) } as never),
  'CVKitValidator.validate in space': (data: Data) =>
    new CVKitValidator({ cv: inSpace, ciMethod: 'corrected_t' }).validate({
      ...{ ...bare(data), ...trained(data), independentRows: true, groups: undefined },
    } as never),
  'a search with a trail and a journal': async (data: Data) => {
    const folder = mkdtempSync(join(tmpdir(), 'cvkit-'));
    try {
      const trail = new RegulatoryComplianceLogger({ path: join(folder, 'trail.jsonl') });
      const storage = new JournalStorage(join(folder, 'journal.log'));
      const made = await new UniversalCVRunner({ cvSplitter: cv, verbose: 0 })
        .runWithHyperparameterTuning({
          modelFn: () => modelOf(data),
          paramGrid: { depth: [1, 2] },
          data: [data.X, data.y, data.groups],
          scoring: 'accuracy',
          callbacks: [trail],
          storage,
        } as never)
        .catch((error: unknown) => error);
      await storage.close();
      const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
      expect(written).toHaveLength(made instanceof CVKitError && trail.entries.length === 0 ? written.length : 2);
      return { made, written };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  'CVKitValidator.fitValidate': (data: Data) =>
    new CVKitValidator({ ciMethod: 'wilson', metrics: ['accuracy'] }).fitValidate({
      model: () => modelOf(data),
      XTrain: clean().X,
      yTrain: clean().y,
      groups: clean().groups,
      XTest: data.X,
      yTest: data.y,
      testGroups: data.groups,
      sampleWeightTest: data.sampleWeight,
      sampleWeight: clean().sampleWeight,
      verbose: 0,
    } as never),
  evaluate: ({ y, groups, sampleWeight, hierarchy, ...data }: Data) => {
    const side = { groups, sampleWeight, hierarchy, fold: rows.map((row) => row % 3) };
    return evaluate({ yTrue: y, ...lists(data as Data), ...side } as never);
  },
  'DataLeakageChecker.check': ({ X, y, groups, timestamps, coordinates, hierarchy }: Data) =>
    new DataLeakageChecker().check(X as never, y as never, { groups, timestamps, coordinates, hierarchy, cv } as never),
  'DataLeakageChecker.check without patients': ({ X, y }: Data) =>
    new DataLeakageChecker().check(X as never, y as never, { cv }),
  'DataLeakageChecker.checkCvSplits': ({ X, y, groups, timestamps, hierarchy }: Data) =>
    new DataLeakageChecker().checkCvSplits(...([X, clean().X] as [never, never]), {
      ...{ yTrain: y, yTest: clean().y, patientIdsTrain: groups, patientIdsTest: groups },
      ...{ timestampsTrain: timestamps, timestampsTest: timestamps },
      ...{ hierarchyTrain: hierarchy, hierarchyTest: hierarchy },
    } as never),
  'DataLeakageChecker.checkFeatureTargetLeakage': ({ X, y }: Data) =>
    new DataLeakageChecker().checkFeatureTargetLeakage(X as never, y as never),
  'DataLeakageChecker.checkNearDuplicates': ({ X }: Data) =>
    new DataLeakageChecker().checkNearDuplicates(X as never, clean().X as never),
  'DataLeakageChecker.checkHierarchicalLeakage': ({ groups }: Data) =>
    new DataLeakageChecker().checkHierarchicalLeakage(groups as never, groups as never),
  'BalanceChecker.checkFeatureDistribution': ({ X }: Data) => new BalanceChecker().checkFeatureDistribution(X as never),
  'ClinicalMetrics.calculateAll': (data: Data) => {
    const { yPred, yProba } = lists(data);
    const { y, sampleWeight, groups } = data;
    return new ClinicalMetrics().calculateAll(y as never, yPred as never, { yProba, sampleWeight, groups } as never);
  },
  scoreTable: (data: Data) => scoreTable({ yTrue: data.y, ...lists(data), sampleWeight: data.sampleWeight } as never),
  blandAltman: (data: Data) => blandAltman(rows, rows.map(data.predicted) as never, { groups: data.groups } as never),
  mergeDuplicates: async ({ X, y, groups }: Data) =>
    (await mergeDuplicates(X as never, { y, groups } as never)).summary(),
  'GroupKFold.split': ({ X, y, groups }: Data) => [
    ...new GroupKFold().split(X as never, y as never, { groups } as never),
  ],
  'StratifiedKFold.split': ({ X, y }: Data) => [...new StratifiedKFold().split(X as never, y as never)],
  'TimeSeriesSplit.split': ({ X, y, timestamps }: Data) => [
    ...new TimeSeriesSplit().split(X as never, y as never, { timestamps } as never),
  ],
};

interface Printable {
  summary?(options?: object): string;
  toMarkdown?(): string;
  toHTML?(): Promise<string>;
  toJSON?(): Record<string, unknown>;
}

/** Everything that can be read of a result or an error without asking for a field of it. */
async function told(entry: (data: never) => unknown, data: Data): Promise<string> {
  let made: unknown;
  try {
    made = await entry(data as never);
  } catch (error) {
    return inspect(error, { depth: 8 });
  }
  const result = made as Printable;
  const texts = [inspect(made, { depth: 6 })];
  if (typeof result?.summary === 'function') texts.push(result.summary(), result.summary({ details: true }));
  if (typeof result?.toMarkdown === 'function') texts.push(result.toMarkdown());
  if (typeof result?.toHTML === 'function') texts.push(await result.toHTML());
  if (typeof result?.toJSON === 'function') {
    // The table of rows holds labels and predictions, which is what it is for; patients stand in it by pseudonyms.
    const { outOfFold, ...rest } = result.toJSON();
    const { groups } = (outOfFold ?? {}) as { groups?: unknown };
    texts.push(JSON.stringify({ ...rest, groups }));
  }
  return texts.join('\n');
}

describe.each(Object.keys(ENTRIES))('%s prints nothing of', (entry) => {
  // The largest value of each feature is what is asked for there.
  const plants = Object.keys(PLANTS).filter((plant) => !(/Distribution/.test(entry) && /huge number/.test(plant)));
  it.each(plants)('%s', async (plant) => {
    const data = clean();
    const text = await told(ENTRIES[entry], { ...data, ...PLANTS[plant](data) });
    const found = SECRET.exec(text);
    expect(found && text.slice(Math.max(0, found.index - 150), found.index + 60)).toBe(null);
  });
});
