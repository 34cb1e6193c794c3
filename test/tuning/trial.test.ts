/** A trial by itself: names, values and notes of every kind. */
import { describe, expect, it } from 'vitest';
import { Study } from '../../src/tuning/study.js';

const begun = () => new Study({ sampler: 'random' }).ask();

describe('Trial', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '0'])('takes %j as a name', (name) => {
    const study = new Study({ sampler: 'random' });
    study.enqueueTrial({ [name]: 3 });
    for (const expected of [3, expect.any(Number)]) {
      const trial = study.ask();
      const value = trial.suggestInt(name, 1, 9);
      expect(value).toEqual(expected);
      expect(trial.suggestInt(name, 1, 9)).toBe(value);
      expect(Object.entries(trial.params)).toEqual([[name, value]]);
      expect(Object.keys(trial.distributions)).toEqual([name]);
      trial.setUserAttr(name, 1);
      expect(Object.entries(study.tell(trial, 1).userAttrs)).toEqual([[name, 1]]);
      expect(() => study.ask().suggestInt(name, 1, 10)).toThrow(/one range in the whole study/);
    }
    study.setUserAttr(name, 2);
    expect(Object.entries(study.userAttrs)).toEqual([[name, 2]]);
  });

  it('keeps what it gave, whatever the objective does to it', () => {
    const study = new Study({ sampler: 'random' });
    const trial = study.ask();
    const layers = trial.suggestCategorical('layers', [[8, 4]]) as number[];
    expect(() => layers.push(2)).toThrow(TypeError);
    expect(study.tell(trial, 1).params).toEqual({ layers: [8, 4] });
  });

  it('takes whole numbers as they are written', () => {
    const trial = begun();
    expect(trial.suggestInt('n', 3.0, 3.0)).toBe(3);
    expect(() => trial.suggestInt('m', 0, 2.5)).toThrow(/whole number as `high`. Got 2.5/);
    expect(() => trial.suggestFloat('n', 3, 3)).toThrow(/one range/);
  });

  it('reports numbers at steps, and nothing once it has ended', () => {
    const study = new Study({ sampler: 'random' });
    const trial = study.ask();
    trial.report(2, 3);
    trial.report(Number.NaN, 1);
    expect(() => trial.report('1' as never, 2)).toThrow(/be a number. Got '1'/);
    expect(() => trial.report(1, -1)).toThrow(/integer from 0. Got -1/);
    const { intermediateValues } = study.tell(trial, 1);
    expect(Object.fromEntries(intermediateValues)).toEqual({ 1: Number.NaN, 3: 2 });
    expect(() => trial.report(1, 4)).toThrow(/Trial 0 must be running to report. Got one that is complete/);
    expect(trial.shouldPrune()).toBe(false);
  });
});
