import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { verdictOf } from '../../../src/checkers/verdict.js';
import { STATUSES } from '../../../src/core/checkOutcome.js';
import { formatNumber } from '../../../src/core/format.js';
import { CHECKLIST_NAMES } from '../../../src/core/knownNames.js';
import { LogisticRegression } from '../../../src/estimators/index.js';
import { FunctionTransformer } from '../../../src/preprocessing/functionTransformer.js';
import { RandomOverSampler } from '../../../src/preprocessing/randomOverSampler.js';
import { SimpleImputer } from '../../../src/preprocessing/simpleImputer.js';
import { StandardScaler } from '../../../src/preprocessing/standardScaler.js';
import { evidenceOf } from '../../../src/report/evidence/evidenceOf.js';
import { GUIDELINES } from '../../../src/report/evidence/guidelines.js';
import { pathsTo, pathTo } from '../../../src/report/evidence/statement.js';
import type { ReportModel } from '../../../src/report/reportModel.js';
import { TO_DO } from '../../../src/report/sections.js';
import { CVKitValidator } from '../../../src/validator/cvkitValidator.js';
import { evaluate } from '../../../src/validator/evaluate.js';
import type { ValidationResult } from '../../../src/validator/validationResult.js';
import { leftIn, saidIn, unfounded, valueAt } from '../../helpers/evidence.js';
import { blobs, NearestMean, spyAdapter } from '../../helpers/nearestMean.js';

const ITEMS: Record<string, { id: string; star: boolean }[]> = JSON.parse(
  readFileSync(new URL('../../reference/evidenceItems.json', import.meta.url), 'utf8'),
);

const { X, y } = blobs(90);
const patients = y.map((_, i) => `secret-${Math.floor(i / 3)}`);
const model = () => new NearestMean();
const proba = () => spyAdapter().adapter;
const quiet = { verbose: 0 } as const;
const rows = { model, X, y, ...quiet };
const whole = { ...rows, patientIds: patients };
const all = (options = {}) => new CVKitValidator({ nBootstrap: 100, checklists: [...CHECKLIST_NAMES], ...options });

