import { expect, it } from 'vitest';
import { snakeCase } from '../../src/core/names.js';

// Expected names: section 1 of the contract and the parameters of the Python interface.
it.each([
  ['nSplits', 'n_splits'],
  ['hasLeakage', 'has_leakage'],
  ['XTrain', 'X_train'],
  ['X', 'X'],
  ['lrPositive', 'lr_positive'],
  ['lpocvP', 'lpocv_p'],
  ['patientIdsTrain', 'patient_ids_train'],
  ['toJSON', 'to_json'],
  ['f1Macro', 'f1_macro'],
  ['n_splits', 'n_splits'],
])('snakeCase %s -> %s', (name, expected) => {
  expect(snakeCase(name)).toBe(expected);
});
