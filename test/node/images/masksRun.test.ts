/** Masks in files, from the folder to the scores. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encode } from 'fast-png';
import { beforeEach, describe, expect, it } from 'vitest';
import { readMasks } from '../../../src/node/images/readMasks.js';
import { readNnunet } from '../../../src/node/images/readNnunet.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { cloningExecutor } from '../../helpers/cloningExecutor.js';
import { imageFolders } from '../../helpers/imageFolders.js';
import { niftiBytes } from '../../helpers/niftiBytes.js';

const { newFolder } = imageFolders();
let folder: string;
beforeEach(() => {
  folder = newFolder();
});

function write(name: string, bytes: Uint8Array | string) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), bytes);
}

/** A voxel of class 1 where the first channel is bright, of class 2 where the second is. */
const threshold = () => ({
  fit: () => undefined,
  predict: (rows: number[][][][][]) =>
    rows.map((slices) => slices.map((lines) => lines.map((line) => line.map((v) => v.map((c) => Number(c > 100)))))),
});

const CASES = 6;
/** A line of six voxels, 3 mm apart; the predicted mask of class 1 begins a voxel late in every second case. */
function writeCases() {
  write(
    'dataset.json',
    JSON.stringify({ channel_names: { 0: 'T1', 1: 'T2' }, labels: { background: 0, tumour: 1, organ: 2 } }),
  );
  const spacing = [3, 1, 2];
  for (let at = 0; at < CASES; at++) {
    const name = `case_${at}`;
    const late = at % 2;
    const truth = [1, 1, 1, 0, 2, 2];
    const [first, second] = [
      truth.map((v, x) => (v === 1 && x >= late ? 200 : 0)),
      truth.map((v) => (v === 2 ? 200 : 0)),
    ];
    write(`imagesTr/${name}_0000.nii.gz`, niftiBytes(first, [6, 1, 1], { spacing }));
    write(`imagesTr/${name}_0001.nii.gz`, niftiBytes(second, [6, 1, 1], { spacing }));
    write(`labelsTr/${name}.nii.gz`, niftiBytes(truth, [6, 1, 1], { spacing, type: 'int64' }));
  }
}

describe('a folder of nnU-Net', () => {
  const metrics = ['dice', 'dice_by_patient', 'hd95', 'nsd'];
  const run = (data: object, more: object = {}, executor: 'inline' | ReturnType<typeof cloningExecutor> = 'inline') =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0, executor }).run({
      ...{ model: threshold, metrics },
      data: data as never,
      ...more,
    });

  it('is read, run and scored in millimetres', async () => {
    writeCases();
    const { data } = await readNnunet(folder);
    const results = await run(data);
    const value = (name: string) => results.estimates[name];
    // Class 1 of the odd cases: 2 of 3 voxels, whose first surface is 3 mm off.
    const lateDice = 4 / 5;
    expect(value('dice_0')).toBeCloseTo((1 + lateDice) / 2, 12);
    expect(value('dice_1')).toBe(1);
    expect(value('dice')).toBeCloseTo((1 + (lateDice + 1) / 2) / 2, 12);
    expect(value('dice_by_patient')).toBeCloseTo((1 + (lateDice + 1) / 2) / 2, 12);
    // Distances from the truth 3, 0, 0 and from the prediction 0, 0: numpy.percentile([0, 0, 3], 95) is 2.7.
    expect(value('hd95_0')).toBeCloseTo(2.7 / 2, 12);
    expect(value('hd95')).toBeCloseTo(2.7 / 4, 12);
    expect(value('nsd_0')).toBeCloseTo((1 + 4 / 5) / 2, 12);
    expect((await run(data, { tolerance: 3 })).estimates.nsd).toBe(1);
    expect(results.outOfFold.spacing?.[0]).toEqual([2, 1, 3]);
    expect(results.metadata.taskReason).toBe('y is masks of 1 x 1 x 6 with 2 classes');
    expect(Object.keys(results.metadata.sha256?.data ?? {})).toContain('spacing');
    const apart = await run(data, {}, cloningExecutor());
    expect(apart.scores).toEqual(results.scores);
  });

  it('is scored in pixels without a spacing', async () => {
    writeCases();
    const { spacing: _, ...data } = (await readNnunet(folder)).data;
    const results = await run(data, { tolerance: 1 });
    expect(results.estimates.hd95_0).toBeCloseTo(0.9 / 2, 12);
    expect(results.estimates.nsd).toBe(1);
    expect(results.metadata.taskReason).toContain('distances are in pixels');
  });
});

it('masks of 0 and 255 are scored with those of a threshold', async () => {
  const png = (values: number[]) =>
    encode({ width: 3, height: 2, data: Uint8Array.from(values), channels: 1, depth: 8 });
  for (let at = 0; at < 4; at++) write(`mask_${at}.png`, png([255, 255, 0, 0, 0, at < 2 ? 255 : 0]));
  const { y } = await readMasks(folder);
  const image = { data: Float32Array.from(y.data, (value) => value), shape: [...y.shape, 1] };
  // The voxel of the last line is never found.
  const model = () => ({
    fit: () => undefined,
    predict: (rows: number[][][][]) =>
      rows.map((lines) => lines.map((line, at) => line.map(([v]) => (at === 0 ? v : 0)))),
  });
  const results = await new UniversalCVRunner({
    ...{ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 },
  }).run({ model, metrics: ['dice', 'hd95'], data: { X: image, y, spacing: [1, 1] } });
  expect(results.estimates.dice).toBeCloseTo((4 / 5 + 1) / 2, 12);
  // From the voxel of the last line to the nearest that was found, diagonally: numpy.percentile([0, 0, sqrt(2)], 95).
  expect(results.estimates.hd95).toBeCloseTo((0.9 * Math.SQRT2) / 2, 12);
});
