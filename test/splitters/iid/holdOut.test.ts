import { describe, expect, it } from 'vitest';
import { HoldOut } from '../../../src/splitters/iid/holdOut.js';
import { casesOf, ourFolds } from '../sklearn.js';

describe('HoldOut equals scikit-learn 1.9.1 (test/reference/splitters.json)', () => {
  it.each(casesOf('HoldOut'))('%s', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });
});
