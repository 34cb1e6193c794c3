/** Names, labels, ids and messages that try to look like something else, through every output. */
import { describe, expect, it, vi } from 'vitest';
import { terminal } from '#io';
import {
  BalanceChecker,
  CVKitError,
  CVKitValidator,
  DataLeakageChecker,
  foldsFromJSON,
  KFold,
  mergeDuplicates,
  ProgressLogger,
  UniversalCVRunner,
} from '../../src/index.js';
import {
  plotComparison,
  plotConfusion,
  plotForest,
  plotHistory,
  plotImportance,
  plotLearningCurve,
  plotPrecisionRecall,
  plotRoc,
  plotSplits,
} from '../../src/plot/index.js';
import { acrossSites, bbcCV, classReport, compareModels, learningCurve, subgroupTable } from '../../src/stats/index.js';
import { forgedLines, HOSTILE, hostileRecord, unsafeLines, unsafeMarkdown, unsafeMarkup } from '../helpers/hostile.js';
import { blobs, spyAdapter } from '../helpers/nearestMean.js';

const NAMES = Object.values(HOSTILE);
const N = 80;
const { X: points, y: codes } = blobs(N);
const [NEGATIVE, POSITIVE] = [HOSTILE.lines, HOSTILE.html];
const y = codes.map((code) => (code ? POSITIVE : NEGATIVE));
/** Numbers, copies of y, constants, ids and text: every check that looks at columns has something to say. */
const X = points.map((point, row) =>
  hostileRecord(
    (at) =>
      [
        point[0],
        codes[row],
        row + 1000,
        7,
        NAMES[row % 3],
        codes[row] + point[1] / 50,
        Math.floor(row / 2),
        point[1] > 3 ? null : point[1],
      ][at],
  ),
);
const groups = codes.map((_, row) => `${NAMES[Math.floor(row / 4) % NAMES.length]} ${Math.floor(row / 4)}`);
const hierarchy = { [HOSTILE.lines]: codes.map((_, row) => `${HOSTILE.html}${row % 4}`) };

class Majority {
  fit() {
    return this;
  }
  predict(rows: unknown[]) {
    return rows.map((_, at) => (at % 3 ? NEGATIVE : POSITIVE));
  }
}

/** Fails in the first fold. */
const failing = ({ fold }: { readonly fold: string }) =>
  Object.assign(new Majority(), {
    fit() {
      if (fold === 'fold-0') throw new Error(NAMES.join(' '));
    },
  });

const scoring = hostileRecord(() => 'accuracy');
const run = { X, y, patientIds: groups, positiveLabel: POSITIVE, verbose: 0 as const };

describe('a validation of hostile data', () => {
  const results = [
    ['that ends', { model: () => new Majority(), scoring }],
    [
      'with a foreign metric, adapter and engine',
      {
        model: () => new Majority(),
        scoring: hostileRecord(() => () => 0.5),
        adapter: {
          ...spyAdapter().adapter,
          name: HOSTILE.lines,
          capabilities: { trains: true, epochs: false, probabilities: false, saves: false },
          matches: () => true,
          open: async () => ({
            info: hostileRecord(() => HOSTILE.terminal),
            warnings: NAMES,
            close: async () => undefined,
          }),
          fit: async () => ({ epochs: [] }),
          predict: async (_model: unknown, rows: { length: number }) => ({
            values: Array.from({ length: rows.length }, () => NEGATIVE),
          }),
        },
      },
    ],
    ['whose folds fail', { model: failing, metrics: ['accuracy'], onFoldError: 'record' }],
  ] as const;

  it.each(results)('%s: nothing is forged in text, Markdown, HTML or progress', async (_, options) => {
    const shown: string[] = [];
    const write = vi.spyOn(terminal, 'write').mockImplementation((text) => void shown.push(text));
    const result = await new CVKitValidator({ method: 'kfold', nSplits: 4, nBootstrap: 100 })
      .validate({ ...run, ...(options as object), hierarchy, callbacks: [new ProgressLogger()] } as never)
      .finally(() => write.mockRestore());
    expect(unsafeLines(shown.join(''))).toEqual([]);
    expect(unsafeLines(result.summary())).toEqual([]);
    const own = result.checks.map(({ code, type, status }) => `${code} ${type}: ${status.replaceAll('_', ' ')}`);
    expect(forgedLines(result.summary(), own)).toEqual([]);
    expect(forgedLines(result.summary({ details: true }), own)).toEqual([]);
    expect(unsafeLines(result.leakageReport?.summary() ?? '')).toEqual([]);
    expect(unsafeMarkdown(result.toMarkdown())).toEqual([]);
    expect(unsafeMarkup(await result.toHTML())).toEqual([]);
    for (const { message, fix } of result.checks) expect(unsafeLines(message + fix)).toEqual([]);
    // What is read by programs keeps the names as they are.
    expect(Object.keys(result.toJSON().scores as object)).toContain(Object.keys(result.scores)[0]);
  });
});

