import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import type { ValidateOptions } from '../../src/validator/validateOptions.js';

/** scikit-learn's dummy models over three plain folds. */
const { binary, three, numbers, weight, found } = JSON.parse(
  readFileSync(new URL('../reference/baseline.json', import.meta.url), 'utf8'),
) as {
  binary: number[];
  three: number[];
  numbers: number[];
  weight: number[];
  found: Record<string, Record<string, number>>;
};

const fit = (_rows: unknown, _labels: unknown, _weight?: unknown) => undefined;
const ones = () => ({ fit, predict: (rows: number[][]) => rows.map(() => 1) });
/** Baselines of probabilities stand beside scores of probabilities. */
const certain = (classes: number) => () => ({
  ...ones(),
  predictProba: (rows: number[][]) => rows.map(() => Array.from({ length: classes }, (_, code) => Number(code === 1))),
});
const X = binary.map((_, row) => [row]);

const baselineOf = async (y: unknown[], metrics: string[], options: Partial<ValidateOptions> = {}) =>
  (
    await new CVKitValidator({ checkLeakage: false, checkBalance: false, metrics }).validate({
      model: ones,
      X,
      y: y as number[],
      cv: new KFold({ nSplits: 3 }),
      verbose: 0,
      ...options,
    })
  ).baseline;

describe('baselineScores', () => {
  it.each<[string, number[], Partial<ValidateOptions>]>([
    ['binary', binary, {}],
    ['weighted', binary, { sampleWeight: weight }],
    ['three', three, {}],
    ['numbers', numbers, {}],
  ])('%s: what scikit-learn gives', async (name, y, options) => {
    const model = name === 'numbers' ? ones : certain(name === 'three' ? 3 : 2);
    const scores = await baselineOf(y, Object.keys(found[name]), { model, ...options });
    for (const [metric, value] of Object.entries(found[name])) {
      if (metric !== 'sensitivity') expect(scores?.[metric]).toEqual({ value: expect.closeTo(value, 9) });
    }
  });

  it('is .5 for the area under the curve, whatever the folds', async () => {
    expect(await baselineOf(binary, ['roc_auc'], { model: certain(2) })).toEqual({ roc_auc: { value: 0.5 } });
  });

  it('has no value where the other rows of a fold have no weight', async () => {
    const rows = { yTrue: [0, 1, 0, 1], yProba: [0.2, 0.7, 0.4, 0.9], fold: [0, 0, 1, 1], sampleWeight: [0, 0, 1, 2] };
    const { baseline } = await evaluate({ ...rows, metrics: ['roc_auc', 'accuracy'] });
    const none = { value: null, reason: 'a fold has no training row of a weight above 0' };
    expect(baseline).toEqual({ roc_auc: none, accuracy: none });
  });

  it('has no value where none can be had, and says why', async () => {
    expect(await baselineOf(binary, ['mcc'])).toEqual({
      mcc: { value: null, reason: expect.stringMatching(/one class/) },
    });
    const scores = await baselineOf(binary, [], { scoring: { mine: () => 1 } });
    expect(scores).toEqual({ mine: { value: null, reason: expect.stringMatching(/scoring function/) } });
  });

  it('stands beside no score that a constant prediction can win', async () => {
    const names = ['sensitivity', 'recall', 'specificity', 'precision', 'ppv', 'npv', 'f1', 'ece'];
    const scores = await baselineOf(binary, ['accuracy', ...names], { model: certain(2) });
    expect(scores?.accuracy.value).toBeGreaterThan(0);
    for (const name of names) {
      expect(scores?.[name]).toEqual({ value: null, reason: 'a prediction that is the same for all can be perfect' });
    }
  });

  it('has no value of probabilities where the model gives none', async () => {
    expect(await baselineOf(three, ['accuracy', 'log_loss'])).toMatchObject({
      accuracy: { value: expect.any(Number) },
      log_loss: { value: null, reason: 'the model gives no probabilities' },
    });
  });

  it('counts labels of several at once by label', async () => {
    const y = binary.map((label, row) => [label, row % 2]);
    const model = () => ({ fit, predict: (rows: number[][]) => rows.map(() => [1, 1]) });
    const scores = await baselineOf(y, ['hamming_loss'], { task: 'multilabel', model });
    // The first label is rare, so 0 is predicted; the second is half and half in every fold, so 0 is, too (not above .5).
    const wrong = y.flat().filter((label) => label === 1).length;
    expect(scores?.hamming_loss.value).toBeCloseTo(wrong / (2 * y.length), 12);
  });

  it('is told where the interval holds it', async () => {
    const learned = await new CVKitValidator({
      checkLeakage: false,
      checkBalance: false,
      metrics: ['accuracy', 'sensitivity'],
    }).validate({
      model: ones,
      X,
      y: X.map((_, row) => (row % 2) as number),
      cv: new KFold({ nSplits: 3 }),
      verbose: 0,
    });
    expect(learned.summary()).toMatch(/accuracy +0\.500 +0\.\d+ to 0\.\d+ +0\.500/);
    expect(learned.summary()).toContain('accuracy: The interval includes the baseline');
  });
});
