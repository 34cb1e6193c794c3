/** Steps about images. Their numbers are those of test/data/imageSizes.test.ts. */
import { expect, it } from 'vitest';
import { CenterCrop, Pad, Pipeline, Resize, transformerFromJSON } from '../../src/preprocessing/index.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { thrown } from '../helpers/thrown.js';

const images = (n: number, height: number, width: number) => ({
  data: Float32Array.from({ length: n * height * width }, (_, at) => at % 7),
  shape: [n, height, width],
});

it('bring images to the size of a model, in a run too, and are listed', async () => {
  const steps = new Pipeline([
    new Resize({ size: 8 }),
    new Pad({ size: [8, 12], fill: -1 }),
    new CenterCrop({ size: 6 }),
  ]);
  const results = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
    model: ({ inputShape }: { inputShape: readonly number[] }) => ({
      fit: (X: number[][][]) => expect([inputShape, X[0].length, X[0][0].length]).toEqual([[6, 6], 6, 6]),
      predict: (X: number[][][]) => X.map((_, at) => at % 2),
    }),
    data: [images(8, 10, 15), [0, 1, 0, 1, 0, 1, 0, 1]],
    preprocessing: steps,
    metrics: ['accuracy'],
  });
  const text = 'Resize({ size: 8 }), Pad({ size: [8, 12], fill: -1 }), CenterCrop({ size: 6 })';
  expect(results.metadata.preprocessing).toMatchObject({ steps: text, learns: false });
});

it('give { data, shape }, of nested arrays too, and leave their rows alone', async () => {
  const rows = images(2, 4, 4);
  const before = rows.data.slice();
  const cropped = await new CenterCrop({ size: 2 }).fitTransform(rows);
  expect(cropped).toEqual({ data: Float32Array.of(5, 6, 2, 3, 0, 1, 4, 5), shape: [2, 2, 2] });
  expect(rows.data).toEqual(before);
  const nested = await new Pad({ size: [3, 3], fill: 8 }).transform([
    [
      [1, 2],
      [3, 4],
    ],
  ]);
  expect(nested).toEqual({ data: Float64Array.of(1, 2, 8, 3, 4, 8, 8, 8, 8), shape: [1, 3, 3] });
  const channels = { data: Float32Array.of(1, 10, 3, 30), shape: [1, 1, 2, 2] };
  expect(await new Resize({ size: [1, 1] }).transform(channels)).toEqual({
    data: Float32Array.of(2, 20),
    shape: [1, 1, 1, 2],
  });
});

it('are written as JSON and read again', async () => {
  const step = new Resize({ size: [2, 3], interpolation: 'area' });
  const again = transformerFromJSON(JSON.parse(JSON.stringify(step))) as Resize;
  expect(await again.transform(images(1, 4, 6))).toEqual(await step.transform(images(1, 4, 6)));
  const fitted = { ...JSON.parse(JSON.stringify(step)), fitted: { state: 1 } };
  expect(await thrown(() => transformerFromJSON(fitted))).toContain('(other_json)');
});

it('refuse tables, sizes that are none, and images that are too small', async () => {
  expect(await thrown(() => new Resize({ size: 8 }).transform([[1, 2]]))).toMatch(/\(not_images\): .*shape \[2\]/);
  expect(await thrown(() => new CenterCrop({ size: 5 }).transform(images(1, 4, 6)))).toMatch(/\(too_small\): .*Got 4/);
  const colours = { data: new Float32Array(8 * 8 * 3), shape: [1, 8, 8, 3] };
  for (const Step of [Resize, Pad, CenterCrop]) {
    expect(await thrown(() => new Step({ size: [8, 8, 3] }).transform(colours))).toMatch(/\(not_images\): .*volumes/);
  }
  for (const size of [0, 2.5, [4], [0, 4], '8']) {
    expect(await thrown(() => new Resize({ size } as never)), String(size)).toContain(
      'The `size` option of Resize must',
    );
  }
});
