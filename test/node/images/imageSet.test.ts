import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dense } from '../../../src/data/dense.js';
import { type ImageRow, imageSource } from '../../../src/node/images/imageSet.js';
import { readImages } from '../../../src/node/images/readImages.js';

const FOLDER = fileURLToPath(new URL('../../reference/images', import.meta.url));
const FIXTURES = ['frames.dcm', 'jpeg2000-frames.dcm', 'rle-frames.dcm', 'explicit.dcm', 'rle.dcm', 'jpeg-ls.dcm'];
const LIST = FIXTURES.map((file) => ({ file }));

/** Files of several rows that are never there: row r of file f holds 100 f + r. */
function counted(files: number, rowsEach: number, bytes: number) {
  const loads: number[] = [];
  const reading = { now: 0, most: 0 };
  const rows = Array.from({ length: files }, (_, file) => {
    const image: ImageRow['image'] = {
      load: async () => {
        loads.push(file);
        await new Promise((done) => setImmediate(done));
        return new Uint8Array(bytes);
      },
      read: async (row, out) => {
        reading.most = Math.max(reading.most, ++reading.now);
        await new Promise((done) => setImmediate(done));
        out.fill(100 * file + row);
        reading.now--;
      },
    };
    return Array.from({ length: rowsEach }, (_, frame) => ({ image, frame }));
  }).flat();
  return { rows, loads, reading };
}

describe('take', () => {
  it('gives rows in any order, and twice, as one by one', async () => {
    const { X } = await readImages(LIST, { root: FOLDER, readAhead: 3, cacheMegabytes: 1 });
    const single = async (row: number) => Array.from(((await X.take(Int32Array.of(row))) as Dense).data);
    const alone: number[][] = [];
    for (let row = 0; row < X.length; row++) alone.push(await single(row));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(X.length - 1), { minLength: 1, maxLength: 20 }), async (indices) => {
        const { data, shape } = (await X.take(Int32Array.from(indices))) as Dense;
        expect(shape).toEqual([indices.length, 16, 16, 1]);
        expect(Array.from(data)).toEqual(indices.flatMap((row) => alone[row]));
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [5000, 40],
    [20_000, 20],
    [0, 40],
  ])('reads no more rows at once than `readAhead`, and keeps no more than %i bytes', async (cacheBytes, expected) => {
    const { rows, loads, reading } = counted(20, 1, 1000);
    const X = imageSource(rows, [2], { readAhead: 4, cacheBytes });
    for (const _ of [1, 2]) await X.take(Int32Array.from({ length: 20 }, (_, row) => row));
    expect(reading).toEqual({ now: 0, most: 4 });
    expect(loads).toHaveLength(expected);
  });

  it('loads each file once per call, however the rows are mixed', async () => {
    const { rows, loads } = counted(10, 6, 1000);
    const X = imageSource(rows, [1], { readAhead: 3, cacheBytes: 3000 });
    const { data } = (await X.take(Int32Array.from({ length: 60 }, (_, row) => (row * 7) % 60))) as Dense;
    expect([...loads].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Array.from(data)).toEqual(
      Array.from({ length: 60 }, (_, i) => 100 * Math.floor(((i * 7) % 60) / 6) + (((i * 7) % 60) % 6)),
    );
  });

  it('stops at the first row that fails, waits for the others, and tries again later', async () => {
    const others = counted(2, 2, 10);
    let broken = true;
    const image: ImageRow['image'] = {
      load: async () => {
        if (broken) throw new Error('gone');
        return new Uint8Array(1);
      },
      read: async (_, out) => void out.fill(1),
    };
    const X = imageSource([{ image, frame: 0 }, ...others.rows], [1], { readAhead: 2, cacheBytes: 100 });
    await expect(X.take(Int32Array.of(0, 1, 2, 3))).rejects.toThrow('gone');
    expect(others.reading.now).toBe(0);
    broken = false;
    expect(Array.from(((await X.take(Int32Array.of(0))) as Dense).data)).toEqual([1]);
  });
});

describe.runIf(process.platform === 'linux')('handles', () => {
  const open = () => readdirSync('/proc/self/fd').length;

  it('are all closed, also after an error', async () => {
    await readImages(LIST, { root: FOLDER }).then(({ X }) => X.take(Int32Array.of(0)));
    const before = open();
    const images = await readImages(LIST, { root: FOLDER });
    await images.X.take(Int32Array.from({ length: images.X.length }, (_, row) => row));
    await expect(readImages(FOLDER)).rejects.toThrow('must');
    expect(open()).toBe(before);
  });
});
