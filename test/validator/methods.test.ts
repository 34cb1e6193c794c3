import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { defaultMethod, methodNames, splitterOf } from '../../src/validator/methods.js';
import { validatorOptions } from '../../src/validator/validatorOptions.js';

const options = validatorOptions.resolve({});
const make = (method: string, written: string[] = []) => splitterOf(method, options, new Set(written));

describe('splitterOf', () => {
  it('passes the validator’s own defaults on explicitly', () => {
    expect(make('stratified_kfold')).toMatchObject({ options: { nSplits: 5, shuffle: true, randomState: 42 } });
    expect(make('repeated_kfold')).toMatchObject({ options: { nSplits: 5, nRepeats: 1, randomState: 42 } });
    expect(make('holdout')).toMatchObject({ options: { testSize: 0.2, stratify: null, randomState: 42 } });
  });

  it('drops the seed of the folds where nothing is drawn, so that it serves training alone', () => {
    const still = validatorOptions.resolve({ shuffle: false, randomState: 7 });
    expect(splitterOf('kfold', still, new Set(['shuffle', 'randomState']))).toMatchObject({
      options: { shuffle: false, randomState: null },
    });
  });

  it('makes a splitter that works for every name it lists', () => {
    const y = Array.from({ length: 60 }, (_, i) => i % 2);
    const groups = y.map((_, i) => Math.floor(i / 2));
    for (const method of methodNames()) expect(foldsOf(make(method), 60, y, { groups }).length).toBeGreaterThan(0);
  });
});

describe('defaultMethod', () => {
  it.each([
    ['binary', false, 'stratified_kfold'],
    ['multiclass', true, 'stratified_group_kfold'],
    ['regression', false, 'kfold'],
    ['regression', true, 'patient_grouped_kfold'],
  ] as const)('%s, repeated patients %s: %s', (task, repeated, method) => {
    expect(defaultMethod(task, repeated).method).toBe(method);
  });

  it('asks for a method when y is multilabel', () => {
    expect(() => defaultMethod('multilabel', false)).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`method\` option of CVKitValidator must be named for a multilabel y. Got nothing. Use method: 'kfold', or 'patient_grouped_kfold' with groups.]`,
    );
  });
});
