import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatNumber } from '../../../src/core/format.js';
import { CHECKLIST_NAMES } from '../../../src/core/knownNames.js';
import { LogisticRegression } from '../../../src/estimators/index.js';
import { FunctionTransformer } from '../../../src/preprocessing/functionTransformer.js';
import { RandomOverSampler } from '../../../src/preprocessing/randomOverSampler.js';
import { SimpleImputer } from '../../../src/preprocessing/simpleImputer.js';
import { StandardScaler } from '../../../src/preprocessing/standardScaler.js';
import { evidenceOf, GUIDELINES } from '../../../src/report/evidence/evidenceOf.js';
import { pathsTo, pathTo } from '../../../src/report/evidence/guideline.js';
import { TO_DO } from '../../../src/report/evidence/guidelineEvidence.js';
import type { ReportModel } from '../../../src/report/reportModel.js';
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
  grouped: () => all().validate({ model, X, y, patientIds: patients, adapter: proba(), ...quiet }),
  torn: () => all({ method: 'kfold' }).validate({ model, X, y, patientIds: patients, adapter: proba(), ...quiet }),
  unnamed: () => all().validate({ model, X, y, ...quiet }),
  declared: () => all({ independentRows: true, preparedInside: true }).validate({ model, X, y, ...quiet }),
  regression: () => all().validate({ model: () => new Line(), X, y: X.map(([a, b]) => a + b / 7), ...quiet }),
  multilabel: () =>
    all({ independentRows: true }).validate({
      model: () => new Several(),
      X,
      y: X.map(([a, b], i) => [a > 1.2 ? 1 : 0, b > 0.1 || i % 9 === 0 ? 1 : 0]),
      ...quiet,
    }),
  multiclass: () => all().validate({ model, X, y: y.map((v, i) => (i % 3 === 0 ? 'c' : v ? 'a' : 'b')), ...quiet }),
  given: () =>
    all().fitValidate({
      model,
      ...{ XTrain: X.slice(0, 60), yTrain: y.slice(0, 60), XTest: X.slice(60), yTest: y.slice(60) },
      ...{ patientIds: patients.slice(0, 60), testPatientIds: patients.slice(60) },
      adapter: proba(),
      ...quiet,
    }),
  failed: () =>
    all().validate({ model, X, y, patientIds: patients, adapter: failsOnce(), onFoldError: 'record', ...quiet }),
  allFailed: () =>
    all().validate({
      ...{ model, X, y, patientIds: patients, onFoldError: 'record', ...quiet },
      adapter: spyAdapter({
        fit: async () => {
          throw new Error('no luck');
        },
      }).adapter,
    }),
  prepared: () =>
    all().validate({
      model: () => new LogisticRegression(),
      X: X.map((row, i) => (i % 10 === 0 ? [Number.NaN, row[1]] : row)),
      y,
      patientIds: patients,
      preprocessing: [new SimpleImputer(), new StandardScaler(), new RandomOverSampler()],
      refit: true,
      threshold: { fixed: 0.4 },
      ...quiet,
    }),
  global: () =>
    all().validate({
      model: () => new LogisticRegression(),
      ...{ X, y, patientIds: patients },
      preprocessing: [new FunctionTransformer((rows: unknown) => rows as never, { scope: 'global' } as never)],
      ...quiet,
    }),
  fixed: () => all().validate({ model: () => new Fixed(), X, y, patientIds: patients, ...quiet }),
  scored: () =>
    all().validate({
      ...{ model, X, y, patientIds: patients, adapter: proba(), ...quiet },
      scoring: { roc_auc: 'roc_auc', 'a<b|c "d"': (table: { length: number }) => table.length },
    }),
  noIntervals: () =>
    new CVKitValidator({ checklists: [...CHECKLIST_NAMES], returnConfidenceIntervals: false }).validate({
      ...{ model, X, y, patientIds: patients, ...quiet },
    }),
  repeated: () => all({ method: 'repeated_kfold', nRepeats: 2 }).validate({ model, X, y, adapter: proba(), ...quiet }),
  bootstrap: () =>
    all({ method: 'bootstrap', bootstrapIterations: 20, bootstrapEstimator: '.632' }).validate({
      model,
      X,
      y,
      ...quiet,
    }),
  stopped: () =>
    all().validate({ model, X, y, patientIds: patients, callbacks: { onFoldEnd: () => 'stop' as const }, ...quiet }),
  theirs: () =>
    all().validate({
      ...{ model, X, y, patientIds: patients, ...quiet },
      leakageChecker: {
        assess: async () => [
          {
            ...{ code: 'CVL001', type: 'patient', kind: 'leakage', status: 'passed', severity: 'none' },
            ...{ message: 'We looked.', evidence: {}, fix: '' },
          },
        ],
      } as never,
    }),
  weighted: () =>
    all().validate({
      model,
      X,
      y,
      patientIds: patients,
      sampleWeight: y.map((_, i) => 1 + (i % 2)),
      adapter: proba(),
      ...quiet,
    }),
  predictions: () =>
    evaluate({
      yTrue: y,
      yProba: X.map(([a]) => 1 / (1 + Math.exp(1 - a))),
      nBootstrap: 100,
      checklists: [...CHECKLIST_NAMES],
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
      expect(items.map(({ id, by }) => ({ id, star: by !== undefined }))).toEqual(ITEMS[name]);
      for (const each of items) expect(each.name.length, each.id).toBeLessThanOrEqual(60);
      expect([source, ...standing].every((text) => text.endsWith('.'))).toBe(true);
    },
  );

  it('say how old documents of authorities stand', () => {
    expect(GUIDELINES.FDA.standing.join(' ')).toContain('still a draft when last looked up');
    expect(GUIDELINES['Annex IV'].standing.join(' ')).toContain('2 August 2028 (Digital Omnibus)');
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
});