/** Predicts the mean of the training labels, moved by the first feature. */
class Line {
  #mean = 0;
  fit(_: number[][], values: number[]) {
    this.#mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    return this;
  }
  predict(rows: number[][]) {
    return rows.map(([first]) => this.#mean + first);
  }
}
/** Says the nearest of two fixed points, whatever it is given to learn. */
class Fixed {
  fit() {
    return this;
  }
  predict(rows: number[][]) {
    return rows.map(([first]) => (first > 1 ? 1 : 0));
  }
  predictProba(rows: number[][]) {
    return rows.map(([first]) => [1 / (1 + Math.exp(first - 1)), 1 / (1 + Math.exp(1 - first))]);
  }
}
class Several {
  fit() {
    return this;
  }
  predict(rows: number[][]) {
    return rows.map(([a, b]) => [a > 1 ? 1 : 0, b > 0 ? 1 : 0]);
  }
}

let failing = 0;
const failsOnce = () =>
  spyAdapter({
    predict: async (m, rows) => {
      if (failing++ === 2) throw new Error('secret-1 was lost');
      return { values: (m as NearestMean).predict((await rows.toArrays()) as number[][]) as number[] };
    },
  }).adapter;

/** Runs of every kind, each made once. */
const RUNS = {
  grouped: () => all().validate({ ...whole, adapter: proba() }),
  torn: () => all({ method: 'kfold' }).validate({ ...whole, adapter: proba(), revealIds: true }),
  unnamed: () => all().validate(rows),
  declared: () => all({ independentRows: true, preparedInside: true }).validate(rows),
  regression: () => all().validate({ model: () => new Line(), X, y: X.map(([a, b]) => a + b / 7), ...quiet }),
  multilabel: () =>
    all({ independentRows: true }).validate({
      model: () => new Several(),
      X,
      y: X.map(([a, b], i) => [a > 1.2 ? 1 : 0, b > 0.1 || i % 9 === 0 ? 1 : 0]),
      ...quiet,
    }),
  multiclass: () => all().validate({ ...rows, y: y.map((v, i) => (i % 3 === 0 ? 'c' : v ? 'a' : 'b')) }),
  given: () =>
    all().fitValidate({
      model,
      ...{ XTrain: X.slice(0, 60), yTrain: y.slice(0, 60), XTest: X.slice(60), yTest: y.slice(60) },
      ...{ patientIds: patients.slice(0, 60), testPatientIds: patients.slice(60) },
      adapter: proba(),
      ...quiet,
    }),
  failed: () => all().validate({ ...whole, adapter: failsOnce(), onFoldError: 'record' }),
  allFailed: () =>
    all().validate({
      ...whole,
      onFoldError: 'record',
      adapter: spyAdapter({
        fit: async () => {
          throw new Error('secret-1 has no luck');
        },
      }).adapter,
    }),
  /** Every fit throws before it has read a row. */
  throws: () =>
    all().validate({
      ...whole,
      onFoldError: 'record',
      model: () => ({
        fit: () => {
          throw new Error('secret-1 has no luck');
        },
        predict: (rows: number[][]) => rows.map(() => 1),
      }),
    } as never),
  prepared: () =>
    all().validate({
      ...whole,
      model: () => new LogisticRegression(),
      X: X.map((row, i) => (i % 10 === 0 ? [Number.NaN, row[1]] : row)),
      preprocessing: [new SimpleImputer(), new StandardScaler(), new RandomOverSampler()],
      refit: true,
      threshold: { fixed: 0.4 },
    }),
  global: () =>
    all().validate({
      ...whole,
      model: () => new LogisticRegression(),
      preprocessing: [new FunctionTransformer((rows: unknown) => rows as never, { scope: 'global' } as never)],
    }),
  fixed: () => all().validate({ ...whole, model: () => new Fixed() }),
  scored: () =>
    all().validate({
      ...whole,
      adapter: proba(),
      scoring: { roc_auc: 'roc_auc', 'a<b|c "d"': (table: { length: number }) => table.length },
    }),
  noIntervals: () =>
    new CVKitValidator({ checklists: [...CHECKLIST_NAMES], returnConfidenceIntervals: false }).validate(whole),
  repeated: () => all({ method: 'repeated_kfold', nRepeats: 2 }).validate({ ...rows, adapter: proba() }),
  bootstrap: () => all({ method: 'bootstrap', bootstrapIterations: 20, bootstrapEstimator: '.632' }).validate(rows),
  stopped: () => all().validate({ ...whole, callbacks: { onFoldEnd: () => 'stop' as const } }),
  part: () => all({ nSplits: 4 }).validate({ ...whole, folds: [0] }),
  theirs: () =>
    all().validate({
      ...whole,
      leakageChecker: {
        assess: async () => [
          {
            ...{ code: 'CVL001', type: 'patient', kind: 'leakage', status: 'passed', severity: 'none' },
            ...{ message: 'We looked.', evidence: {}, fix: '' },
          },
        ],
      } as never,
    }),
  weighted: () => all().validate({ ...whole, sampleWeight: y.map((_, i) => 1 + (i % 2)), adapter: proba() }),
  predictions: () =>
    evaluate({
      yTrue: y,
      yProba: X.map(([a]) => 1 / (1 + Math.exp(1 - a))),
      nBootstrap: 100,
      checklists: [...CHECKLIST_NAMES],
    }),
  tornFolds: () =>
    evaluate({
      ...{ yTrue: y, yPred: X.map(([a]) => (a > 1 ? 1 : 0)), fold: y.map((_, i) => i % 5) },
      ...{ patientIds: patients, nBootstrap: 100, checklists: [...CHECKLIST_NAMES] },
    }),
  folds: () =>
    evaluate({
      ...{ yTrue: y, yPred: X.map(([a]) => (a > 1 ? 1 : 0)), fold: y.map((_, i) => Math.floor(i / 18)) },
      ...{ patientIds: patients, nBootstrap: 100, checklists: [...CHECKLIST_NAMES] },
    }),
} satisfies Record<string, () => Promise<ValidationResult>>;
type Kind = keyof typeof RUNS;
const KINDS = Object.keys(RUNS) as Kind[];

const results = {} as Record<Kind, ValidationResult>;
beforeAll(async () => {
  for (const kind of KINDS) results[kind] = await RUNS[kind]();
}, 120_000);

/** Items that hold figures of performance or say how they came about. */
const FIGURES = [
  ...['12e', '23a', '23b'].map((id) => ['TRIPOD+AI', id]),
  ...['29', '32', '37', '38', '39'].map((id) => ['CLAIM', id]),
  ...['18', '21', '23', '30', '31'].map((id) => ['STARD-AI', id]),
  ...['endpoints', 'intervals', 'unit of analysis'].map((id) => ['FDA', id]),
  ...[
    ['GMLP', '8'],
    ['Annex IV', '2g'],
    ['PROBAST+AI', '4'],
  ],
] as const;

/** What a run says to one item, and what it leaves to the author. */
function item(kind: Kind, checklist: string, id: string) {
  const section = results[kind].evidence?.sections.find((each) => each.checklist === checklist);
  const found = section?.items.find((each) => each.id === id);
  if (!found) throw new Error(`no item ${id} of ${checklist}`);
  return { ...found, said: saidIn(found.text), left: leftIn(found.text) };
}
const everythingSaid = (kind: Kind) =>
  (results[kind].evidence?.sections ?? []).flatMap(({ items }) => items.map(({ text }) => saidIn(text))).join('\n');

describe('the tables', () => {
  it('are of every known name', () => {
    expect(Object.keys(GUIDELINES)).toEqual([...CHECKLIST_NAMES]);
    expect(Object.keys(ITEMS)).toEqual([...CHECKLIST_NAMES]);
  });

  it('have as many rows and items as the published ones', () => {
    const rows = (name: string) => ITEMS[name].map(({ id }) => id);
    const numbers = (name: string) => new Set(rows(name).map((id) => Number.parseInt(id, 10)));
    expect([rows('TRIPOD+AI').length, numbers('TRIPOD+AI').size]).toEqual([52, 27]);
    expect(rows('CLAIM')).toHaveLength(44);
    expect([rows('STARD-AI').length, numbers('STARD-AI').size]).toEqual([48, 40]);
    expect(['PROBAST+AI', 'GMLP', 'FDA', 'Annex IV'].map((name) => rows(name).length)).toEqual([4, 10, 9, 8]);
  });

  it.each([...CHECKLIST_NAMES])(
    '%s has the published ids in order, and evidence for those with a star alone',
    (name) => {
      const { items, source, standing } = GUIDELINES[name];
      expect(items.map(([id, , by]) => ({ id, star: by !== undefined }))).toEqual(ITEMS[name]);
      for (const [id, name] of items) expect(name.length, id).toBeLessThanOrEqual(60);
      expect([source, ...standing].every((text) => text.endsWith('.'))).toBe(true);
    },
  );

  it('say how old documents of authorities stand', () => {
    expect(GUIDELINES.FDA.standing.join(' ')).toContain('still a draft when this version was written (November 2026)');
    expect(GUIDELINES['Annex IV'].standing.join(' ')).toContain(
      '2 August 2028 (Digital Omnibus), as it stood when this version was written (November 2026)',
    );
    expect(GUIDELINES['PROBAST+AI'].standing.join(' ')).toContain('never a rating');
  });
});

describe.each(KINDS)('of the run %s', (kind) => {
  it('every place exists, in the result and in its JSON, and holds the figures', () => {
    const result = results[kind];
    const json = JSON.parse(JSON.stringify(result.toJSON()));
    for (const { checklist, items } of result.evidence?.sections ?? []) {
      for (const { id, text, where, status } of items) {
        expect(where.length > 0, `${checklist} ${id}`).toBe(status !== 'author');
        for (const path of where) valueAt(result, path);
        expect(unfounded(saidIn(text), where, json), `${checklist} ${id}: ${text}`).toEqual([]);
      }
    }
  });

  it('what remains is said, and an item without a star is the author’s', () => {
    for (const { checklist, items } of results[kind].evidence?.sections ?? []) {
      for (const { id, text, status } of items) {
        const lines = text.split('\n');
        expect(lines.at(-1)?.startsWith(TO_DO) ?? false, `${checklist} ${id}`).toBe(status !== 'filled');
        expect(saidIn(text) === '', `${checklist} ${id}`).toBe(status === 'author');
        if (!ITEMS[checklist].find((each) => each.id === id)?.star) expect(text).toBe(`${TO_DO}.`);
        for (const line of lines) expect(line).toMatch(/[.!?…]$/);
        expect(text).not.toMatch(/undefined|NaN|\[object|null|Infinity|\.\.$|\.\.\n/);
      }
    }
  });

  it('no output holds an id of a patient, asserts anything, or rates', async () => {
    const result = results[kind];
    const evidence = JSON.stringify(result.evidence);
    expect(evidence).not.toContain('secret-');
    const outputs = [result.summary(), result.toMarkdown(), await result.toHTML(), evidence];
    for (const output of outputs)
      expect(output).not.toMatch(/complian(t|ce with)|complies|conform|certif|risk of bias is|low risk|high risk/i);
  });

  it('it survives JSON', () => {
    expect(JSON.parse(JSON.stringify(results[kind].toJSON())).evidence).toEqual(results[kind].evidence);
  });

  it('only a test set that was given is said to be tested on, and nobody calls it external', () => {
    const said = everythingSaid(kind);
    expect(/a test set that was given/.test(said)).toBe(kind === 'given');
    expect(said.replaceAll('whether it is external is for the author to say', '')).not.toMatch(/external/i);
  });
});

describe('figures', () => {
  it('are those of the result', () => {
    for (const kind of ['grouped', 'torn', 'prepared', 'scored', 'repeated'] as const) {
      const result = results[kind];
      const { said } = item(kind, 'CLAIM', '38');
      for (const [name, { estimate, lower, upper }] of Object.entries(result.confidenceIntervals)) {
        if (lower === null) continue;
        expect(said).toContain(
          `${name} ${formatNumber(estimate)} (95 % interval ${formatNumber(lower)} to ${formatNumber(upper)})`,
        );
      }
    }
  });

  it.each(['grouped', 'torn', 'given', 'failed', 'repeated', 'bootstrap', 'weighted', 'predictions'] as const)(
    'of the cross-tabulation are counted over the out-of-fold table: %s',
    (kind) => {
      const { outOfFold, manifest } = results[kind];
      const cell = (truth: boolean, predicted: boolean) =>
        Array.from(outOfFold.row).filter(
          (_, at) =>
            (outOfFold.yTrue[at] === manifest.positiveLabel) === truth &&
            (outOfFold.yPred[at] === manifest.positiveLabel) === predicted,
        ).length;
      const { said } = item(kind, 'STARD-AI', '30');
      expect(said).toContain(
        `Of the positive class ${cell(true, true)} were found and ${cell(true, false)} missed; of the other ${cell(false, false)} were right and ${cell(false, true)} false alarms.`,
      );
      expect(said).toContain(`${cell(true, false) + cell(false, true)} of ${outOfFold.row.length} predictions differ`);
    },
  );

  it('of the cross-tabulation are right where the manifest calls a class by its number', async () => {
    const named = y.map((label) => (label ? 'M-10001' : 'M-10000'));
    const options = { model, X, y: named, positiveLabel: 'M-10001', patientIds: patients, ...quiet };
    const { manifest, outOfFold, evidence } = await all().validate(options);
    expect(manifest.positiveLabel).toBe('number 1');
    const found = Array.from(outOfFold.row).filter(
      (_, at) => outOfFold.yTrue[at] === 'M-10001' && outOfFold.yPred[at] === 'M-10001',
    ).length;
    expect(found).toBeGreaterThan(0);
    const items = (evidence?.sections ?? []).flatMap((section) => section.items);
    expect(items.map(({ text }) => text).join('\n')).toContain(`Of the positive class ${found} were found`);
  });
});

/** By run the items whose answers are pinned: what it claims, and what it leaves to the author. */
const PINNED: Partial<Record<Kind, readonly string[]>> = {
  // Patients, outcome, probabilities, testing, failures, intervals, preparation, training.
  grouped: [
    ...['CLAIM 9', 'CLAIM 12', 'CLAIM 19', 'CLAIM 20', 'CLAIM 25', 'CLAIM 26', 'CLAIM 32', 'CLAIM 33', 'CLAIM 35'],
    ...['CLAIM 38', 'CLAIM 39', 'TRIPOD+AI 10', 'TRIPOD+AI 12a', 'TRIPOD+AI 20c', 'TRIPOD+AI 21', 'TRIPOD+AI 22'],
    ...['STARD-AI 30', 'FDA intervals', 'FDA representativeness', 'FDA subgroups', 'Annex IV 2c'],
  ],
  torn: ['CLAIM 20', 'CLAIM 32'],
  unnamed: ['CLAIM 20', 'CLAIM 38', 'TRIPOD+AI 10', 'FDA intervals', 'FDA unit of analysis'],
  declared: ['CLAIM 9', 'CLAIM 20', 'TRIPOD+AI 10', 'FDA intervals', 'FDA unit of analysis'],
  theirs: ['CLAIM 20'],
  regression: ['CLAIM 38', 'STARD-AI 30', 'FDA representativeness', 'GMLP 3', 'TRIPOD+AI 20b', 'Annex IV 2d'],
  multiclass: ['STARD-AI 30'],
  multilabel: ['TRIPOD+AI 21'],
  repeated: ['STARD-AI 30', 'CLAIM 30'],
  weighted: ['STARD-AI 30', 'TRIPOD+AI 12e', 'TRIPOD+AI 13'],
  bootstrap: ['CLAIM 19'],
  given: ['CLAIM 19', 'CLAIM 25', 'CLAIM 32', 'CLAIM 33', 'TRIPOD+AI 20c'],
  part: ['CLAIM 19', 'CLAIM 32'],
  stopped: ['CLAIM 19', 'CLAIM 32', 'CLAIM 35', 'CLAIM 38', 'CLAIM 39'],
  failed: ['CLAIM 32', 'CLAIM 35', 'CLAIM 38', 'CLAIM 39', 'STARD-AI 19', 'FDA intervals'],
  allFailed: ['CLAIM 32', 'CLAIM 38', 'STARD-AI 40b'],
  fixed: [
    ...['CLAIM 20', 'CLAIM 22', 'CLAIM 24', 'CLAIM 25', 'CLAIM 27', 'CLAIM 30', 'CLAIM 32', 'CLAIM 35', 'CLAIM 38'],
    ...['CLAIM 39', 'Annex IV 2c'],
  ],
  noIntervals: ['CLAIM 38', 'FDA intervals', 'FDA unit of analysis'],
  scored: ['CLAIM 38'],
  prepared: [
    ...['CLAIM 9', 'CLAIM 12', 'CLAIM 20', 'CLAIM 25', 'CLAIM 35'],
    ...['TRIPOD+AI 13', 'TRIPOD+AI 15', 'TRIPOD+AI 22'],
  ],
  global: ['CLAIM 9'],
  predictions: [
    ...['CLAIM 19', 'CLAIM 20', 'CLAIM 22', 'CLAIM 24', 'CLAIM 25', 'CLAIM 26', 'CLAIM 27', 'CLAIM 32', 'CLAIM 35'],
    'TRIPOD+AI 22',
  ],
  folds: ['CLAIM 19', 'CLAIM 22', 'CLAIM 32', 'TRIPOD+AI 22'],
};

/** What no item of a run says. */
const NEVER: readonly [kind: Kind, said: RegExp][] = [
  ['torn', /No patient is on both sides/],
  ['unnamed', /\d patients|Calibration of/],
  ['regression', /Rows by class|false alarms|differ from the reference|Calibration of|cut-off/],
  ['multilabel', /false alarms|differ from the reference|positive class/],
  ['multiclass', /positive class|false alarms/],
  ['given', /Internal testing|Between folds/],
  ['failed', /Every score has a value/],
  ['allFailed', /models? trained|scored|folds? tested|Internal/],
  ['grouped', /gave no result|resampled|were prepared|weights|averages over/],
  ['fixed', /models? trained|not trained|Internal testing/],
  ['predictions', /trained|SHA-256|Internal testing|seed|adapter|No fold failed|\b1 fold\b|fold that was run/],
  ['folds', /trained|SHA-256|Internal testing|seed|adapter|No fold failed/],
];

/** Without what differs from run to run, hashes, and the sentences of checks, which have tests of their own. */
const ours = (text: string) =>
  text
    .replace(/\d+\.\d s,/, '0.1 s,')
    .replace(/cvkit \d\S+;/, 'cvkit;')
    .replace(/\b[\da-f]{16,}\b/g, 'hash')
    .replace(/^(CV[LB]\d{3} \w+, [a-z ]+): .*$/gm, '$1')
    .replace(/( was not checked) \((?:[^()]|\([^()]*\))*\)/g, '$1');

describe('what is claimed, and what is not', () => {
  it.each(Object.entries(PINNED))('of the run %s', (kind, items) => {
    const answers = items.map((name) => {
      const [, checklist, id] = /^(TRIPOD\+AI|Annex IV|[\w-]+) (.+)$/.exec(name) as unknown as string[];
      const { status, text } = item(kind as Kind, checklist, id);
      return [name, `${status}: ${ours(text)}`];
    });
    expect(Object.fromEntries(answers)).toMatchSnapshot();
  });

  it.each(NEVER)('and nothing of what does not hold: %s', (kind, said) => {
    expect(everythingSaid(kind)).not.toMatch(said);
  });

  it('with places of the figures', () => {
    expect(item('failed', 'CLAIM', '39').where).toEqual(
      expect.arrayContaining(['manifest.foldsFailed', 'manifest.foldsRun', 'foldDetails']),
    );
    expect(item('scored', 'CLAIM', '38').where).toContain('estimates["a<b|c \\"d\\""]');
    expect(item('grouped', 'CLAIM', '33').where).toEqual([]);
  });

  it('of predictions that were given: nothing of what only a run can lack', () => {
    for (const kind of ['predictions', 'folds'] as const) {
      expect(JSON.stringify(results[kind].evidence)).not.toMatch(
        /no test set of its own|no separate evaluation set|kept none trained|refit: true|No fold/,
      );
    }
  });

  it('of new patients: only where they are, in the evidence and in every report', async () => {
    const NEW = /new patients/;
    const TORN = 'the models of these folds, tested with patients on both sides (CVL001 failed)';
    for (const kind of ['torn', 'tornFolds'] as const) {
      const result = results[kind];
      expect(JSON.stringify(result.evidence), kind).not.toMatch(NEW);
      for (const text of [result.summary(), result.toMarkdown(), await result.toHTML()]) {
        expect(text, kind).not.toMatch(NEW);
        expect(text.replace(/\s+/g, ' '), kind).toContain(`: about ${TORN}`);
      }
      expect(item(kind, 'FDA', 'intervals').said).toContain(`about ${TORN}`);
      for (const [checklist, id] of FIGURES) {
        const { status, said, left } = item(kind, checklist, id);
        if (status === 'author') continue;
        expect([checklist, id, status]).toEqual([checklist, id, 'in part']);
        expect(said).toContain('Rows of some patients were on both sides (CVL001 failed).');
        expect(left).toContain('what CVL001 (failed) means for the figures');
      }
    }
    expect(item('torn', 'CLAIM', '32').status).toBe('in part');
    expect(everythingSaid('grouped')).toContain('about the models of these folds on new patients');
    expect(everythingSaid('declared')).toContain('about the training procedure on new patients');
    for (const kind of KINDS) {
      if (!kind.startsWith('torn')) expect(everythingSaid(kind), kind).not.toContain('on both sides (CVL001 failed)');
    }
    expect(everythingSaid('unnamed')).toContain('about the training procedure on new rows');
    expect(everythingSaid('unnamed')).not.toMatch(NEW);
    expect(everythingSaid('predictions')).toContain('about the model behind these predictions, on new rows');
    expect(results.unnamed.summary().replace(/\s+/g, ' ')).toContain('about the training procedure on new rows.');
  });

  it('of a given test set with the patients of training: it tests no new ones', async () => {
    const result = await all().fitValidate({
      model,
      ...{ XTrain: X.slice(0, 60), yTrain: y.slice(0, 60), XTest: X.slice(60), yTest: y.slice(60) },
      ...{ patientIds: patients.slice(0, 60), testPatientIds: patients.slice(30, 60), ...quiet },
    });
    const said = JSON.stringify(result.evidence);
    expect(said).toContain('the model behind these predictions, tested with patients on both sides (CVL001 failed)');
    expect(said).not.toContain('new patients');
    const external = result.evidence?.sections[1].items[32];
    expect(external).toMatchObject({ id: '33', status: 'in part' });
    expect(external?.text).toContain('what CVL001 (failed) means for the figures');
  });

  it('of units: those with predictions, counted in the out-of-fold table', () => {
    const { outOfFold, confidenceIntervals } = results.grouped;
    const rows = Array.from(outOfFold.row.slice(0, 60));
    const fewer = {
      ...results.grouped,
      outOfFold: { ...outOfFold, row: rows, group: outOfFold.group?.slice(0, 60) },
    } as unknown as ReportModel;
    const known = new Set(outOfFold.group?.slice(0, 60)).size;
    expect(known).toBeLessThan(confidenceIntervals.accuracy.nUnits);
    const [fda] = evidenceOf(fewer, ['FDA']).sections;
    const text = (id: string) => fda.items.find((each) => each.id === id);
    expect(text('unit of analysis')?.text).toContain(`the patient as the independent unit (${known} tested)`);
    expect(text('unit of analysis')?.where).toContain('outOfFold.group');
    expect(text('intervals')?.text).toContain(`which take ${known} patients as independent`);
    for (const kind of ['allFailed', 'throws', 'failed'] as const) {
      expect(item(kind, 'FDA', 'unit of analysis')).toMatchObject({ status: 'author', where: [] });
      expect(everythingSaid(kind)).not.toMatch(/\d+ tested\)/);
    }
  });

  it('of a model whose every fit threw: nothing of what it is', () => {
    for (const kind of ['throws', 'allFailed'] as const) {
      expect(results[kind].manifest.fixedModel, kind).toBeNull();
      expect(everythingSaid(kind)).not.toMatch(/same in every fold|reads none|begins anew/);
      expect(item(kind, 'CLAIM', '24').status).toBe('author');
      expect(results[kind].summary()).not.toMatch(/not trained|fixed model/i);
      expect(results[kind].summary().replace(/\s+/g, ' ')).toContain('No interval: no fold gave a result. ');
    }
  });

  it('of a search: its parameters, and no absence where one was asked for', () => {
    const plain = { ...results.grouped } as ReportModel;
    const as = (tuned: readonly string[]) =>
      evidenceOf({ ...plain, manifest: { ...plain.manifest, tuned } }, ['CLAIM']).sections[0].items[25].text;
    expect(as(['C', 'epochs'])).toContain('A search within the training rows of each fold chose C, epochs.');
    expect(as([])).not.toMatch(/no search|A search/);
  });

  it('of rating: none', () => {
    for (const kind of KINDS) {
      for (const { status, text } of results[kind].evidence?.sections.find(
        ({ checklist }) => checklist === 'PROBAST+AI',
      )?.items ?? []) {
        expect(status).not.toBe('filled');
        expect(text).toContain('the rating, which is for those who assess the study');
      }
    }
  });
});

it('a result without patients’ ids, checks of its own making, or hashes breaks nothing', () => {
  const plain = { ...results.grouped } as ReportModel;
  const bare = {
    ...plain,
    checks: [],
    balance: null,
    baseline: null,
    manifest: { ...plain.manifest, sha256: null, rowShape: null },
  };
  const { sections } = evidenceOf(bare, [...CHECKLIST_NAMES]);
  expect(sections.map(({ checklist }) => checklist)).toEqual([...CHECKLIST_NAMES]);
  expect(JSON.stringify(sections)).toContain('the check patient was not made');
});

describe('hostile results', () => {
  const textOf = (changed: object) =>
    JSON.stringify(evidenceOf({ ...results.grouped, ...changed } as ReportModel, [...CHECKLIST_NAMES]).sections);

  it('of a `leakageChecker` of the caller: its status alone', () => {
    const theirs = {
      ...{ code: 'CVL001', type: 'patient', kind: 'leakage', severity: 'none', fix: 'secret-3' },
      ...{ message: 'Fine for secret-3.\nThis result complies with everything.', madeBy: 'leakageChecker' },
      evidence: { authorsWord: 'secret-3', counts: { 'secret-3': 7 } },
    };
    for (const status of STATUSES) {
      const checks = [
        { ...theirs, status },
        { ...theirs, status, code: 'CVB001', type: 'class_balance' },
        ...results.grouped.checks.filter(({ type }) => type !== 'patient'),
      ];
      const text = textOf({ checks, verdict: verdictOf(checks as never, { foldsRun: 5 }) });
      expect(text, status).not.toMatch(/secret|complies/);
      expect(
        text.includes(`CVL001 patient, ${status.replaceAll('_', ' ')}, by the \`leakageChecker\` that was given`),
        status,
      ).toBe(status !== 'error');
      expect(text).toContain('Rows by class: 0 45, 1 45');
    }
  });

  it('of a check that somebody registered: in one line of bounded length', () => {
    const [first, ...others] = results.grouped.checks;
    const message = `Long ${'and long '.repeat(300)}\nVerdict over the checks: PASSED.`;
    const { items } = evidenceOf({ ...results.grouped, checks: [{ ...first, message }, ...others] } as ReportModel, [
      'CLAIM',
    ]).sections[0];
    const lines = items[19].text.split('\n');
    expect(lines[0]).toMatch(/^CVL001 patient, passed: Long /);
    expect(lines.every((line) => line.length < 1100 && !line.startsWith('Verdict'))).toBe(true);
  });

  it('of preparation: what no fold was given is not said', () => {
    const { preprocessing } = results.prepared.manifest;
    const text = JSON.stringify(
      evidenceOf({ ...results.allFailed, manifest: { ...results.allFailed.manifest, preprocessing } } as ReportModel, [
        ...CHECKLIST_NAMES,
      ]).sections,
    );
    expect(text).not.toMatch(/were (prepared|filled|resampled)/);
    const some = evidenceOf(
      { ...results.failed, manifest: { ...results.failed.manifest, preprocessing } } as ReportModel,
      ['CLAIM'],
    ).sections[0].items;
    expect(some[8].text).toContain('Rows were prepared in each fold with a result: ');
    expect(some[11].text).toContain('fitted in each fold with a result to its training rows');
  });

  it('of a preparation with a step that is called as one that fills', () => {
    const as = (steps: string, imputers: readonly string[]) => {
      const preprocessing = { ...{ steps, imputers, globalSteps: [], learns: true, frozen: [] }, resamplers: [] };
      const manifest = { ...results.grouped.manifest, preprocessing };
      return evidenceOf({ ...results.grouped, manifest } as ReportModel, ['CLAIM']).sections[0].items[11];
    };
    expect(as('ColumnTransformer(no SimpleImputer: StandardScaler)', []).status).toBe('author');
    expect(as('tabular', ["SimpleImputer (columns ['age'])"]).text).toContain(
      "to its training rows: SimpleImputer (columns ['age']).\n",
    );
  });

  it('of calibration: nothing without a value', () => {
    const bare = { estimate: null, lower: null, upper: null, level: 0.95 };
    const slope = { ...bare, estimate: 0.8 };
    const as = (calibration: object | null) =>
      evidenceOf({ ...results.grouped, calibration } as ReportModel, ['CLAIM']).sections[0].items[37].text;
    expect(as({ intercept: bare, slope: bare })).toContain('calibration, which has no value in this run');
    expect(as(null)).not.toContain('Calibration of');
    expect(as({ intercept: bare, slope })).toMatch(
      /Calibration of the probabilities: slope 0\.800, without an interval\.\n.*the intercept, which has no value in this run; the interval of the slope/,
    );
  });

  it('of many classes: the first, and how many more there are', () => {
    const shares = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`c${at}`, 1 / 11]));
    const fold = { ...results.given.balance?.folds[0], trainProportions: shares, testProportions: shares };
    const balance = { ...results.given.balance, folds: [fold] };
    const { text } = evidenceOf({ ...results.given, balance } as ReportModel, ['CLAIM']).sections[0].items[35];
    expect(text.match(/and 3 more classes/g)).toHaveLength(2);
  });

  it('of isolation: folds are counted, their ids may be those of patients', () => {
    const as = { ...results.grouped.manifest, verifiedFolds: ['secret-1', 'secret-2'] };
    const text = textOf({ manifest: as });
    expect(text).toContain('2 folds trained again after all others gave the same predictions.');
    expect(text).not.toContain('secret');
  });

  it('of early stopping: folds that did, alone', () => {
    const stops = results.grouped.foldDetails.map((fold, at) => ({
      ...fold,
      ...{ stoppedEarly: at < 2, keptEpoch: at < 3 ? 4 : null },
    }));
    const { items } = evidenceOf({ ...results.grouped, foldDetails: stops } as ReportModel, ['CLAIM']).sections[0];
    expect(items[24].text).toContain('; 2 folds stopped early.');
    expect(items[25].text).toContain('3 folds kept the weights of a chosen epoch.');
    for (const at of [24, 25])
      expect(unfounded(saidIn(items[at].text), items[at].where, { ...results.grouped, foldDetails: stops })).toEqual(
        [],
      );
  });

  it('without a fold break nothing', () => {
    const manifest = { ...results.grouped.manifest, foldsRun: 0 };
    expect(textOf({ foldDetails: [], manifest })).not.toMatch(/undefined|Infinity|NaN/);
    const given = { ...results.given, foldDetails: [] } as unknown as ReportModel;
    expect(JSON.stringify(evidenceOf(given, [...CHECKLIST_NAMES]))).not.toContain('Tested on');
  });
});

