import { describe, expect, it } from 'vitest';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { recognise, rowCount } from '../../src/data/rowKinds.js';
import { rowsOf } from '../../src/data/rows.js';
import { failure } from '../helpers/failure.js';
import { matrix } from '../helpers/matrix.js';

describe('recognise', () => {
  it('reads no row of a source, and gives a view back as it is', () => {
    let reads = 0;
    const source = { length: 3, take: () => ++reads };
    const { kind, length } = recognise(source, 'X');
    expect([kind, length, reads]).toEqual(['source', 3, 0]);
    const view = rowsOf([[1], [2]]);
    expect(recognise(view, 'X')).toBe(view);
  });

  it('the arguments of a call in their place', async () => {
    const X = matrix('1 2 | 3 4');
    expect(failure(() => rowsOf({ X, patient_ids: ['a', 'a'] }))).toContain('the keys X, patient_ids');
    await expect(new DataLeakageChecker().check({ X, groups: ['a', 'a'] } as never)).rejects.toThrow('must be rows');
    // Inputs of a network, and columns, may be called X.
    expect(rowsOf({ X, age: [1, 2] }).kind).toBe('inputs');
    expect(rowsOf({ X: [1, 2], y1: [1, 2] }).kind).toBe('columns');
  });

  it('a negative number of rows', () => {
    expect(failure(() => rowsOf({ length: -1, take: () => [] }))).toMatch(/^invalid_data: .*Got -1/);
    expect(failure(() => rowsOf({ rows: -2, columns: 1, get: () => 0 }))).toMatch(/^invalid_data: .*Got -2/);
  });

  it('a window that is none', () => {
    for (const window of [0, 1.5, Number.NaN, '8']) {
      expect(failure(() => rowsOf({ length: 3, window, take: () => [[1]] }))).toContain('The window of X must be');
    }
  });

  it('something else', () => {
    for (const other of [5, 'text', null, undefined, new Map(), () => 1]) {
      expect(failure(() => rowsOf(other))).toMatch(/^invalid_data: X must be rows \(.*\)\. Got /);
    }
  });
});

describe('rowCount', () => {
  it('a count that is none', () => {
    for (const count of [0, -1, 1.5, Number.NaN]) expect(failure(() => rowCount(count))).toContain('Got ');
    expect(rowCount(7)).toBe(7);
  });
});
