import { expect, it } from 'vitest';
import { permutedAssociation } from '../../../src/checkers/CVL012-site-confounding/permutedAssociation.js';
import { type RandomSource, randomInterval, randomSource } from '../../../src/core/random.js';

const draw = (random: RandomSource, n: number, count: number) => ({
  codes: Int32Array.from({ length: n }, () => randomInterval(random, count - 1)),
  count,
});

it('is near the smallest p-value where the site is the label', () => {
  const sites = draw(randomSource(1), 100, 3);
  const labels = { values: sites.codes.map((site) => Number(site === 0)), classes: 2 };
  expect(permutedAssociation(labels, [sites], randomSource(2))).toBe(1 / 1000);
});

it.each(['classes', 'numbers'])('has uniform p-values where nothing is the matter, %s', (kind) => {
  // 200 simulations; the Kolmogorov-Smirnov distance stays below 1.628 / sqrt(200) with probability .99 (Smirnov 1948).
  const random = randomSource(20);
  const found = Array.from({ length: 200 }, () => {
    const labels =
      kind === 'classes'
        ? { values: draw(random, 200, 2).codes, classes: 2 }
        : { values: Float64Array.from({ length: 200 }, () => random.random()) };
    return permutedAssociation(labels, [draw(random, 200, 5), draw(random, 200, 12)], random);
  }).sort((a, b) => a - b);
  const distance = Math.max(...found.map((p, at) => Math.max(Math.abs(p - at / 200), Math.abs(p - (at + 1) / 200))));
  expect(distance).toBeLessThan(1.628 / Math.sqrt(200));
});
