import { describe, expect, it } from 'vitest';
import { RepeatedKFold } from '../../../src/splitters/iid/repeatedKFold.js';
import { casesOf, ourFolds } from '../sklearn.js';

describe('RepeatedKFold equals scikit-learn 1.9.1 (test/reference/splitters.json)', () => {
  it.each(casesOf('RepeatedKFold'))('%s', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });
});