describe('what is claimed, and what is not', () => {
  it('of patients: only what was checked', () => {
    expect(item('grouped', 'CLAIM', '20')).toMatchObject({
      said: expect.stringContaining(
        'CVL001 patient, passed: No patient is on both sides of a fold (30 patients, 5 folds)',
      ),
    });
    expect(item('grouped', 'TRIPOD+AI', '10').said).toContain('90 rows of 30 patients');
    const torn = item('torn', 'CLAIM', '20');
    expect(torn.said).toMatch(/CVL001 patient, failed: \d+ of 30 patients are on both sides/);
    expect(torn.left).toContain('what follows from CVL001');
    expect(everythingSaid('torn')).not.toContain('No patient is on both sides');
    const unnamed = item('unnamed', 'CLAIM', '20');
    expect(unnamed.said).not.toMatch(/patient, passed|No patient/);
    expect(unnamed.left).toContain('patient was not checked (It is not known which rows belong to the same patient');
    expect(item('unnamed', 'TRIPOD+AI', '10').left).toContain(
      'the number of patients, since the run was given no patient ids',
    );
    expect(everythingSaid('unnamed')).not.toMatch(/\d patients/);
    expect(item('declared', 'CLAIM', '20').said).toMatch(/CVL001 patient, not applicable: On the author's word/);
    expect(item('declared', 'CLAIM', '20')).toMatchObject({
      status: 'in part',
      left: expect.stringContaining("the grounds of what was taken on the author's word (independentRows)"),
    });
    expect(item('grouped', 'CLAIM', '20').status).toBe('filled');
    expect(item('declared', 'CLAIM', '9').left).toContain('(preparedInside)');
    expect(item('declared', 'TRIPOD+AI', '10').said).toContain("each its own patient on the author's word");
    const theirs = item('theirs', 'CLAIM', '20');
    expect(theirs.left).toContain('what the `leakageChecker` that was given did');
    expect(theirs.said).toContain('made by the `leakageChecker` that was given, not by cvkit: We looked.');
    expect(theirs.left).toContain('duplicate was not checked (Left to the `leakageChecker`, which did not make it)');
  });

  it('of the outcome: events of classes alone', () => {
    expect(item('grouped', 'TRIPOD+AI', '21').said).toContain('Rows by class: 0 45, 1 45; the positive class is 1.');
    expect(everythingSaid('regression')).not.toMatch(
      /Rows by class|false alarms|differ from the reference|Calibration of|cut-off/,
    );
    expect(item('regression', 'CLAIM', '38')).toMatchObject({
      status: 'in part',
      said: expect.stringMatching(/rmse \d/),
    });
    expect(item('regression', 'STARD-AI', '30').left).toContain('a task without classes');
    expect(item('multilabel', 'TRIPOD+AI', '21').said).toContain('Rows by label');
    expect(everythingSaid('multilabel')).not.toMatch(/false alarms|differ from the reference|positive class/);
    expect(item('multiclass', 'STARD-AI', '30').said).toMatch(/\d+ of 90 predictions differ from the reference/);
    expect(everythingSaid('multiclass')).not.toMatch(/positive class|false alarms/);
  });

  it('of probabilities: nothing without them', () => {
    expect(item('grouped', 'CLAIM', '38')).toMatchObject({
      status: 'filled',
      said: expect.stringContaining('Calibration of the probabilities: intercept'),
    });
    expect(everythingSaid('unnamed')).not.toContain('Calibration of');
    expect(item('unnamed', 'CLAIM', '38').left).toContain('the model gave no probabilities');
  });

  it('of testing: internal by folds, on a given set what it is', () => {
    expect(item('grouped', 'CLAIM', '32').said).toContain(
      'Internal testing by StratifiedGroupKFold: 5 folds, each tested on',
    );
    expect(item('grouped', 'CLAIM', '33')).toMatchObject({ status: 'author', where: [] });
    expect(item('grouped', 'TRIPOD+AI', '20c').status).toBe('author');
    expect(item('given', 'CLAIM', '32').status).toBe('author');
    expect(item('given', 'CLAIM', '33').said).toBe(
      'Tested on a test set that was given (30 rows); whether it is external is for the author to say.',
    );
    expect(item('given', 'CLAIM', '19').said).toBe(
      'A training set of 60 rows and a test set of 30 rows were given; the run divided nothing.',
    );
    expect(item('given', 'TRIPOD+AI', '20c')).toMatchObject({
      status: 'in part',
      said: expect.stringContaining('Shares of the training rows: 0 50.0 %'),
    });
    expect(everythingSaid('given')).not.toMatch(/Internal testing|Between folds/);
    expect(item('fixed', 'CLAIM', '32').left).toContain('whether the model was trained on these rows before the run');
    expect(item('allFailed', 'CLAIM', '32').status).toBe('author');
  });

  it('of failures: the count, never the message, and no interval', () => {
    expect(item('grouped', 'CLAIM', '39').said).toContain('No fold failed (5 folds).');
    expect(item('failed', 'CLAIM', '39').said).toContain('1 of 5 folds failed and count in no score');
    expect(item('failed', 'CLAIM', '35').said).toContain('4 folds tested');
    expect(item('failed', 'CLAIM', '38')).toMatchObject({
      status: 'in part',
      said: expect.stringContaining('without an interval'),
    });
    expect(item('failed', 'FDA', 'intervals').status).toBe('author');
    expect(item('failed', 'STARD-AI', '19').said).toContain('in 1 of 5 folds; they count in no mean');
    expect(everythingSaid('failed')).not.toContain('Every score has a value');
    expect(item('allFailed', 'CLAIM', '38')).toMatchObject({ status: 'author' });
    expect(item('stopped', 'CLAIM', '19').said).toContain('5 folds, of which 1 were run');
  });

  it('of intervals: how they were made, and nothing where there are none', () => {
    expect(item('grouped', 'FDA', 'intervals')).toMatchObject({
      status: 'filled',
      said: expect.stringContaining('95 % intervals by bootstrap, with 30 patients as independent units'),
    });
    expect(item('unnamed', 'FDA', 'unit of analysis').said).toContain('The independent unit is the row (90 tested)');
    for (const id of ['intervals', 'unit of analysis']) expect(item('noIntervals', 'FDA', id).status).toBe('author');
    expect(item('noIntervals', 'CLAIM', '38').left).toContain('intervals of accuracy');
    expect(item('scored', 'CLAIM', '38').left).toContain('intervals of a<b|c "d"');
    expect(item('scored', 'CLAIM', '38').where).toContain('estimates["a<b|c \\"d\\""]');
    expect(item('grouped', 'FDA', 'subgroups').status).toBe('author');
  });

  it('of preparation: what the run did, and what it cannot know', () => {
    const { said, left } = item('prepared', 'CLAIM', '9');
    expect(said).toContain('Rows were prepared in each fold: SimpleImputer, StandardScaler, RandomOverSampler');
    expect(left).toContain('whatever prepared X before the run');
    expect(item('prepared', 'CLAIM', '12')).toMatchObject({
      said: expect.stringContaining('Missing values were filled by a step of the preparation'),
      left: expect.stringContaining('how many values were missing'),
    });
    expect(item('grouped', 'CLAIM', '12').status).toBe('author');
    expect(item('prepared', 'TRIPOD+AI', '13').said).toContain('Training rows were resampled');
    expect(everythingSaid('grouped')).not.toMatch(/resampled|were prepared/);
    expect(item('global', 'CLAIM', '9').said).toContain('Steps that use other rows, as the author declares');
    expect(item('prepared', 'TRIPOD+AI', '15').said).toContain('Predictions: threshold 0.400, as given.');
    expect(item('prepared', 'TRIPOD+AI', '22').said).toContain('The model trained on all rows is part of the result');
    expect(item('grouped', 'TRIPOD+AI', '22').status).toBe('author');
    expect(item('weighted', 'TRIPOD+AI', '13').said).toContain('Rows have weights.');
  });

  it('of training: epochs of those that have them, and none of a fixed model', () => {
    expect(item('grouped', 'CLAIM', '25').said).toMatch(/^5 models trained in all: 1 epochs?/);
    expect(item('prepared', 'CLAIM', '25').said).toMatch(/^\d+ models trained in all\.$/);
    expect(item('fixed', 'CLAIM', '25').status).toBe('author');
    expect(item('fixed', 'CLAIM', '24').said).toContain('Nothing was initialised');
    expect(item('fixed', 'CLAIM', '35').said).not.toContain('trained on');
    expect(item('grouped', 'CLAIM', '26')).toMatchObject({
      status: 'author',
      left: expect.stringContaining('the run itself made no search'),
    });
  });

  it('of given predictions: nothing of the model', () => {
    for (const kind of ['predictions', 'folds'] as const) {
      for (const id of ['22', '24', '25', '26', '27', '32']) expect(item(kind, 'CLAIM', id).status, id).toBe('author');
      expect(everythingSaid(kind)).not.toMatch(/trained|SHA-256|Internal testing/);
    }
    expect(item('predictions', 'CLAIM', '19').status).toBe('author');
    expect(item('predictions', 'CLAIM', '20').left).toContain('what the model was trained on');
    expect(item('folds', 'CLAIM', '19').said).toContain('Predictions of 5 folds were given; each fold tests 18 rows.');
  });

  it('of repeats: rows that count more than once are said to', () => {
    expect(item('repeated', 'STARD-AI', '30').said).toContain(
      '180 predictions differ from the reference, in which rows are predicted more than once',
    );
    expect(item('repeated', 'CLAIM', '30').said).toContain('The cross-validation was repeated: 2 repeats.');
    expect(item('weighted', 'STARD-AI', '30').said).toContain(', without weights.');
    expect(item('bootstrap', 'CLAIM', '19').said).toContain('20 folds');
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
});
