import { expect, it } from 'vitest';
import { spaceOf } from '../../src/tuning/space.js';
import { firstLooks } from '../../src/tuning/tune.js';

it('gives the defaults first, then draws of the space, the same again', () => {
  const space = spaceOf({ x: { low: 0, high: 1 } });
  const looks = [...firstLooks(space, { x: 7 }, 1)];
  expect(looks[0]).toEqual({ x: 7 });
  expect(looks).toHaveLength(11);
  expect(new Set(looks.map(({ x }) => x)).size).toBe(11);
  expect([...firstLooks(space, { x: 7 }, 1)]).toEqual(looks);
});

it('passes over draws that the function refuses, and throws where it refuses all', () => {
  const refusing = (below: number) =>
    spaceOf(({ number, suggestInt }) => {
      suggestInt('unused', 0, 1);
      if (number < below) throw new Error(`not ${number}`);
      return { number };
    });
  expect([...firstLooks(refusing(8), undefined, 1)]).toEqual([{ number: 8 }, { number: 9 }]);
  expect(() => [...firstLooks(refusing(10), undefined, 1)]).toThrow('not 0');
});
