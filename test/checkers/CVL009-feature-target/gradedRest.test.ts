import { expect, it } from 'vitest';
import { graded } from '../../../src/checkers/CVL009-feature-target/levelProxies.js';

const levels = (...pairs: [number, number][]) => pairs.map(([units, inClass]) => ({ units, inClass }));

it('says whether levels tell a class', () => {
  expect(graded(levels([100, 10], [100, 50], [100, 90]), true)).toBe(true);
  expect(graded(levels([100, 50], [100, 52], [100, 48]), true)).toBe(false);
});

it('takes small levels for what they are: luck', () => {
  const alternating = Array.from({ length: 60 }, (_, at) => ({ units: 1, inClass: at % 2 }));
  expect([graded(alternating, false), graded(alternating, true)]).toEqual([false, false]);
});

it('has nothing to say of one level or one class', () => {
  expect([graded([], true), graded(levels([50, 20]), true), graded(levels([50, 0], [60, 0]), false)]).toEqual([
    false,
    false,
    false,
  ]);
});
