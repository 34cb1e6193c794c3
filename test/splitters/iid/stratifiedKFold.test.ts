import { describe, expect, it } from 'vitest';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { casesOf, ourFolds } from '../sklearn.js';

describe('StratifiedKFold equals scikit-learn 1.9.1 (test/reference/splitters.json)', () => {
  it.each(casesOf('StratifiedKFold'))('%s', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });
});
