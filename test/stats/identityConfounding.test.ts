import { describe, expect, it } from 'vitest';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { identityConfounding } from '../../src/stats/identityConfounding.js';
import { Neighbours, people } from './recognisers.js';

const model = () => new Neighbours();
const options = { model, nPermutations: 19 };
const person = people({ patients: 30, own: 3 });

describe('identityConfounding', () => {
  it('is failed with row-wise folds where rows tell persons apart and nothing else', async () => {
    const check = await identityConfounding({ ...options, ...person });
    expect(check).toMatchObject({ code: 'CVL013', type: 'identity_confounding', kind: 'leakage', status: 'failed' });
    expect(check.pValue).toBeLessThan(0.01);
    expect(check.permutedMean).toBeGreaterThan(0.6);
    expect(check.chance).toBeCloseTo(0.5, 12);
    expect(check.share).toBeGreaterThan(0.5);
    expect(check.evidence).toMatchObject({ patients: 30, patientsOnBothSides: 30 });
    const [example] = check.evidence.examples as { train: number; test: number; patient: string }[];
    expect(person.groups[example.train]).toBe(person.groups[example.test]);
    expect(example.patient).toMatch(/^#[0-9a-f]{8}$/);
  });

  it('is passed with grouped folds on the same rows', async () => {
    const cv = new StratifiedGroupKFold({ randomState: 1 });
    const check = await identityConfounding({ ...options, ...person, cv });
    expect(check).toMatchObject({ status: 'passed', severity: 'none', fix: '' });
    expect(check.evidence).toMatchObject({ patientsOnBothSides: 0, examples: [] });
  });

  it('is passed where rows tell the disease and no person, also with row-wise folds and one row per patient', {
    tags: 'slow',
  }, async () => {
    const ill = await identityConfounding({ ...options, ...people({ patients: 40, signal: 2 }) });
    expect(ill.status).toBe('passed');
    expect(ill.observed).toBeGreaterThan(0.75);
    expect(ill.signalPValue).toBe(1 / 20);
    const single = await identityConfounding({ ...options, ...people({ patients: 60, rows: 1, signal: 2 }) });
    expect(single.status).toBe('passed');
    expect(single.notes.at(-1)).toBe('Every patient has one row, so there is no person to know again.');
    expect(ill.summary()).not.toContain('no person to know');
  });

  it('judges other tasks and metrics by the chance that suits them', async () => {
    const accuracy = await identityConfounding({ ...options, ...person, metric: 'accuracy' });
    expect(accuracy.status).toBe('failed');
    expect(Math.abs((accuracy.chance as number) - 0.5)).toBeLessThan(0.02);
    // A number per patient: neighbours give the mean of the three nearest.
    const numbers = person.groups.map((id) => Math.sin(Number(id.slice(8)) * 7));
    class Plain {
      inner = new Neighbours();
      fit(X: number[][], y: number[]) {
        this.inner.fit(X, y);
      }
      predict(X: number[][]) {
        return this.inner.predictProba(X).map(([, share]) => share);
      }
    }
    const rmse = await identityConfounding({ ...person, model: () => new Plain(), y: numbers, nPermutations: 19 });
    expect(rmse).toMatchObject({ metric: 'rmse', status: 'failed' });
    expect(rmse.permutedMean).toBeLessThan(rmse.chance as number);
  });

  it('is not evaluated with labels that vary, with few patients, or when it could see nothing', async () => {
    const visits = person.y.map((_, row) => row % 2);
    const varying = await identityConfounding({ ...options, ...person, y: visits });
    const few = await identityConfounding({ ...options, ...people({ patients: 6 }) });
    expect([varying, few].map(({ status, message, pValue }) => [status, message, pValue])).toEqual([
      ['not_evaluated', expect.stringMatching(/ 30 of 30 patients /), null],
      ['not_evaluated', expect.stringMatching(/^6 patients .* 10\./), null],
    ]);
    const metric = 'roc_auc';
    const blind = await identityConfounding({ ...options, ...people({ patients: 10, rows: 1 }), metric });
    expect(blind.status).toBe('not_evaluated');
    expect(varying.summary()).toContain('not_evaluated');
  });

  it('repeats itself for a seed and leaves its input alone', { tags: 'slow' }, async () => {
    const before = JSON.stringify(person);
    const [one, again] = [
      await identityConfounding({ ...options, ...person }),
      await identityConfounding({ ...options, ...person }),
    ];
    expect(again.permutedMean).toBe(one.permutedMean);
    expect(JSON.stringify(person)).toBe(before);
  });

  // Each fold tests one of the four rows of every patient. A model that knows the label of a person is always right, on
  // moved labels, too (AUC 1 each time): all of the score is who the person is.
  it('reads like this', async () => {
    const patients = Array.from({ length: 40 }, (_, row) => row >> 2);
    class Acquainted {
      known = new Map<number, number>();
      fit(X: number[][], y: number[]) {
        X.forEach(([who], at) => void this.known.set(who, y[at]));
      }
      predict(X: number[][]) {
        return X.map(([who]) => this.known.get(who) as number);
      }
      predictProba(X: number[][]) {
        return this.predict(X).map((p) => [1 - p, p]);
      }
    }
    const check = await identityConfounding({
      model: () => new Acquainted(),
      X: patients.map((who) => [who]),
      y: patients.map((who) => who % 2),
      groups: patients,
      cv: new PredefinedSplit({ testFold: patients.map((_, row) => row % 4) }),
      nPermutations: 19,
    });
    expect(check).toMatchObject({ observed: 1, permutedMean: 1, chance: 0.5, share: 1, signalPValue: 1 });
    expect(check.summary().replace(/\s+/g, ' ')).toBe(
      `Identity confounding (CVL013): failed With labels moved between patients roc_auc is 1.000 on average, by chance 0.500 (p < .001): the model recognises persons, which accounts for 100 % of how far 1.000 lies above chance. Fix: Use folds of whole patients: StratifiedGroupKFold, or GroupKFold for regression. Exchanged: 10 patients, each with one label. The folds were the same each time. Of 50 random moves the one was taken whose labels have least to do with the true ones.`,
    );
  });
});
