import { expect, it } from 'vitest';
import { siteArea } from '../../../src/checkers/CVL012-site-confounding/siteArea.js';
import { randomSource } from '../../../src/core/random.js';

it('is 1 where the site is the label, and about .5 where it is not, however many sites', () => {
  const codes = Int32Array.from({ length: 1000 }, (_, patient) => patient % 100);
  const told = codes.map((site) => site % 2);
  expect(siteArea(told, { codes, count: 100 }, randomSource(1))).toBe(1);
  const random = randomSource(2);
  const unrelated = codes.map(() => Number(random.random() < 0.5));
  // In the same patients, ten per site, the area would be about .68. Standard error .018.
  expect(Math.abs((siteArea(unrelated, { codes, count: 100 }, randomSource(1)) ?? 0) - 0.5)).toBeLessThan(0.06);
});

it('is null where no fold has both classes', () => {
  expect(
    siteArea(Int32Array.of(0, 0, 0, 0, 0), { codes: Int32Array.of(0, 1, 0, 1, 0), count: 2 }, randomSource(1)),
  ).toBeNull();
});