it('summaries of checks and of data', async () => {
  const checker = new DataLeakageChecker({ verbose: false } as never);
  const report = await checker.check(X, y as never, { groups, hierarchy, cv: new KFold({ nSplits: 4 }) } as never);
  expect(unsafeLines(report.summary())).toEqual([]);
  const balance = new BalanceChecker();
  balance.checkClassBalance(y, { groups });
  await balance.checkCvBalance(X, y, new KFold({ nSplits: 4 }));
  await balance.checkFeatureDistribution(X);
  expect(unsafeLines(balance.generateReport())).toEqual([]);
  expect(unsafeLines((await mergeDuplicates(X, { y, groups } as never)).summary())).toEqual([]);
});

it('summaries of statistics', async () => {
  const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0 });
  const options = { data: [X, y], groups, positiveLabel: POSITIVE } as never;
  const model = () => new Majority();
  const results = await runner.run({ ...(options as object), model, metrics: ['accuracy'] } as never);
  expect(unsafeLines(results.summary())).toEqual([]);
  const texts = [
    compareModels(results, results, { metric: 'accuracy' } as never).summary(),
    subgroupTable(results, {
      by: { [HOSTILE.lines]: codes.map((_, row) => NAMES[row % 2]) },
      metrics: ['accuracy'],
    } as never).summary(),
    classReport(y, y.toReversed()).summary(),
    JSON.stringify(bbcCV(hostileRecord(() => results) as never, { metric: 'accuracy' } as never).note ?? ''),
    acrossSites(results, { sites: codes.map((_, row) => NAMES[row % 3]), metric: 'accuracy' } as never).summary(),
    (
      await learningCurve({
        model,
        X: points,
        y,
        cv: new KFold({ nSplits: 4 }),
        metric: 'accuracy',
        positiveLabel: POSITIVE,
        sizes: [0.5],
      } as never)
    ).summary(),
  ];
  for (const text of texts) expect(unsafeLines(text)).toEqual([]);
});

it('pictures', () => {
  const named = {
    split: (X: number) => new KFold({ nSplits: 4 }).split(X),
    facts: { name: HOSTILE.html + HOSTILE.lines },
  };
  for (const title of NAMES) {
    const rows = [{ label: title, estimate: 0.5, lower: 0.4, upper: 0.6, size: title, reason: title }];
    const labels = { yTrue: [title, 'b', title, 'b', 'c'], yPred: [title, title, 'b', 'b', 'c'] };
    const risks = { yTrue: [0, 1, 0, 1], yProba: [0.1, 0.4, 0.3, 0.8], fold: [title, title, 'other', 'other'] };
    const history = {
      histories: [{ epochs: [{ [title]: 1 }, { [title]: 2 }] }],
      foldDetails: [{ fold: title, keptEpoch: 0 }],
    };
    for (const picture of [
      plotSplits(named as never, N, y, { groups, title } as never),
      plotForest(rows, { title, label: title }),
      plotConfusion(labels, { title }),
      plotRoc(risks, { title }),
      plotPrecisionRecall(risks, { title }),
      plotHistory(history as never, { log: title }),
      plotLearningCurve({ metric: title, unit: title, points: [{ nTrain: 9, test: rows[0], train: { value: 1 } }] }),
      plotComparison({
        ...{ metric: title, level: 0.95 },
        rows: [{ name: title, interval: rows[0], scores: [], reason: title }],
      }),
      plotImportance({ metric: title, unit: title, features: [{ feature: title, interval: rows[0], values: [] }] }),
    ]) {
      expect(unsafeMarkup(String(picture))).toEqual([]);
    }
  }
});

it('errors: of options, names, cells, models and folds', async () => {
  const bad: (() => unknown)[] = NAMES.flatMap((name) => [
    () => new KFold({ [name]: 1 } as never),
    () => new KFold({ nSplits: name } as never),
    () => new KFold({ nSplits: { [name]: 1 } } as never),
    () => new CVKitValidator({ method: name as never }),
    () => new UniversalCVRunner({ cvSplitter: new KFold() }).run({ data: [X, y], model: name } as never),
    () => foldsFromJSON(name),
    () => foldsFromJSON([{ train: [0], test: [1], id: name }]),
    () => new DataLeakageChecker().check({ [name]: [1, 2], other: [1] } as never, undefined),
    () =>
      new UniversalCVRunner({ cvSplitter: new KFold() }).run({
        data: [codes.map((_, row) => ({ [name]: row === 5 ? name : row })), codes],
        model: { [name]: 1 },
      } as never),
  ]);
  for (const [at, call] of bad.entries()) {
    const error = (await (async () => call())().catch((thrown) => thrown)) as CVKitError;
    expect(error, `call ${at % (bad.length / NAMES.length)}`).toBeInstanceOf(CVKitError);
    expect(unsafeLines(error.message)).toEqual([]);
    expect(error.message).not.toContain('\n');
    expect(error.message.length).toBeLessThan(1500);
  }
});
