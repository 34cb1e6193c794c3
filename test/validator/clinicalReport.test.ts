import { beforeAll, describe, expect, it } from 'vitest';
import { CVKitValidator, evaluate, GroupKFold, KFold, RepeatedKFold, type ValidationResult } from '../../src/index.js';
import type { Interval } from '../../src/intervals/interval.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';

const { X, y } = blobs(160);
const patientIds = y.map((_, row) => Math.floor(row / 2));
/** Share of the negative rows that the models found which were not trained on them, each row with the weight of one. */
function negativesFound({ outOfFold: { row, yTrue, yPred } }: ValidationResult): number {
  const times = new Map<number, number>();
  for (const each of row) times.set(each, (times.get(each) ?? 0) + 1);
  let [found, all] = [0, 0];
  row.forEach((each, at) => {
    if (yTrue[at] !== 0) return;
    all += 1 / (times.get(each) as number);
    if (yPred[at] === 0) found += 1 / (times.get(each) as number);
  });
  return found / all;
}

/** Probability by a logistic function of the first feature, with errors on both sides. */
class Scored {
  fit() {
    return this;
  }
  predictProba(rows: number[][]) {
    return rows.map(([x]) => 1 / (1 + Math.exp(1 - x)));
  }
  predict(rows: number[][]) {
    return this.predictProba(rows).map((p) => (p > 0.5 ? 1 : 0));
  }
}
const model = () => new Scored();
const cvkit = new CVKitValidator({ nBootstrap: 100 });

let result: ValidationResult;
beforeAll(async () => {
  const cv = new GroupKFold({ nSplits: 4, randomState: 1 });
  result = await cvkit.validate({ model, X, y, patientIds, cv, verbose: 0 });
});

