import { describe, expect, it } from 'vitest';
import {
  forEachRun,
  forEachWindow,
  outputRows,
  type Windows,
  windows3d,
} from '../../../../adapters/tfjs/kernels/windows.js';
import { tf } from '../../../helpers/tfjsModels.js';
import { windowsOf } from '../../../helpers/windows.js';

/** One row of 5 pixels with 2 channels, windows of 3 with padding of 1 on both sides and stride 2. */
const ROW = windowsOf({
  channels: 2,
  outChannels: 2,
  input: [1, 1, 5],
  filter: [1, 1, 3],
  strides: [1, 1, 2],
  before: [0, 0, 1],
});

describe('forEachRun', () => {
  const runs = (windows: Windows) => {
    const found: number[][] = [];
    forEachRun(windows, 0, outputRows(windows), (...run) => found.push(run));
    return found;
  };

  it('visits what each window sees of the image, as runs of neighbours', () => {
    // windows at -1, 1 and 3: [position, first tap, place, taps]
    expect(runs(ROW)).toEqual([
      [0, 1, 0, 2],
      [1, 0, 2, 3],
      [2, 0, 6, 2],
    ]);
  });

  it('visits one tap at a time where the filter is dilated', () => {
    // taps at -1, 1, 3 and at 1, 3, 5
    expect(runs({ ...ROW, dilations: [1, 1, 2], output: [1, 1, 2] })).toEqual([
      [0, 1, 2, 1],
      [0, 2, 6, 1],
      [1, 0, 2, 1],
      [1, 1, 6, 1],
    ]);
  });

  it('counts images, depth and rows', () => {
    const cube: Windows = {
      ...ROW,
      batch: 2,
      input: [2, 2, 1],
      output: [2, 2, 1],
      filter: [1, 1, 1],
      before: [0, 0, 0],
    };
    expect(runs({ ...cube, strides: [1, 1, 1] }).map(([position, , place]) => [position, place])).toEqual(
      Array.from({ length: 8 }, (_, at) => [at, at * 2]),
    );
  });
});

describe('forEachWindow', () => {
  it('gives the pixels of each window in their order', () => {
    const found: number[][] = [];
    forEachWindow(ROW, (position, places, count) => found.push([position, ...places.subarray(0, count)]));
    expect(found).toEqual([
      [0, 0, 2],
      [1, 2, 4, 6],
      [2, 6, 8],
    ]);
  });
});

describe('windows3d', () => {
  it('pads nothing where tfjs says that the padding is negative', () => {
    const info = tf.backend_util.computeConv3DInfo([1, 1, 1, 6, 1], [1, 1, 1, 1, 1], [1, 1, 4], 1, 'same');
    expect(info.padInfo.left).toBeLessThan(0);
    expect(windows3d(info).before).toEqual([0, 0, 0]);
  });
});
