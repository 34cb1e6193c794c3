/** Ranges and choices: what they hold, count and refuse. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Distribution } from '../../src/core/tuningTrial.js';
import {
  atStep,
  categoricalDistribution,
  choiceIndex,
  countOf,
  distributionText,
  floatDistribution,
  holds,
  intDistribution,
  sameDistribution,
  valuesOf,
} from '../../src/tuning/distribution.js';
import { anyDistribution, countable } from '../helpers/distributions.js';

describe('any distribution', () => {
  it('holds all its values, and counts them', () => {
    fc.assert(
      fc.property(countable, (distribution) => {
        const values = valuesOf(distribution) ?? [];
        expect(values).toHaveLength(countOf(distribution));
        expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(values.length);
        for (const value of values) expect(holds(distribution, value)).toBe(true);
      }),
    );
  });

  it('holds its bounds, and nothing beyond them or between two steps', () => {
    fc.assert(
      fc.property(anyDistribution, (distribution) => {
        if (distribution.kind === 'categorical') return;
        const { low, high, step } = distribution;
        expect([holds(distribution, low), holds(distribution, high)]).toEqual([true, true]);
        // Of large numbers there are none between two steps.
        if (step === null || low === high || Math.max(Math.abs(low), Math.abs(high)) > 1e9 * step) return;
        for (const value of [low - step, high + step, low + step / 2, high - step / 3]) {
          expect(holds(distribution, value)).toBe(false);
        }
      }),
    );
  });

  it('is the same after JSON', () => {
    fc.assert(
      fc.property(anyDistribution, (distribution) => {
        const again: Distribution = JSON.parse(JSON.stringify(distribution));
        expect(sameDistribution(again, distribution)).toBe(true);
        for (const value of again.kind === 'categorical' ? again.choices : [again.low, again.high]) {
          expect(holds(distribution, value)).toBe(true);
        }
      }),
    );
  });

  it('holds no other kind of value', () => {
    fc.assert(
      fc.property(anyDistribution, (distribution) => {
        for (const value of [Number.NaN, Infinity, undefined, [], {}, new Date(0), '1', 1n]) {
          const isChoice = distribution.kind === 'categorical' && choiceIndex(distribution, value) >= 0;
          expect(holds(distribution, value)).toBe(isChoice);
        }
      }),
    );
  });
});

describe('steps', () => {
  it('have no noise', () => {
    expect(valuesOf(floatDistribution('x', 0, 1, { step: 0.1 }))).toEqual([
      0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
    ]);
    expect(valuesOf(floatDistribution('x', -0.3, 0.3, { step: 0.1 }))).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
    expect(atStep(-100, 0.1, 1001)).toBe(0.1);
    expect(atStep(0, 0.1, 123_456_789_012)).toBe(12_345_678_901.2);
  });

  it('end at the last one within the range', () => {
    expect(floatDistribution('x', 0, 0.95, { step: 0.1 }).high).toBe(0.9);
    expect(floatDistribution('x', 0, 0.7 - 0.4, { step: 0.1 }).high).toBe(0.3);
    expect(floatDistribution('x', 0, 1e9, { step: 0.1 }).high).toBe(1e9);
    expect(floatDistribution('x', 0.8, 0.9, { step: 0.1 }).high).toBe(0.9);
    expect(intDistribution('n', 1, 10, { step: 4 }).high).toBe(9);
    expect(intDistribution('n', 3, 3, { step: 4 }).high).toBe(3);
  });

  it('begin at the lower bound, whatever its digits', () => {
    const thirds = floatDistribution('x', 1 / 3, 1, { step: 1 / 3 });
    expect(thirds.low).toBe(1 / 3);
    expect(holds(thirds, 1 / 3)).toBe(true);
    const large = intDistribution('n', Number.MAX_SAFE_INTEGER - 3, Number.MAX_SAFE_INTEGER);
    expect(valuesOf(large)).toEqual([3, 2, 1, 0].map((less) => Number.MAX_SAFE_INTEGER - less));
  });

  it('are held as other libraries add them, whole numbers as such alone', () => {
    expect(holds(floatDistribution('x', 0, 1, { step: 0.1 }), 0.1 + 0.2)).toBe(true);
    expect(holds(intDistribution('n', 0, 9), 3.0)).toBe(true);
    expect(holds(intDistribution('n', 0, 9), 3 + 1e-10)).toBe(false);
  });
});

describe('choices', () => {
  it('are told apart by kind', () => {
    const given = categoricalDistribution('k', [1, '1', [1], '[1]', null, 'null', true, 'true', { a: 1 }]);
    given.choices.forEach((choice, at) => {
      expect(choiceIndex(given, structuredClone(choice))).toBe(at);
    });
    expect(choiceIndex(given, [2])).toBe(-1);
  });

  it('do not change with the list that was given', () => {
    const list = [[1], [2]];
    const given = categoricalDistribution('k', list);
    list[0].push(9);
    list.pop();
    expect(given.choices).toEqual([[1], [2]]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no list', 'abc', /a list of choices. Got 'abc'/],
    ['none', [], /at least one choice/],
    ['NaN', [1, Number.NaN], /plain data.*Got NaN/],
    ['a date', [new Date(0)], /plain data.*Got 1970.*Give each choice a name/],
    ['undefined within a list', [[undefined]], /plain data/],
    ['a class', [Map], /plain data.*the function Map/],
    ['the same twice', [[1], [1]], /each choice once. Got \[1\] twice/],
    ['0 and -0', [0, -0], /each choice once/],
  ])('cannot be %s', (_name, choices, message) => {
    expect(() => categoricalDistribution('k', choices as never)).toThrow(message);
  });
});

it.each<[string, () => unknown, RegExp]>([
  ['NaN', () => floatDistribution('x', Number.NaN, 1), /finite number as `low`. Got NaN/],
  ['an infinite bound', () => floatDistribution('x', 0, Number.POSITIVE_INFINITY), /finite number as `high`/],
  ['low above high', () => floatDistribution('x', 2, 1), /Got 2 and 1. Swap them/],
  ['log from 0', () => floatDistribution('x', 0, 1, { log: true }), /begin above 0/],
  ['log and step', () => floatDistribution('x', 1, 2, { log: true, step: 1 }), /`log` or `step`/],
  ['a step of 0', () => floatDistribution('x', 1, 2, { step: 0 }), /`step` above 0/],
  ['a step that is text', () => floatDistribution('x', 1, 2, { step: '1' as never }), /`step` above 0. Got '1'/],
  ['a step larger than the range', () => floatDistribution('x', 1, 2, { step: 3 }), /at most 1, the width/],
  ['a log that is no boolean', () => floatDistribution('x', 1, 2, { log: 1 as never }), /true or false as `log`/],
  ['whole numbers with decimals', () => intDistribution('n', 0.5, 2), /whole number as `low`. Got 0.5/],
  ['log of whole numbers from 0', () => intDistribution('n', 0, 2, { log: true }), /begin above 0/],
])('refuses %s', (_name, make, message) => {
  expect(make).toThrow(message);
  expect(make).toThrow(expect.objectContaining({ code: 'invalid_space' }));
});

it('says what it is as it would be written', () => {
  expect(distributionText(floatDistribution('x', 0.1, 1, { log: true }))).toBe('0.1 to 1 on the logarithmic scale');
  expect(distributionText(intDistribution('n', 1, 9, { step: 2 }))).toBe('1 to 9 in steps of 2');
  expect(distributionText(categoricalDistribution('k', ['a', 2]))).toBe('one of ["a",2]');
});
