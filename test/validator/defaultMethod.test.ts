import { describe, expect, it } from 'vitest';
import { defaultMethod } from '../../src/validator/defaultMethod.js';

describe('defaultMethod', () => {
  it.each([
    ['binary', false, 'stratified_kfold'],
    ['multiclass', true, 'stratified_group_kfold'],
    ['regression', false, 'kfold'],
    ['regression', true, 'patient_grouped_kfold'],
    ['multilabel', false, 'multilabel_stratified_kfold'],
    ['multilabel', true, 'multilabel_stratified_group_kfold'],
  ] as const)('%s, repeated patients %s: %s', (task, repeated, method) => {
    expect(defaultMethod(task, repeated).method).toBe(method);
  });

  it('masks are no labels to balance', () => {
    expect(defaultMethod('multilabel', false, true)).toEqual({ method: 'kfold', why: 'y is masks' });
    expect(defaultMethod('multilabel', true, true)).toEqual({
      method: 'patient_grouped_kfold',
      why: 'patients repeat',
    });
  });
});