describe('clinical', () => {
  it('repeats the scores of the run, estimate and interval, where names match', () => {
    const clinical = result.clinical();
    const { confidenceIntervals: scores } = result;
    expect(clinical.rocAuc).toEqual(scores.roc_auc);
    expect(clinical.sensitivity).toEqual(scores.sensitivity);
    expect(clinical.specificity).toEqual(scores.specificity);
    expect(clinical.accuracy).toEqual(scores.accuracy);
    expect(clinical.f1).toEqual(scores.f1);
  });

  it('gives numbers needed that rest on the interval of J that is printed', () => {
    for (const options of [{}, { prevalence: 0.2 }]) {
      const { youden, nnt, numberNeededToDiagnose: toDiagnose, text } = result.clinical(options);
      expect(youden.lower).toBeGreaterThan(0);
      expect(toDiagnose.estimate).toBeCloseTo(1 / (youden.estimate as number), 12);
      expect(toDiagnose.lower).toBeCloseTo(1 / (youden.upper as number), 12);
      expect(toDiagnose.upper).toBeCloseTo(1 / (youden.lower as number), 12);
      if ('prevalence' in options) expect(nnt.upper).toBeCloseTo(5 / (youden.lower as number), 12);
      expect(text).not.toContain("the interval of Youden's J contains 0");
    }
  });

  it('makes further metrics by the method of the run', async () => {
    expect(result.clinical().mcc.method).toBe('bootstrap');
    expect(result.clinical().mcc.unit).toBe('patient');
    const other = await new CVKitValidator({ ciMethod: 'oof_bootstrap', nBootstrap: 100 }).validate({
      ...{ model, X, y, patientIds, verbose: 0 },
      metrics: ['roc_auc'],
    });
    expect(other.clinical().sensitivity.method).toBe('oof_bootstrap');
    const without = new CVKitValidator({ returnConfidenceIntervals: false, metrics: ['accuracy'] });
    const { accuracy } = (await without.validate({ model, X, y, patientIds, verbose: 0 })).clinical();
    expect(accuracy.lower).toEqual(expect.any(Number));
  });

  it('counts all out-of-fold predictions once, with patients as units', () => {
    const { counts, lrPositive, prevalence, nnt } = result.clinical();
    const { yTrue, yPred } = result.outOfFold;
    const cell = (truth: number, predicted: number) =>
      yTrue.filter((label, at) => label === truth && yPred[at] === predicted).length;
    const [tp, fp, fn, tn] = [cell(1, 1), cell(0, 1), cell(1, 0), cell(0, 0)];
    expect(counts).toMatchObject({ tp, fp, fn, tn, n: 160, rows: 160, patients: 80 });
    expect(lrPositive.estimate).toBeCloseTo(tp / (tp + fn) / (fp / (fp + tn)), 9);
    // The convention of statistics.md: 1 / (prevalence x Youden's J).
    const youden = tp / (tp + fn) + tn / (tn + fp) - 1;
    expect(nnt.estimate).toBeCloseTo(1 / (((tp + fn) / 160) * youden), 9);
    expect([prevalence.unit, prevalence.nUnits]).toEqual(['patient', 80]);
  });

  it('takes a prevalence, at which PPV and NPV are no scores of the run', async () => {
    // Of 4, 1, 1, 6 true and false positives and negatives at a prevalence of .02, by Bayes: .102564.
    const yTrue = [0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0];
    const yPred = [0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0];
    const evaluated = await evaluate({ yTrue, yPred, metrics: ['ppv', 'sensitivity'] });
    expect(evaluated.clinical().ppv.estimate).toBeCloseTo(4 / 5, 9);
    expect(evaluated.clinical({ prevalence: 0.02 }).ppv.estimate).toBeCloseTo(0.10256410256410255, 9);
  });

  it('takes a level of its own', () => {
    const narrow = result.clinical({ confidenceLevel: 0.5 });
    const { lower, upper, level, estimate } = narrow.sensitivity;
    const wide = result.clinical().sensitivity;
    expect([level, estimate, wide.level]).toEqual([0.5, wide.estimate, 0.95]);
    expect((upper as number) - (lower as number)).toBeLessThan((wide.upper as number) - (wide.lower as number));
  });

  it('speaks of the estimator of the run at every level, and of metrics that are no scores', async () => {
    const result = await new CVKitValidator({
      method: 'bootstrap',
      bootstrapValidationEstimator: '.632',
      bootstrapValidationIterations: 10,
      ciRefits: 20,
      metrics: ['accuracy', 'sensitivity'],
    }).validate({ model: () => new NearestMean(), X, y, verbose: 0 });
    const known = result.clinical().accuracy;
    const narrow = result.clinical({ confidenceLevel: 0.5 }).accuracy;
    expect(known).toEqual(result.confidenceIntervals.accuracy);
    expect(narrow).toMatchObject({ estimate: known.estimate, level: 0.5, estimand: 'procedure', note: known.note });
    expect(narrow.lower as number).toBeGreaterThan(known.lower as number);
    // No score of the run, and not refitted: .368 of the model of all rows and .632 of the rows left out.
    const { specificity, lrPositive } = result.clinical();
    const { apparentScores } = await new CVKitValidator({ metrics: ['specificity'] }).validate({
      ...{ model: () => new NearestMean(), X, y, apparent: true, verbose: 0 },
    });
    const left = negativesFound(result);
    expect(specificity.estimate).toBeCloseTo(0.368 * (apparentScores?.specificity.value as number) + 0.632 * left, 9);
    expect(specificity).toMatchObject({
      lower: null,
      reason: 'the .632 estimate has no interval without refits that are scored by this metric',
    });
    expect(lrPositive.note).toContain('Of the rows left out; not by the .632 estimator.');
  });

  it('reads as a report, also as a string', () => {
    const clinical = result.clinical({ rows: 'images' });
    expect(`${clinical}`).toBe(clinical.text);
    for (const said of ['80 patients, 160 images', 'Sensitivity', 'Calibration slope', '(ICI)', 'Brier score']) {
      expect(clinical.text).toContain(said);
    }
  });

  it('takes a row that is predicted several times as one unit', async () => {
    const cv = new RepeatedKFold({ nSplits: 2, nRepeats: 3, randomState: 1 });
    const repeated = await cvkit.validate({ model, X, y, cv, verbose: 0 });
    const { counts, lrPositive, text } = repeated.clinical();
    expect([counts.rows, counts.patients, lrPositive.nUnits]).toEqual([480, 160, 160]);
    expect(text).toContain('160 rows, 480 predictions');
  });
});

describe('calibration', () => {
  const yTrue = [0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0];
  const yProba = [0.1, 0.4, 0.35, 0.8, 0.9, 0.6, 0.55, 0.2, 0.3, 0.7, 0.5, 0.05];

  it('equals a logistic regression of the outcome on the log-odds', async () => {
    // numpy, Newton's method: slope of the joint model 1.90127573; intercept with the log-odds as offset -.20835381.
    const { calibration } = await evaluate({ yTrue, yProba });
    expect(calibration?.slope.estimate).toBeCloseTo(1.90127573, 6);
    expect(calibration?.intercept.estimate).toBeCloseTo(-0.20835381, 6);
    expect(calibration?.brier.estimate).toBeCloseTo(0.13979166666666668, 9);
  });

  it('is made once, with patients as units, at the level of the result', () => {
    expect(result.calibration).toBe(result.calibration);
    expect(result.calibration?.slope).toMatchObject({ unit: 'patient', nUnits: 80, level: 0.95 });
    expect(result.toJSON()).toHaveProperty('calibration.ici');
  });

  it('is null without probabilities, and for other tasks', async () => {
    const labels = await evaluate({ yTrue, yPred: yTrue });
    const numbers = await evaluate({ yTrue: [0.5, 1.5, 2.5], yPred: [1, 2, 3] });
    expect([labels.calibration, numbers.calibration, labels.clinical().calibration]).toEqual([null, null, null]);
    expect(labels.clinical().rocAuc).toMatchObject({ estimate: null });
  });
});

