import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK, neighbourBlocks, PART } from '../../../src/checkers/CVL003-near-duplicate/pairsWithin.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';

const areNear = (data: Float64Array, i: number, j: number) =>
  (data[2 * i] - data[2 * j]) ** 2 + (data[2 * i + 1] - data[2 * j + 1]) ** 2 <= 0.01 ** 2;

describe('neighbourBlocks', () => {
  it('has every row once, and gives up the blocks whose boxes are further apart than the reach', () => {
    fc.assert(
      fc.property(
        fc.record({
          n: fc.integer({ min: 0, max: 40 * BLOCK }),
          count: fc.integer({ min: 1, max: 3 }),
          reach: fc.double({ min: 0, max: 1, noNaN: true }),
          levels: fc.constantFrom(2, 50, 1e9),
          seed: fc.nat(),
        }),
        ({ n, count, reach, levels, seed }) => {
          const random = randomSource(seed);
          const data = Float64Array.from({ length: n * count }, () => Math.floor(levels * random.random()) / levels);
          const blocks = neighbourBlocks({ data, count }, reach);
          expect([...blocks.order].sort((a, b) => a - b)).toEqual([...Array(n).keys()]);
          expect(blocks.count).toBe(Math.ceil(n / BLOCK));
          const boxOf = (block: number, size = BLOCK) =>
            Array.from({ length: count }, (_, axis) => {
              const rows = Array.from(blocks.order.subarray(block * size, (block + 1) * size));
              const along = rows.map((row) => data[row * count + axis]);
              return [Math.min(...along), Math.max(...along)];
            });
          const boxes = Array.from({ length: blocks.count }, (_, block) => boxOf(block));
          const areNear = (one: number[][], other: number[][]) => {
            const gaps = one.map(([low, high], axis) => Math.max(0, low - other[axis][1], other[axis][0] - high));
            return gaps.reduce((sum, gap) => sum + gap * gap, 0) <= reach * reach;
          };
          boxes.forEach((one, a) => {
            const expected = [...boxes.keys()].filter((b) => b >= a && areNear(one, boxes[b]));
            expect(blocks.near(a)).toEqual(expected);
          });
          const parts = Array.from({ length: Math.ceil(n / PART) }, (_, part) => boxOf(part, PART));
          const last = blocks.count - 1;
          parts.forEach((one, part) => {
            const [from, to] = blocks.nearPart(part, last);
            const near = parts.slice((last * BLOCK) / PART).map((other) => areNear(one, other));
            const [first, end] = [near.indexOf(true), near.lastIndexOf(true) + 1];
            if (end === 0) expect(from).toBe(to);
            else expect([from, to]).toEqual([first * PART, end * PART]);
          });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('puts rows together in two steps where they are many, with parts in any block', () => {
    const random = randomSource(6);
    const n = 9000;
    const data = Float64Array.from({ length: 2 * n }, () => random.random());
    const blocks = neighbourBlocks({ data, count: 2 }, 0.01);
    expect([...blocks.order].sort((a, b) => a - b)).toEqual([...Array(n).keys()]);
    let pairs = 0;
    for (let a = 0; a < blocks.count; a++) {
      for (const b of blocks.near(a)) {
        for (let part = (a * BLOCK) / PART; part < Math.min(Math.ceil(n / PART), ((a + 1) * BLOCK) / PART); part++) {
          const [from, to] = blocks.nearPart(part, b);
          const [own, others] = [
            blocks.order.subarray(part * PART, (part + 1) * PART),
            blocks.order.subarray(b * BLOCK + from, Math.min(n, b * BLOCK + to)),
          ];
          for (const i of own) for (const j of others) if (i < j || a !== b) pairs += Number(areNear(data, i, j));
        }
      }
    }
    let expected = 0;
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) expected += Number(areNear(data, i, j));
    expect(pairs).toBe(expected);
    expect(expected).toBeGreaterThan(1000);
  });

  it('gives up most pairs of blocks where rows fill three dimensions', () => {
    const random = randomSource(4);
    const blocks = neighbourBlocks(
      { data: Float64Array.from({ length: 3 * 64 * BLOCK }, () => normal(random)), count: 3 },
      0.05,
    );
    let near = 0;
    for (let a = 0; a < blocks.count; a++) near += blocks.near(a).filter((b) => b !== a).length;
    // 64 boxes, four to a side: a box touches 26 others at most, of 63.
    expect(near).toBeLessThan((64 * 26) / 2);
  });
});
