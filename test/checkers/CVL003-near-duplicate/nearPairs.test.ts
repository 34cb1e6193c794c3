import { describe, expect, it } from 'vitest';
import { type NearOptions, nearPairs } from '../../../src/checkers/CVL003-near-duplicate/nearPairs.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { randomSource } from '../../../src/core/random.js';
import { type RowsInput, rowsOf } from '../../../src/data/rows.js';
import { normal } from './normal.js';

const draws = randomSource(8);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));
const search = async (X: RowsInput, options: Partial<NearOptions> = {}) => {
  const features = await readFeatures(rowsOf(X));
  const { n } = features;
  return nearPairs(features, { units: n, crossPairs: (n * (n - 1)) / 2, random: randomSource(1), ...options });
};
/** The first `copies` rows once more, with noise, as the last ones. */
const withCopies = (X: number[][], copies: number, noise: number) =>
  X.map((cells, row) => {
    const from = X.length - 1 - row;
    return from < copies ? X[from].map((value) => value + noise * normal(draws)) : cells;
  });

/** 16 x 16 pixels, each the mean of the 7 x 7 around it. */
const smooth = (pixels: number[]) =>
  pixels.map((_, at) => {
    const [y, x] = [at >> 4, at % 16];
    let [sum, count] = [0, 0];
    for (let dy = Math.max(0, y - 3); dy <= Math.min(15, y + 3); dy++) {
      for (let dx = Math.max(0, x - 3); dx <= Math.min(15, x + 3); dx++) {
        sum += pixels[16 * dy + dx];
        count++;
      }
    }
    return sum / count;
  });