it('the message of a check that broke down is not repeated', () => {
  const plain = { ...results.grouped } as ReportModel;
  const broken = { ...plain.checks[0], status: 'error' as const, message: 'secret-1 broke it' };
  const [{ items }] = evidenceOf({ ...plain, checks: [broken, ...plain.checks.slice(1)] }, ['CLAIM']).sections;
  expect(items[19].text).toContain('the check patient, which could not be completed');
  expect(JSON.stringify(items)).not.toContain('secret-1');
});

it('hostile names stay in their lines and their places', () => {
  const plain = { ...results.grouped } as ReportModel;
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 20 }), (name) => {
      if (name === '__proto__') return;
      const only = <T>(of: Readonly<Record<string, T>>) => Object.fromEntries([[name, of.accuracy]]);
      const { scores, estimates, stdScores, confidenceIntervals } = plain;
      const renamed = {
        ...plain,
        ...{ scores: only(scores), estimates: only(estimates), stdScores: only(stdScores), baseline: null },
        confidenceIntervals: only(confidenceIntervals),
      };
      const [claim] = evidenceOf(renamed, ['CLAIM']).sections;
      for (const { text, where } of claim.items) {
        expect(text.split('\n').length).toBeLessThanOrEqual(12);
        for (const path of where) if (!path.startsWith('calibration')) valueAt(renamed, path);
      }
      expect(valueAt({ scores: only(scores) }, pathTo('scores', name))).toBe(scores.accuracy);
      expect(pathsTo('scores', [name], only(scores))).toEqual(['scores']);
    }),
  );
});

