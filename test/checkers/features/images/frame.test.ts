import { expect, it } from 'vitest';
import { frameOf, isOfFrame, saysHowTaken } from '../../../../src/checkers/features/images/frame.js';

const layout = { depth: 1, height: 20, width: 20, channels: 1 };
const grey = () => Float64Array.from({ length: 400 }, (_, at) => 50 + ((at * 37) % 100));

it('measures the border by lines of one value', () => {
  const image = grey();
  expect(frameOf(image, 50, 149, layout)).toEqual([0, expect.any(Number)]);
  image.fill(0, 0, 3 * 20);
  image.fill(0, 18 * 20);
  // 5 of 20 lines.
  expect(frameOf(image, 0, 149, layout)[0]).toBe(0.25);
  expect(frameOf(new Float64Array(400), 0, 0, layout)).toEqual([0, 0]);
});

it('counts pixels that are burnt in near the sides alone', () => {
  const image = grey();
  for (const at of [21, 22, 23, 41, 61]) image[at] = 255;
  expect(frameOf(image, 50, 255, layout)[1]).toBe(5);
  image[210] = 255;
  expect(frameOf(image, 50, 255, layout)[1]).toBe(0);
});

it('knows which summaries say how an image was taken', () => {
  const says = (name: string) => saysHowTaken({ name, kind: 'number', values: new Float64Array(), ofImage: true });
  expect(['brightness', 'scan.brightness', 'mean of channel 1', 'burnt-in pixels'].every(says)).toBe(true);
  expect([says('maximum'), says('percentile 95')]).toEqual([false, false]);
  expect(saysHowTaken({ name: 'brightness', kind: 'number', values: new Float64Array() })).toBe(false);
  expect(isOfFrame({ name: 'scan.border', kind: 'number', values: new Float64Array() })).toBe(true);
});