describe('nearPairs', () => {
  it('finds the copies and nothing else, the most similar first', async () => {
    const X = withCopies(cloud(300, 8), 10, 0.05);
    const { pairs, inputs } = await search(X);
    expect(pairs.map(({ first, second }) => first + second)).toEqual(Array(10).fill(299));
    const similarities = pairs.map(({ similarity }) => similarity);
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
    // Noise of .05 SD: d^2 / (2 p) is about .05^2 / 2.
    for (const similarity of similarities) expect(1 - similarity).toBeLessThan(0.01);
    expect([inputs[0].detectable > 0.05, inputs[0].features, inputs.length]).toEqual([true, 8, 1]);
  });

  it('finds them in few rows of many columns, of numbers and of names', async () => {
    const X = withCopies(cloud(40, 150), 3, 0.05);
    const named = X.map((cells, row) => [
      ...cells,
      ...[1, 2, 3].map((k) => 'abc'[((row < 20 ? row : 39 - row) * k) % 3]),
    ]);
    const { pairs } = await search(named as RowsInput);
    expect(pairs.map(({ first, second }) => first + second)).toEqual([39, 39, 39]);
    for (const { similarity } of pairs) expect(1 - similarity).toBeLessThan(0.01);
  });

  it('leaves out exact copies, which another check finds, unless they are asked for', async () => {
    const X = withCopies(cloud(200, 5), 6, 0);
    expect((await search(X)).pairs).toEqual([]);
    expect((await search(X, { copies: true })).pairs).toHaveLength(6);
  });

  it('finds scaled copies by their cosine alone', async () => {
    const X = cloud(200, 20);
    for (let row = 0; row < 5; row++) X[199 - row] = X[row].map((value) => 2.5 * value);
    expect((await search(X)).pairs).toEqual([]);
    const { pairs } = await search(X, { metric: 'cosine' });
    expect(pairs.map(({ first, second }) => first + second)).toEqual(Array(5).fill(199));
    expect(pairs[0].similarity).toBeGreaterThan(0.97);
  });

  it('looks at rows of different patients, and pairs that are wanted', async () => {
    const X = withCopies(cloud(200, 6), 8, 0.02);
    const codes = Int32Array.from(X, (_, row) => Math.min(row, 199 - row));
    expect((await search(X, { codes, units: 100 })).pairs).toEqual([]);
    expect((await search(X, { wanted: (first) => first < 3 })).pairs).toHaveLength(3);
  });

  it('the same seed gives the same result', async () => {
    const X = withCopies(cloud(150, 3), 6, 0.004).map((row) => row.map((value) => Math.round(value * 1000) / 1000));
    expect(await search(X)).toEqual(await search(X));
  });

  it('says why it cannot tell', async () => {
    const flags = Array.from({ length: 100 }, (_, row) => [row % 2, row % 3]);
    expect((await search(flags)).reason).toMatch(/^No feature.*002 finds/);
    expect((await search(cloud(10, 3))).reason).toMatch(/20 patients.*`patientIds`.*10/);
    expect((await search(cloud(3000, 1))).reason).toMatch(
      /not detectable.*3,000 rows.*1 continuous.*0\.00001 standard/,
    );
    const line = await search(cloud(100, 1));
    expect(line.reason).toMatch(/^Near-duplicates are not detectable .* with noise of 0\.00001 standard deviations/);
    expect([line.notDetectable, line.inputs[0].detectable > 0]).toEqual([true, true]);
    const cluster = Array.from({ length: 1500 }, (_, row) => [
      row < 700 ? 1e-9 * normal(draws) : normal(draws),
      normal(draws),
    ]);
    expect((await search(cluster)).pairs).toEqual([]);
  });

  it('finds copies among very many: half of the rows, all of them, versions of a few', async () => {
    const base = cloud(150, 6);
    const noisy = (cells: number[]) => cells.map((value) => value + 0.01 * normal(draws));
    const half = await search([...cloud(150, 6), ...base.slice(0, 75), ...base.slice(0, 75).map(noisy)]);
    expect(new Set(half.pairs.map(({ first, second }) => second - first))).toEqual(new Set([75]));
    expect(half.pairs.length).toBeGreaterThan(70);
    const all = await search([...base, ...base.map(noisy)]);
    expect(new Set(all.pairs.map(({ first, second }) => second - first))).toEqual(new Set([150]));
    expect(all.pairs.length).toBeGreaterThan(140);
    const few = base.slice(0, 18);
    const versions = await search(Array.from({ length: 540 }, (_, row) => noisy(few[row % 18])));
    expect(versions.tightClusters).toEqual([expect.objectContaining({ size: expect.any(Number) })]);
  });

  it('says that rows come in tight clusters where it cannot say which are copies', async () => {
    const base = cloud(40, 2);
    const found = await search(
      Array.from({ length: 480 }, (_, row) => base[row % 40].map((value) => value + 0.001 * normal(draws))),
    );
    expect(found).toMatchObject({ pairs: [], tightClusters: [{ size: expect.any(Number) }] });
    expect(found.reason).toMatch(
      /^Rows come in tight clusters of about 1\d rows, about \d+ times as far from each other/,
    );
    expect(found.inputs[0]).not.toHaveProperty('note');
  });

  it('takes tight clusters for what a level of the hierarchy says that they are', async () => {
    // Draws of its own: the test is the same alone and among others.
    const own = randomSource(27);
    const means = Array.from({ length: 30 }, () => Array.from({ length: 4 }, () => normal(own)));
    const sites = Array.from({ length: 750 }, (_, row) => row % 30);
    const X = sites.map((site) => means[site].map((mean) => 30 * mean + normal(own)));
    const level = (name: string, codes: number[]) => ({ name, codes: Int32Array.from(codes) });
    expect((await search(X)).tightClusters).toHaveLength(1);
    expect(
      (
        await search(X, {
          levels: [
            level(
              'half',
              sites.map((site) => site % 2),
            ),
          ],
        })
      ).tightClusters,
    ).toHaveLength(1);
    const explained = await search(X, { levels: [level('site', sites)] });
    expect(explained).toMatchObject({
      pairs: [],
      inputs: [{ note: expect.stringMatching(/^Rows come in tight .*: each is of one site\.$/) }],
    });
    expect(explained.reason).toBeUndefined();
    // A copy within a site is nearer than the rows of the site are.
    X[749] = X[719].map((value) => value + 0.0003 * normal(own));
    expect((await search(X, { levels: [level('site', sites)] })).pairs).toMatchObject([{ first: 719, second: 749 }]);
    // Where a site has fewer rows than neighbours are looked at, the next site would give the scale.
    const small = await search(X.slice(0, 240), { levels: [level('site', sites.slice(0, 240))] });
    expect(small).toMatchObject({
      pairs: [],
      reason: expect.stringMatching(/^Near-duplicates cannot be told: rows of one site/),
    });
    expect(small.tightClusters).toBeUndefined();
  });

  it('does not take images of one kind for copies where their own position is a rare one', {
    tags: 'slow',
  }, async () => {
    const own = randomSource(9);
    let accused = 0;
    for (let set = 0; set < 8; set++) {
      const shots = Array.from({ length: 100 }, () => {
        const brightness = 0.1 * normal(own);
        return Array.from({ length: 32 }, (_, y) =>
          Array.from({ length: 32 }, (_, x) => {
            return Math.sin((5 * x) / 32) * Math.cos(y / 8) + brightness + 0.05 * normal(own);
          }),
        );
      });
      accused += (await search(shots)).pairs.length > 0 ? 1 : 0;
    }
    // One in a hundred is expected; four were, before a pair had to be near as the images are.
    expect(accused).toBeLessThanOrEqual(1);
  });

  it('does not take masks for copies that are equal once they are turned: few discs differ at this size', {
    tags: 'slow',
  }, async () => {
    const disc = () => {
      const [x, y, radius] = [4 + 20 * draws.random(), 4 + 20 * draws.random(), 1 + 3 * draws.random()];
      return Array.from({ length: 28 }, (_, i) =>
        Array.from({ length: 28 }, (_, j) => (Math.hypot(i - x, j - y) < radius ? 1 : 0)),
      );
    };
    let accused = 0;
    for (let set = 0; set < 4; set++) {
      accused += (await search(Array.from({ length: 150 }, disc))).pairs.length > 0 ? 1 : 0;
    }
    // Nearly all were, before one pixel counted.
    expect(accused).toBeLessThanOrEqual(1);
  });

  it('looks at each input on its own, and at images in any position', async () => {
    const image = () => Array.from({ length: 256 }, () => draws.random());
    const waves = Array.from({ length: 60 }, () => smooth(image()));
    const mirrored = waves.slice(0, 3).map((pixels) => pixels.map((_, at) => pixels[at - (at % 16) + 15 - (at % 16)]));
    const [images, table] = [[...waves, ...mirrored], cloud(63, 5)];
    table[62] = table[4].map((value) => value + 0.01 * normal(draws));
    const { pairs, inputs } = await search({
      scan: images.map((pixels) => Array.from({ length: 16 }, (_, y) => pixels.slice(16 * y, 16 * y + 16))),
      clinical: table,
    });
    expect(inputs.map(({ name, images, features }) => [name, images, features])).toEqual([
      ['scan', true, 63],
      [undefined, false, 5],
    ]);
    expect(pairs.map(({ first, second, input }) => [first, second, input]).sort()).toEqual([
      [0, 60, 0],
      [1, 61, 0],
      [2, 62, 0],
      [4, 62, 1],
    ]);
  });

  it.each([
    ['missing cells', (z: number, row: number) => [row % 4 ? z : null, row % 3 ? null : -z, row]],
    ['a column without any value', (z: number) => [z, null]],
    ['categories', (z: number, row: number) => [z, 'abc'[row % 3]]],
    ['huge and tiny values', (z: number, row: number) => [row % 9 ? z : 1e300 * z, 1e-300 * z]],
    ['infinities', (z: number, row: number) => [row === 3 ? Infinity : row === 4 ? -Infinity : z, 2]],
    ['a constant', () => [5]],
    ['zeros', (z: number, row: number) => [row % 2 ? 0 : z, row % 3 ? 0 : z * z]],
    ['heavy tails', (z: number) => [1 / z, z ** 9]],
  ])('takes %s: no crash, no NaN, no accusation', async (_, rowOf) => {
    for (const n of [2, 10, 60, 400]) {
      const { pairs, inputs } = await search(Array.from({ length: n }, (_, row) => rowOf(normal(draws), row)));
      expect(pairs).toEqual([]);
      expect(inputs.flatMap((each) => [each.detectable, each.leastSimilarity]).every(Number.isFinite)).toBe(true);
    }
  });
});
