import { describe, expect, it } from 'vitest';
import { readFeatures } from '../../../../src/checkers/features/features.js';
import { isImage } from '../../../../src/checkers/features/images/readImages.js';
import { rowsOf } from '../../../../src/data/rows.js';

/** 256 pixels of 16 x 16: i, ..., i + 255. */
const ramp = (from: number) => Array.from({ length: 256 }, (_, at) => from + at);
const dense = (images: number[][], ...shape: number[]) =>
  readFeatures(rowsOf({ data: Float64Array.from(images.flat()), shape: [images.length, ...shape] }));

const values = async (images: number[][], ...shape: number[]) => {
  const { columns } = await dense(images, ...shape);
  return Object.fromEntries(columns.map(({ name, values }) => [name, values[0]]));
};

describe('isImage', () => {
  it.each([
    [[16, 16], true],
    [[15, 64], false],
    [[48, 12], false],
    [[8, 8, 1], true],
    [[224, 224, 3], true],
    [[7, 8, 3], false],
    [[40, 64, 64], true],
    [[40, 64, 64, 4], true],
    [[20, 40, 5], false],
    [[30], false],
    [[2, 3, 16, 16, 3], false],
  ])('%j: %s', (shape, expected) => {
    expect(isImage(shape)).toBe(expected);
  });
});

describe('readImages', () => {
  it('summarises the grey image', async () => {
    // 0 ... 255: mean 127.5; variance (256^2 - 1) / 12; type 7 percentiles at 0.05 * 255, ...; the Laplacian of a plane is 0.
    const found = await values([ramp(0)], 16, 16);
    expect(found).toMatchObject({
      brightness: 127.5,
      minimum: 0,
      maximum: 255,
      'percentile 50': 127.5,
      sharpness: 0,
      entropy: 8,
    });
    expect(found.contrast).toBeCloseTo(Math.sqrt(65535 / 12), 9);
    expect(found['percentile 5']).toBeCloseTo(12.75, 9);
    expect(found['percentile 95']).toBeCloseTo(242.25, 9);
  });

  it('gives the Laplacian of one bright pixel', async () => {
    // -4 at the pixel, 1 at four neighbours, all within the 14 x 14 inner pixels: sqrt(20 / 196).
    const image = ramp(0).map((_, at) => (at === 7 * 16 + 7 ? 1 : 0));
    const found = await values([image], 16, 16);
    expect(found.sharpness).toBeCloseTo(Math.sqrt(20 / 196), 12);
    // scipy 1.17.1: stats.entropy([255, 1], base=2); not of brightness and contrast.
    expect(found.entropy).toBeCloseTo(0.03687450625387198, 12);
    expect((await values([image.map((value) => 40 + 7 * value)], 16, 16)).entropy).toBeCloseTo(0.03687450625387198, 12);
    expect((await values([image.map(() => 3)], 16, 16)).entropy).toBe(0);
  });

  it('averages channels and depth', async () => {
    const colour = Array.from({ length: 64 }, (_, at) => [at, 3 * at, 5]).flat();
    const found = await values([colour], 8, 8, 3);
    // Mean of 0 ... 63 is 31.5; grey is (4 at + 5) / 3.
    expect(found['mean of channel 0']).toBeCloseTo(31.5, 12);
    expect(found['mean of channel 1']).toBeCloseTo(94.5, 12);
    expect(found['mean of channel 2']).toBeCloseTo(5, 12);
    expect(found.brightness).toBeCloseTo((4 * 31.5 + 5) / 3, 12);
    const volume = await values([[...ramp(0), ...ramp(10)]], 2, 16, 16);
    expect(volume).toMatchObject({ brightness: 132.5, minimum: 5 });
  });

  it('knows equal and blank images', async () => {
    const black = new Array(256).fill(0);
    const { images } = await dense(
      [ramp(0), ramp(1), ramp(0), black, black.map(() => -0), black.map(() => Number.NaN)],
      16,
      16,
    );
    const words = Array.from(images?.[0].content.low ?? [], (low, row) => `${low} ${images?.[0].content.high[row]}`);
    expect(words[2]).toBe(words[0]);
    expect(words[4]).toBe(words[3]);
    expect(new Set(words).size).toBe(4);
    expect([...(images?.[0].blank ?? [])]).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it.each([1e300, 1e-300, Infinity, Number.NaN])('survives a pixel of %d', async (odd) => {
    const { columns, images } = await dense([[odd, ...ramp(1).slice(1)], ramp(0)], 16, 16);
    for (const { values } of columns) expect([...values].every(Number.isFinite)).toBe(true);
    expect([...(images?.[0].perceptual.data ?? [])].every(Number.isFinite)).toBe(true);
  });

  it('of an image without any pixel says that its summaries are missing', async () => {
    const { columns } = await dense([ramp(0).map(() => Number.NaN), ramp(0)], 16, 16);
    for (const { values } of columns) expect([Number.isNaN(values[0]), Number.isNaN(values[1])]).toEqual([true, false]);
  });

  it('reads arrays, typed numbers and sources alike', async () => {
    const nested = [0, 1, 2].map((from) => Array.from({ length: 16 }, (_, y) => ramp(from).slice(16 * y, 16 * y + 16)));
    const source = { length: 3, take: (rows: Int32Array) => Array.from(rows, (row) => nested[row]) };
    const expected = await dense([ramp(0), ramp(1), ramp(2)], 16, 16);
    expect(await readFeatures(rowsOf(nested))).toEqual(expected);
    expect(await readFeatures(rowsOf(source))).toEqual(expected);
  });
});
