import { expect, it } from 'vitest';
import { spaceOf } from '../../src/tuning/space.js';
import { probeParams } from '../../src/tuning/tune.js';

it('gives the defaults first, then draws of the space, the same again', () => {
  const space = spaceOf({ x: { low: 0, high: 1 } });
  const looks = [...probeParams(space, { x: 7 }, 1)];
  expect(looks[0]).toEqual({ x: 7 });
  expect(looks).toHaveLength(11);
  expect(new Set(looks.map(({ x }) => x)).size).toBe(11);
  expect([...probeParams(space, { x: 7 }, 1)]).toEqual(looks);
});

it('passes over draws that the function refuses, and throws where it refuses all', () => {
  const refusing = (below: number) =>
    spaceOf(({ number, suggestInt }) => {
      suggestInt('unused', 0, 1);
      if (number < below) throw new Error(`not ${number}`);
      return { number };
    });
  expect([...probeParams(refusing(8), undefined, 1)]).toEqual([{ number: 8 }, { number: 9 }]);
  expect(() => [...probeParams(refusing(10), undefined, 1)]).toThrow('not 0');
});