it('the checks of the tests find a wrong place and a wrong figure', () => {
  expect(() => valueAt({ a: 1 }, 'b')).toThrow('nothing at b');
  expect(() => valueAt({ a: 1 }, 'a-b')).toThrow('no path');
  expect(unfounded('12 of 90 rows', ['n'], { n: 90 })).toEqual(['12']);
  expect(unfounded('90 rows', ['n'], { n: 90 })).toEqual([]);
  expect(unfounded('1 of 3', ['list'], { list: ['a', 'b', 'c'] })).toEqual(['1', '3']);
  const fold = { status: 'completed', stoppedEarly: false, keptEpoch: null };
  const foldDetails = [fold, fold, { ...fold, status: 'failed' }];
  expect(unfounded('2 of 3 folds', ['foldDetails'], { foldDetails })).toEqual(['3']);
  const timed = foldDetails.map((each, index) => ({ ...each, index: index + 3, seconds: 7, nTest: 18 }));
  expect(unfounded('3, 7 and 18', ['foldDetails'], { foldDetails: timed })).toEqual(['3', '7']);
  const outOfFold = { yTrue: ['a', 'a', 'a', 'a', 'b'], yPred: ['a', 'a', 'a', 'b', 'b'] };
  const root = { outOfFold, manifest: { positiveLabel: 'a' } };
  expect(unfounded('5, 1, 3, 1, 1, 0, and 2', ['outOfFold.yTrue'], root)).toEqual(['2']);
});
