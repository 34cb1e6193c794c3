/** Expected numbers: test/reference/imageSizes.py (Pillow, scipy and numpy). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Dense } from '../../src/data/dense.js';
import { afterStep, cropStep, padStep, resizeStep } from '../../src/data/imageSizes.js';

interface Case {
  readonly image: string;
  readonly step: string;
  readonly size: [number, number];
  readonly options: { readonly interpolation?: 'bilinear' | 'area'; readonly fill?: number };
  readonly values: number[];
}

const { images, cases } = JSON.parse(readFileSync('test/reference/imageSizes.json', 'utf8')) as {
  images: Record<string, number[][]>;
  cases: Case[];
};

const dense = (image: number[][]): Dense => ({
  data: Float32Array.from(image.flat()),
  shape: [1, image.length, image[0].length],
});

const stepOf = ({ step, size, options: { interpolation = 'bilinear', fill = 0 } }: Case) =>
  step === 'Resize' ? resizeStep(size, interpolation) : step === 'Pad' ? padStep(size, fill) : cropStep(size);

it.each(cases.map((each): [string, Case] => [`${each.image}: ${each.step} to ${each.size}`, each]))(
  '%s is what Pillow, scipy or numpy gives',
  (_, each) => {
    const { data, shape } = afterStep(dense(images[each.image]), stepOf(each));
    expect(shape).toEqual([1, ...each.size]);
    const largest = Math.max(...images[each.image].flat().map(Math.abs));
    each.values.forEach((value, at) => {
      expect(Math.abs(data[at] - value)).toBeLessThan(3e-7 * largest);
    });
  },
);

it('images, channels and slices are each changed by themselves', () => {
  const [first, second] = [images.noise, images.noise.map((line) => line.map((value) => -value))];
  const alone = afterStep(dense(first), resizeStep([7, 5], 'area')).data;
  const channels = {
    data: Float32Array.from(first.flat().flatMap((value, at) => [value, second.flat()[at]])),
    shape: [1, 13, 9, 2],
  };
  const both = afterStep(channels, resizeStep([7, 5], 'area'));
  expect(both.shape).toEqual([1, 7, 5, 2]);
  alone.forEach((value, at) => {
    expect([both.data[2 * at], both.data[2 * at + 1]]).toEqual([value, -value]);
  });
  const slices = { data: Float32Array.from([...first.flat(), ...second.flat()]), shape: [1, 2, 13, 9, 1] };
  expect(Array.from(afterStep(slices, resizeStep([7, 5], 'area')).data)).toEqual([
    ...alone,
    ...alone.map((value) => -value),
  ]);
  const volume = afterStep(slices, resizeStep([1, 13, 9], 'area'));
  expect([volume.shape, volume.data.every((value) => value === 0)]).toEqual([[1, 1, 13, 9, 1], true]);
});

it('one number is the shorter side, with the other in proportion, as torchvision has it', () => {
  const shapeOf = (height: number, width: number) =>
    afterStep({ data: new Uint8Array(height * width), shape: [1, height, width] }, resizeStep(7, 'bilinear')).shape;
  expect([shapeOf(10, 15), shapeOf(14, 10), shapeOf(5, 5)]).toEqual([
    [1, 7, 10],
    [1, 9, 7],
    [1, 7, 7],
  ]);
});

it('whole numbers above 2^24 stay what they are', () => {
  const rows = { data: Int32Array.of(2 ** 24 + 1, 5, 6, 7), shape: [1, 2, 2] };
  expect(Array.from(afterStep(rows, padStep(3, -1)).data)).toEqual([2 ** 24 + 1, 5, -1, 6, 7, -1, -1, -1, -1]);
  expect(Array.from(afterStep(rows, resizeStep([2, 2], 'area')).data)).toEqual([2 ** 24 + 1, 5, 6, 7]);
});
