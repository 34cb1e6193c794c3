import { expect, it } from 'vitest';
import { siteAccuracy } from '../../../src/checkers/CVL012-site-confounding/siteConfounding.js';
import { randomSource } from '../../../src/core/random.js';

const random = randomSource(4);
const codes = Int32Array.from({ length: 300 }, (_, patient) => (patient % 3 === 0 ? 0 : 1));
const sites = { codes, count: 2 };
const noise = (name: string) => ({
  name,
  values: codes.reduce((out, _, at) => out.fill(random.random() - 0.5, at), new Float64Array(300)),
});

it('tells sites that lie far apart, and none by noise', () => {
  const apart = {
    name: 'site',
    values: Float64Array.from(codes, (site) => (site ? -2 / 3 : 4 / 3) + 0.2 * random.random()),
  };
  expect(siteAccuracy([apart, noise('a')], sites, randomSource(1))).toEqual({ accuracy: 1, chance: 2 / 3 });
  // Noise can do no better than naming the larger site: 200 of 300, and chance moves that by a few patients.
  const { accuracy } = siteAccuracy([noise('a'), noise('b')], sites, randomSource(1));
  expect(Math.abs(accuracy - 2 / 3)).toBeLessThan(0.05);
});

it('takes more features than patients, and equal ones', () => {
  const few = { codes: codes.slice(0, 12), count: 2 };
  const same = noise('same');
  const many = Array.from({ length: 40 }, () => same);
  const { accuracy } = siteAccuracy(many, few, randomSource(1));
  expect(accuracy).toBeGreaterThanOrEqual(0);
  expect(accuracy).toBeLessThanOrEqual(1);
});
