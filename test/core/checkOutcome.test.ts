import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../src/core/checkOutcome.js';

const failed = (...examples: unknown[]) => examplesOf({ status: 'failed', evidence: { examples } });

describe('examplesOf', () => {
  it('writes each example as a line: fold first, rows by their side, what is missing left out', () => {
    expect(failed({ fold: 'fold-0', train: 3, test: 17, patient: '#1a2b3c4d', level: null })).toEqual([
      'fold-0, training row 3, test row 17, patient #1a2b3c4d',
    ]);
    expect(failed({ feature: 'age', differenceInSd: 1.23456 })).toEqual(['feature age, difference in sd 1.235']);
  });

  it('does not say twice what a feature without a name is', () => {
    expect(failed({ feature: 'feature 3', kind: 'patient' })).toEqual(['feature 3, kind patient']);
  });

  it('has none for a check that passed', () => {
    expect(examplesOf({ status: 'passed', evidence: { examples: [{ feature: 'age' }] } })).toEqual([]);
  });
});
