import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encode } from 'fast-png';
import { beforeEach, describe, expect, it } from 'vitest';
import { labelsOf } from '../../../src/data/labels.js';
import { readMasks } from '../../../src/node/images/readMasks.js';
import { type ReadNnunetOptions, readNnunet } from '../../../src/node/images/readNnunet.js';
import { imageFolders } from '../../helpers/imageFolders.js';
import { niftiBytes } from '../../helpers/niftiBytes.js';

const { newFolder } = imageFolders();
let folder: string;
beforeEach(() => {
  folder = newFolder();
});

function write(files: Readonly<Record<string, Uint8Array | string>>) {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}

const png = (values: readonly number[], channels = 1) =>
  encode({ width: 2, height: values.length / 2 / channels, data: Uint8Array.from(values), channels, depth: 8 });
const refused = (code: string, text: string, file?: string) =>
  expect.objectContaining({
    name: 'InvalidDataError',
    code,
    message: expect.stringContaining(text),
    ...(file && { file }),
  });

describe('readMasks', () => {
  it.each([1, 255, 7])('reads 0 and %i as one class', async (mark) => {
    write({ 'a.png': png([0, mark, mark, 0]), 'b.png': png([0, 0, 0, 0]) });
    const { y, classes, spacing, files } = await readMasks(folder);
    expect([y.shape, [...y.data], classes, files]).toEqual([
      [2, 2, 2],
      [0, 1, 1, 0, 0, 0, 0, 0],
      [[mark]],
      ['a.png', 'b.png'],
    ]);
    expect(spacing).toBe(undefined);
    expect(labelsOf(y)).toMatchObject({ task: 'multilabel', shape: [2, 2], length: 2 });
  });

  it('reads label maps of 64-bit integers, a channel for each class of all files, and their spacing', async () => {
    const options = { type: 'int64', spacing: [0.5, 0.75, 3] } as const;
    write({
      'a.nii.gz': niftiBytes([0, 1000, 3, 0], [2, 1, 2], options),
      'b.nii.gz': niftiBytes([3, 3, 0, 0], [2, 1, 2], options),
    });
    const { y, classes, spacing } = await readMasks(folder, { rows: 'volume' });
    expect([y.shape, classes]).toEqual([
      [2, 2, 1, 2, 2],
      [[3], [1000]],
    ]);
    expect([...y.data]).toEqual([0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
    // Of depth, height and width: the axes of the file reversed.
    expect(spacing).toEqual([
      [3, 0.75, 0.5],
      [3, 0.75, 0.5],
    ]);
    expect((await readMasks(folder)).spacing).toEqual(new Array(4).fill([0.75, 0.5]));
  });

  it('reads large masks one after the other', async () => {
    const of = (at: number) => {
      const data = new Uint8Array(2 ** 20);
      data[at] = 255;
      return encode({ width: 1024, height: 1024, data, channels: 1, depth: 8 });
    };
    write({ 'a.png': of(5), 'b.png': of(7) });
    const { data } = (await readMasks(folder)).y;
    expect([data.indexOf(1), data.lastIndexOf(1)]).toEqual([5, 2 ** 20 + 7]);
  });

  it('reads empty masks as such', async () => {
    write({ 'a.png': png([0, 0, 0, 0]) });
    expect(await readMasks(folder)).toMatchObject({ y: { shape: [1, 2, 2] }, classes: [[1]] });
  });

  it.each([
    ['colours', { 'a.png': png(new Array(12).fill(0), 3) }, 'must have one channel to be a mask. Got 3', 'a.png'],
    ['fractions', { 'a.nii.gz': niftiBytes([0.5, 1], [2, 1, 1], { type: 'float32' }) }, 'Got 0.5', 'a.nii.gz'],
    ['255 among classes', { 'a.png': png([0, 1, 0, 0]), 'b.png': png([255, 0, 0, 0]) }, 'without 255. Got both', ''],
    [
      'a picture',
      { 'a.nii.gz': niftiBytes([...Array(300).keys()], [300, 1, 1], { type: 'int64' }) },
      'at most 254 classes',
      '',
    ],
  ])('refuses %s', async (_, files, text, file) => {
    write(files);
    await expect(readMasks(folder)).rejects.toThrow(refused('no_mask', text, file));
  });
});

describe('readNnunet', () => {
  const SECOND = { channel_names: { 0: 'T1', 1: 'T2' }, labels: { background: 0, tumour: 1, whole: [1, 2] } };
  const volume = (values: readonly number[], spacing = [1, 2, 3]) => niftiBytes(values, [2, 1, 2], { spacing });
  const dataset = (values: object) => JSON.stringify({ file_ending: '.nii.gz', ...values });
  const cases = {
    'dataset.json': dataset(SECOND),
    'imagesTr/p2_x_0000.nii.gz': volume([1, 2, 3, 4]),
    'imagesTr/p2_x_0001.nii.gz': volume([5, 6, 7, 8]),
    'imagesTr/p1_y_0000.nii.gz': volume([11, 12, 13, 14]),
    'imagesTr/p1_y_0001.nii.gz': volume([15, 16, 17, 18]),
    'labelsTr/p1_y.nii.gz': volume([0, 1, 2, 0]),
    'labelsTr/p2_x.nii.gz': volume([0, 0, 0, 0]),
  };

  it('joins the channels, and makes a channel of masks for each class or region', async () => {
    write(cases);
    const { data, classes, channelNames, files } = await readNnunet(folder);
    const X = await data.X.take(Int32Array.of(1, 0));
    expect(X).toEqual({
      data: Float32Array.of(1, 5, 2, 6, 3, 7, 4, 8, 11, 15, 12, 16, 13, 17, 14, 18),
      shape: [2, 2, 1, 2, 2],
    });
    expect([data.y.shape, [...data.y.data.slice(0, 8)]]).toEqual([
      [2, 2, 1, 2, 2],
      [0, 0, 1, 1, 0, 1, 0, 0],
    ]);
    expect(data.groups).toEqual(['p1_y', 'p2_x']);
    expect([channelNames, classes.map(({ name }) => name)]).toEqual([
      ['T1', 'T2'],
      ['tumour', 'whole'],
    ]);
    expect([data.spacing?.[0], files]).toEqual([
      [3, 2, 1],
      ['labelsTr/p1_y.nii.gz', 'labelsTr/p2_x.nii.gz'],
    ]);
  });

  it('leaves the channel of a class empty that no mask has', async () => {
    write({ ...cases, 'dataset.json': dataset({ ...SECOND, labels: { none: 9, found: 1, other: 2 } }) });
    const { data } = await readNnunet(folder);
    expect([...data.y.data.slice(0, 12)]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  });

  it('takes slices and patients where that is asked for', async () => {
    write(cases);
    const { data } = await readNnunet(folder, { rows: 'slice', groupsFrom: /(p\d)_/ });
    expect([data.X.length, data.y.shape, data.groups]).toEqual([4, [4, 1, 2, 2], ['p1', 'p1', 'p2', 'p2']]);
  });

  it('reads version 1, and colours of PNG in one file', async () => {
    const labels = { 0: 'background', 1: 'road' };
    write({
      'dataset.json': dataset({ file_ending: '.png', modality: { 0: 'R', 1: 'G', 2: 'B' }, labels }),
      'imagesTr/a_0000.png': png([...Array(12).keys()], 3),
      'labelsTr/a.png': png([0, 1, 1, 0]),
    });
    const { data, classes } = await readNnunet(folder);
    expect([(await data.X.take(Int32Array.of(0))) as object, [...data.y.data], classes]).toMatchObject([
      { shape: [1, 2, 2, 3] },
      [0, 1, 1, 0],
      [{ name: 'road', labels: [1] }],
    ]);
  });

  it.each<[string, Record<string, Uint8Array | string>, string, string]>([
    ['text that is no JSON', { 'dataset.json': '{' }, 'bad_dataset', 'be there and be JSON'],
    ['a list', { 'dataset.json': '[]' }, 'bad_dataset', 'must hold an object'],
    ['no channels', { 'dataset.json': dataset({ labels: {} }) }, 'bad_dataset', 'must name its channels'],
    ['no labels', { 'dataset.json': dataset({ ...SECOND, labels: 1 }) }, 'bad_dataset', 'must name its labels'],
    ['half a label', { 'dataset.json': dataset({ ...SECOND, labels: { a: 0.5 } }) }, 'bad_dataset', 'another for a'],
    ['an ignore label', { 'dataset.json': dataset({ ...SECOND, labels: { ignore: 3 } }) }, 'bad_dataset', 'to ignore'],
    [
      'a number of no class',
      { 'labelsTr/p2_x.nii.gz': volume([0, 9, 0, 0]) },
      'no_mask',
      'of its classes alone. Got 9',
    ],
    ['an image without a mask', { 'imagesTr/q_0000.nii.gz': volume([1, 2, 3, 4]) }, 'missing_label', 'in labelsTr'],
    ['a mask without an image', { 'labelsTr/q.nii.gz': volume([0, 0, 0, 0]) }, 'unreadable_image', 'can be read'],
    [
      'a mask of another spacing',
      { 'labelsTr/p2_x.nii.gz': volume([0, 0, 0, 0], [1, 2, 4]) },
      'mixed_grids',
      'the grid',
    ],
    ['masks of another size', twice('labelsTr/p1_y.nii.gz', 'labelsTr/p2_x.nii.gz'), 'mixed_grids', 'the grid'],
  ])('refuses %s', async (_, files, code, text) => {
    write({ ...cases, ...files });
    await expect(readNnunet(folder)).rejects.toThrow(refused(code, text));
  });

  it('refuses folders that are not there, and options that would part masks from images', async () => {
    await expect(readNnunet(folder)).rejects.toThrow(refused('bad_dataset', 'be there'));
    write({ 'dataset.json': cases['dataset.json'] });
    await expect(readNnunet(folder)).rejects.toThrow(refused('missing_file', 'be there, as nnU-Net has it'));
    await expect(readNnunet(folder, { resize: [2, 2] } as ReadNnunetOptions)).rejects.toThrow(
      'masks stay on their grid',
    );
  });
});

function twice(...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, niftiBytes([0, 0, 0, 0], [1, 2, 2])]));
}
