/** Images of several sizes. Expected numbers: test/reference/imageSizes.py. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { expect, it } from 'vitest';
import type { Dense } from '../../../src/data/dense.js';
import type { ImageSet } from '../../../src/node/images/imageSet.js';
import { readImages } from '../../../src/node/images/readImages.js';
import { IMAGES, imageFolders } from '../../helpers/imageFolders.js';
import { thrown } from '../../helpers/thrown.js';

const { images, cases } = JSON.parse(readFileSync('test/reference/imageSizes.json', 'utf8')) as {
  images: Record<string, number[][]>;
  cases: { image: string; size: number[]; options: { interpolation?: string }; values: number[] }[];
};
const { newFolder } = imageFolders();

function folderOf(pictures: Record<string, number[][]>): string {
  const folder = newFolder();
  for (const [name, lines] of Object.entries(pictures)) {
    const size = { height: lines.length, width: lines[0].length, channels: 1, depth: 16 } as const;
    writeFileSync(join(folder, name), encode({ ...size, data: Uint16Array.from(lines.flat()) }));
  }
  return folder;
}

const flat = (height: number, width: number, value = 9) =>
  Array.from({ length: height }, () => new Array<number>(width).fill(value));
const all = async ({ X }: ImageSet) => (await X.take(Int32Array.from({ length: X.length }, (_, row) => row))) as Dense;

it('come in one size, as Pillow gives it, and the report says how', async () => {
  const folder = folderOf({ 'a.png': images.ramp, 'b.png': flat(5, 20), 'c.png': flat(5, 20) });
  expect(await thrown(() => readImages(folder))).toMatch(/\(mixed_sizes\): .*`resize`, or by `pad` and `crop`/);
  for (const interpolation of ['bilinear', 'area'] as const) {
    const resized = await readImages(folder, { resize: [6, 8], interpolation });
    const { data, shape } = await all(resized);
    expect([shape, resized.shape]).toEqual([
      [3, 6, 8, 1],
      [6, 8, 1],
    ]);
    const expected = cases.find(
      ({ image, size, options }) => image === 'ramp' && `${size}` === '6,8' && options.interpolation === interpolation,
    );
    expected?.values.forEach((value, at) => {
      expect(data[at]).toBeCloseTo(value, 4);
    });
    data.slice(48).forEach((value) => {
      expect(value).toBeCloseTo(9, 4);
    });
    expect(resized.warnings).toEqual([
      `The sizes of images were changed as they were read by resize (${interpolation}), from 5 x 20 x 1 (2 files), 12 x 16 x 1 (1 file).`,
    ]);
    expect(resized.X.warnings).toEqual(resized.warnings);
  }
});

it('are padded, and then cropped', async () => {
  const folder = folderOf({ 'a.png': flat(2, 5), 'b.png': flat(4, 1) });
  const both = await readImages(folder, { pad: 3, crop: 3, fill: -1 });
  expect(Array.from((await all(both)).data)).toEqual([9, 9, 9, 9, 9, 9, -1, -1, -1, -1, 9, -1, -1, 9, -1, -1, 9, -1]);
  expect(both.warnings[0]).toContain('by pad (-1), crop, from');
  expect(await thrown(() => readImages(folder, { pad: 3 }))).toContain('(mixed_sizes)');
  const error = await readImages(folder, { crop: 3 }).catch((each) => each);
  expect([error.code, error.file]).toEqual(['too_small', 'a.png']);
  expect(error.message).toContain('must be at least 3 pixels along each axis, as the size says. Got 2.');
  expect(await thrown(() => readImages(folder, { crop: 1, fill: 7 }))).toContain('(idle_option)');
  expect(await thrown(() => readImages(folder, { crop: 1, interpolation: 'area' }))).toContain('(idle_option)');
});

it.each(['resize', 'pad', 'crop'])('%s of three numbers is for volumes alone', async (name) => {
  for (const size of [
    [1, 2, 2],
    [2, 2, 1],
  ]) {
    const error = await readImages(folderOf({ 'a.png': flat(2, 5) }), { [name]: size }).catch((each) => each);
    expect([error.code, error.file]).toEqual(['not_images', 'a.png']);
  }
});

it('have no affine, which is that of the stored voxels; volumes change along all axes', async () => {
  const file = join(IMAGES, 'sform.nii');
  const volume = await readImages(file, { rows: 'volume', resize: [2, 6, 4] });
  expect([volume.shape, volume.affines]).toEqual([[2, 6, 4, 1], [undefined]]);
  expect((await readImages(file, { rows: 'volume' })).affines[0]).toHaveLength(4);
});
