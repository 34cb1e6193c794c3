import { describe, expect, it } from 'vitest';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { casesOf, ourFolds } from '../sklearn.js';

describe('GroupKFold equals scikit-learn 1.9.1 (test/reference/splitters.json)', () => {
  it.each(casesOf('GroupKFold'))('%s', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });
});
