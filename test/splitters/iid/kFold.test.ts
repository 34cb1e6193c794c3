import { describe, expect, it } from 'vitest';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { casesOf, ourFolds } from '../sklearn.js';

describe('KFold equals scikit-learn 1.9.1 (test/reference/splitters.json)', () => {
  it.each(casesOf('KFold'))('%s', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });
});
