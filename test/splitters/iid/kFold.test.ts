import { describe, expect, it } from 'vitest';
import { KFold, type KFoldOptions } from '../../../src/splitters/iid/kFold.js';

describe('KFold', () => {
  it('makes lazy folds with ids, ascending rows and blocks in order', () => {
    expect([...new KFold({ nSplits: 3 }).split(7)]).toEqual([
      { id: 'fold-0', train: Int32Array.of(3, 4, 5, 6), test: Int32Array.of(0, 1, 2) },
      { id: 'fold-1', train: Int32Array.of(0, 1, 2, 5, 6), test: Int32Array.of(3, 4) },
      { id: 'fold-2', train: Int32Array.of(0, 1, 2, 3, 4), test: Int32Array.of(5, 6) },
    ]);
  });

  it('takes snake_case names and the alias of the class keeps its options', () => {
    const options = { n_splits: 3, shuffle: true, random_state: 1 } as KFoldOptions;
    expect([...new KFold(options).split(9)]).toEqual([
      ...new KFold({ nSplits: 3, shuffle: true, randomState: 1 }).split(9),
    ]);
    expect(KFold.facts.aliases).toEqual(['KFoldMedical']);
  });

  it('takes string seeds, and a source that goes on from call to call', () => {
    const draw = (randomState: KFoldOptions['randomState']) =>
      JSON.stringify([...new KFold({ shuffle: true, randomState }).split(30)]);
    expect(draw('a')).toBe(draw('a'));
    expect(draw('a')).not.toBe(draw('b'));
    expect(draw(null)).not.toBe(draw(null));
  });

  it('needs only the number of rows, and takes the data in the place of y', () => {
    const rows = Array.from({ length: 6 }, (_, row) => [row]);
    const folds = [...new KFold({ nSplits: 2 }).split(6)];
    expect([...new KFold({ nSplits: 2 }).split(rows)]).toEqual(folds);
    expect([...new KFold({ nSplits: 2 }).split(rows, { groups: [1, 1, 2, 2, 3, 3] })]).toEqual(folds);
  });
});
