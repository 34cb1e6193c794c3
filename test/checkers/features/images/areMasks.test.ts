import { expect, it } from 'vitest';
import { readFeatures } from '../../../../src/checkers/features/features.js';
import { areMasks } from '../../../../src/checkers/features/images/areMasks.js';
import { rowsOf } from '../../../../src/data/rows.js';

const SIDE = 32;
const disc = (row: number) =>
  Array.from({ length: SIDE ** 2 }, (_, at) =>
    Math.hypot(Math.floor(at / SIDE) - 10 - (row % 7), (at % SIDE) - 16) < 5 + (row % 4) ? 255 : 0,
  );
const flat = () => new Array<number>(SIDE ** 2).fill(0);
const shaded = (row: number) => disc(row).map((value, at) => value + (at % 5));
const judged = async (images: number[][]) => {
  const rows = rowsOf({ data: Uint16Array.from(images.flat()), shape: [images.length, SIDE, SIDE] });
  const { images: [image] = [] } = await readFeatures(rows);
  return areMasks(image!);
};
const list = (length: number, make: (row: number) => number[]) => Array.from({ length }, (_, row) => make(row));

it('takes images of two values for masks, empty ones among them, and neither pictures nor a few among blank ones', async () => {
  expect(await judged(list(20, disc))).toBe(true);
  expect(await judged([...list(12, disc), ...list(40, flat)])).toBe(true);
  expect(await judged([...list(9, disc), ...list(40, flat)])).toBe(false);
  expect(await judged([...list(12, disc), ...list(12, shaded)])).toBe(false);
  expect(await judged(list(20, flat))).toBe(false);
});
