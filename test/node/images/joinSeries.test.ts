/** Series as volumes, DICOM without pixels, pairs and 64 bits of NIfTI. Expected numbers: test/reference/imageSeries.py. */
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Dense } from '../../../src/data/dense.js';
import type { ImageSet } from '../../../src/node/images/imageSet.js';
import { readImages } from '../../../src/node/images/readImages.js';
import { imageFolders } from '../../helpers/imageFolders.js';
import { thrown } from '../../helpers/thrown.js';

const FOLDER = 'test/reference/imageSeries';
const { volumes, affine } = JSON.parse(readFileSync(`${FOLDER}.json`, 'utf8')) as {
  volumes: Record<string, number[][][]>;
  affine: number[][];
};
const { newFolder } = imageFolders();

const folderOf = (...names: string[]) => {
  const folder = newFolder();
  for (const name of names) cpSync(join(FOLDER, name), join(folder, name));
  return folder;
};
const slices = (name: string, count = 5) => Array.from({ length: count }, (_, at) => `${name}-${at}.dcm`);
const all = async ({ X }: ImageSet) => (await X.take(Int32Array.from({ length: X.length }, (_, row) => row))) as Dense;
const volume = { rows: 'volume' } as const;

it('slices of a series are one volume, in the order of their places', async () => {
  const images = await readImages(folderOf(...slices('gap'), ...slices('oblique')), volume);
  const { data, shape } = await all(images);
  expect(shape).toEqual([2, 5, 3, 4, 1]);
  expect(Array.from(data)).toEqual([volumes.gap, volumes.oblique].flat(3));
  expect([images.files, images.groups]).toEqual([
    ['gap-0.dcm', 'oblique-0.dcm'],
    ['P2', 'P1'],
  ]);
  expect(images.warnings).toEqual([
    'In 1 volume of 2, the distances of slices differ, as where slices are missing: from 1.50 to 3.00 mm in the first of them.',
  ]);
  const whole = await readImages(folderOf(...slices('thirds', 4)), volume);
  expect([whole.warnings, Array.from((await all(whole)).data)]).toEqual([[], volumes.thirds.flat(2)]);
});

it('volumes of several depths come in one size', async () => {
  const folder = folderOf(...slices('oblique'), ...slices('thirds', 4));
  for (const options of [volume, { ...volume, resize: [3, 4] }]) {
    expect(await thrown(() => readImages(folder, options))).toMatch(
      /\(mixed_sizes\): .*\(1 volume\).*`resize: \[depth, height, width\]`/,
    );
  }
  const images = await readImages(folder, { ...volume, resize: [4, 3, 4] });
  const { data, shape } = await all(images);
  expect(shape).toEqual([2, 4, 3, 4, 1]);
  expect(Array.from(data.subarray(48))).toEqual(volumes.thirds.flat(2));
});

it.each([
  ['twice.dcm', 'have places of their own. Got two at one place'],
  ['unplaced.dcm', 'say where they lie'],
  ['turned.dcm', 'be parallel. Got several orientations'],
  ['wide.dcm', 'have one size. Got several'],
])('a series with %s is no volume', async (name, text) => {
  const folder = folderOf(...slices('thirds', 4), name);
  const error = await readImages(folder, volume).catch((each) => each);
  expect([error.code, error.file]).toEqual(['mixed_series', name]);
  expect(error.message).toContain(text);
  if (name !== 'wide.dcm') expect((await readImages(folder)).shape).toEqual([3, 4, 1]);
});

it('slices of one volume have one label', async () => {
  const list = slices('thirds', 4).map((file, at) => ({ file, y: at % 2 }));
  const root = folderOf(...slices('thirds', 4));
  expect(await thrown(() => readImages(list, { root, ...volume }))).toContain('have one label. Got several');
  const { y } = await readImages(
    list.map((entry) => ({ ...entry, y: 1 })),
    { root, ...volume },
  );
  expect(y).toEqual([1]);
});

it('DICOM without pixels by its class takes no part, and is counted; an image without pixels is an error', async () => {
  const folder = folderOf('oblique-0.dcm', 'sr.dcm', 'plan.dcm', 'presentation.dcm');
  const images = await readImages(folder);
  expect([images.files, images.ignored]).toEqual([['oblique-0.dcm'], ['plan.dcm', 'presentation.dcm', 'sr.dcm']]);
  expect(images.warnings).toEqual([
    '3 DICOM files without pixels (reports, plans, presentation states) take no part: `ignored` names them.',
  ]);
  expect(await thrown(() => readImages([{ file: 'sr.dcm' }], { root: folder }))).toContain('have pixel data');
  expect(await thrown(() => readImages(folderOf('segmentation.dcm')))).toContain('(unreadable_image)');
});

it.each(['int64.nii', 'uint64.nii', 'pair.hdr', 'pair2.hdr'])('%s is read', async (name) => {
  const folder = folderOf(...(name.startsWith('pair') ? [name, name.replace('hdr', 'img')] : [name]));
  const images = await readImages(folder, volume);
  const { data, shape } = await all(images);
  expect(shape).toEqual([1, 2, 3, 4, 1]);
  expect(Array.from(data)).toEqual(volumes[name].flat(2).map(Math.fround));
  expect([images.affines[0], images.ignored, images.warnings]).toEqual([affine, [], []]);
});

it('a header without its voxels, or with a link to some, is refused; one of Analyze is ignored', async () => {
  const alone = folderOf('pair.hdr');
  const error = await readImages(alone).catch((each) => each);
  expect([error.code, error.file]).toEqual(['unreadable_image', 'pair.img']);
  symlinkSync(join(process.cwd(), FOLDER, 'pair.img'), join(alone, 'pair.img'));
  expect(await thrown(() => readImages(alone))).toContain('be a file beside its header. Got a link');
  const images = await readImages(folderOf('analyze.hdr', 'analyze.img', 'int64.nii'));
  expect([images.ignored, images.warnings]).toEqual([
    ['analyze.hdr', 'analyze.img'],
    ['2 files of formats that readImages does not read take no part: `ignored` names them.'],
  ]);
});
