import { describe, expect, it } from 'vitest';
import { frozenCopy } from '../../src/core/frozenCopy.js';

describe('frozenCopy', () => {
  it('is equal, and nothing that is written to it reaches what was copied', () => {
    const made = { scores: { auc: { value: 0.8 } }, rows: [[1], [2]], table: Float64Array.of(1, 2), none: null };
    const copy = frozenCopy(made);
    expect(copy).toEqual(made);
    copy.table[0] = 9;
    expect(made.table[0]).toBe(1);
    expect(() => {
      copy.scores.auc.value = 1;
    }).toThrow(TypeError);
    expect(() => copy.rows[0].push(3)).toThrow(TypeError);
    expect(() => Object.assign(copy, { more: 1 })).toThrow(TypeError);
  });

  it('copies errors with their class, and leaves instances and functions as they are', () => {
    class Model {}
    const made = { error: new RangeError('far', { cause: 'x' }), model: new Model(), call: () => 1 };
    const copy = frozenCopy(made);
    expect(copy.error).toBeInstanceOf(RangeError);
    expect([copy.error.message, copy.error.cause]).toEqual(['far', 'x']);
    expect(() => {
      copy.error.message = 'near';
    }).toThrow(TypeError);
    expect([copy.model, copy.call]).toEqual([made.model, made.call]);
    expect(copy.model).toBe(made.model);
  });

  it('takes what holds itself, and the key __proto__', () => {
    const made: { self?: unknown } = {};
    made.self = made;
    const copy = frozenCopy(made);
    expect(copy.self).toBe(copy);
    const odd = frozenCopy(JSON.parse('{ "__proto__": { "reason": "no" } }'));
    expect([Object.keys(odd), odd.reason]).toEqual([['__proto__'], undefined]);
  });

  it('copies dates, which cannot be frozen', () => {
    const given = { at: [new Date(0)] };
    const copy = frozenCopy(given);
    copy.at[0].setTime(5);
    expect(given.at[0].getTime()).toBe(0);
  });
});