/** Fields that hold ids, in which numbers count; elsewhere a number is a count or a duration, whose digits may be those of an id. */
const ID_FIELDS = /^(groups?|patients?|ids?)$/i;

/** Every text of a JSON tree with the names of objects, and the numbers in fields of ids. */
function* texts(value: unknown, holdsIds = false): Generator<string> {
  if (typeof value === 'string' || (typeof value === 'number' && holdsIds)) yield String(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* texts(part, Array.isArray(value) ? holdsIds : ID_FIELDS.test(key));
  }
}

describe('toJSON', () => {
  const cv = new KFold({ nSplits: 4, shuffle: true, randomState: 1 });
  const KINDS: [string, (string | number)[]][] = [
    ['text', patientIds.map((id) => `SECRET-${id}`)],
    ['numbers', patientIds.map((id) => 7_340_000 + id)],
    ['64-bit integers', patientIds.map((id) => (2n ** 60n + BigInt(id)) as unknown as number)],
  ];

  it.each(KINDS)('holds no id of a patient: %s', async (_, ids) => {
    const torn = await cvkit.validate({ model, X, y, patientIds: ids, cv, verbose: 0 });
    const given = new Set(ids.map(String));
    const holds = (json: unknown) =>
      [...texts(JSON.parse(JSON.stringify(json)))].filter((text) => [...given].some((id) => text.includes(id)));
    expect(holds(torn)).toEqual([]);
    expect(holds(torn.toJSON({ ids: 'raw' })).length).toBeGreaterThan(0);
    // A duration is no id, whatever its digits.
    expect(holds({ seconds: Number(ids[0]) || 0.734 })).toEqual([]);
    const { group } = torn.toJSON().outOfFold as { group: string[] };
    expect(new Set(group).size).toBe(given.size);
    // One patient, one pseudonym; and the pseudonyms of the checks are those of the table.
    const { row } = torn.outOfFold;
    const nameOf = new Map(Array.from(row, (each, at) => [String(ids[each]), group[at]]));
    expect(Array.from(row, (each) => nameOf.get(String(ids[each])))).toEqual(group);
    const finding = torn.checks.find(({ type }) => type === 'patient');
    const examples = finding?.evidence.examples as { patient: string; testRow?: number }[];
    expect(examples.length).toBeGreaterThan(0);
    for (const { patient } of examples) expect(group).toContain(patient);
  });

  it.each(KINDS)('holds them on request: %s', async (_, ids) => {
    const torn = await cvkit.validate({ model, X, y, patientIds: ids, cv, verbose: 0 });
    const json = JSON.parse(JSON.stringify(torn.toJSON({ ids: 'raw' })));
    const written = typeof ids[0] === 'bigint' ? ids.map(String) : ids;
    expect(json.outOfFold.group).toEqual(Array.from(torn.outOfFold.row, (row) => written[row]));
  });
});

it('has no limits of any value where a fold failed, and says why', async () => {
  let made = 0;
  class Fails extends Scored {
    override fit(): this {
      throw new Error('lost');
    }
  }
  const failing = () => (made++ === 1 ? new Fails() : new Scored());
  const cv = new GroupKFold({ nSplits: 4, randomState: 1 });
  const torn = await cvkit.validate({ ...{ X, y, patientIds, cv, verbose: 0 }, model: failing, onFoldError: 'record' });
  const { counts: _, ...values } = torn.atThreshold as object as Record<string, Interval>;
  const { calibration: __, text, counts: ___, ...all } = torn.clinical();
  expect(Object.keys(values)).toContain('youden');
  for (const value of [...Object.values(values), ...Object.values(all)]) {
    if (typeof value === 'function') continue;
    expect(value).toMatchObject({ lower: null, upper: null, reason: '1 of 4 folds failed' });
    expect(value).not.toHaveProperty('standardError');
  }
  expect(values.youden.estimate).toBeGreaterThan(0);
  expect(text).toContain('No interval: 1 of 4 folds failed.');
  expect(torn.toMarkdown()).toContain('- **Reason:** Fold ');
  expect(torn.toMarkdown()).not.toContain('**:**');
});
