import { describe, expect, it } from 'vitest';
import type { Label } from '../../src/data/labels.js';
import { positiveCode } from '../../src/data/positiveCode.js';
import { failure } from '../helpers/failure.js';

describe('positiveCode', () => {
  it.each([
    ['no', 'yes'],
    ['neg', 'pos'],
    ['negative', 'positive'],
    ['benign', 'malignant'],
    ['control', 'case'],
    ['healthy', 'disease'],
    ['normal', 'abnormal'],
    ['alive', 'dead'],
  ])('%s / %s are a well-known pair, in either order and any case', (negative, positive) => {
    expect(positiveCode([negative, positive])).toBe(1);
    expect(positiveCode([positive, negative])).toBe(0);
    expect(positiveCode([negative.toUpperCase(), positive])).toBe(1);
  });

  it.each<[string, Label[], Label]>([
    ['true', [false, true], true],
    ['the larger number', [0, 1], 1],
    ['the larger number', [-1, 1], 1],
    ['the larger number', [1, 2], 2],
  ])('takes %s', (_, classes, positive) => {
    expect(classes[positiveCode(classes)]).toBe(positive);
  });

  it('`positiveLabel` wins', () => {
    expect(positiveCode([0, 1], 0)).toBe(0);
    expect(positiveCode(['no', 'yes'], 'no')).toBe(0);
    expect(positiveCode([false, true], false)).toBe(0);
    expect(positiveCode(['A', 'B'], 'B')).toBe(1);
  });

  it('two other strings, or a pair that is torn, need `positiveLabel`', () => {
    expect(failure(() => positiveCode(['benign', 'yes']))).toMatch(
      /^positive_label: .*`positiveLabel`.*'benign'.*'yes'/,
    );
  });
});
