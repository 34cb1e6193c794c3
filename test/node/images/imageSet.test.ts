import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dense } from '../../../src/data/dense.js';
import { type Held, type ImageRow, imageSource } from '../../../src/node/images/imageSet.js';
import { readImages } from '../../../src/node/images/readImages.js';

const FOLDER = fileURLToPath(new URL('../../reference/images', import.meta.url));
const FIXTURES = ['frames.dcm', 'jpeg2000-frames.dcm', 'rle-frames.dcm', 'explicit.dcm', 'rle.dcm', 'jpeg-ls.dcm'];

const nothingHeld = (): Held => ({ reading: 0, mostReading: 0, kept: 0 });

/** Files of several rows that are never there: row r of file f holds 100 f + r. */
function counted(files: number, rowsEach: number, bytes: number) {
  const loads: number[] = [];
  const rows = Array.from({ length: files }, (_, file) => {
    const image: ImageRow['image'] = {
      load: async () => {
        loads.push(file);
        await new Promise((done) => setImmediate(done));
        return { bytes: new Uint8Array(bytes) };
      },
      read: async (row, out) => {
        await new Promise((done) => setImmediate(done));
        out.fill(100 * file + row);
      },
    };
    return Array.from({ length: rowsEach }, (_, frame) => ({ image, frame }));
  }).flat();
  return { rows, loads };
}

describe('take', () => {
  it('gives rows in any order, and twice, as one by one', async () => {
    const list = FIXTURES.map((file) => ({ file }));
    const { X } = await readImages(list, { root: FOLDER, readAhead: 3, cacheMegabytes: 1 });
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

  it('reads no more rows at once than asked for, and keeps no more bytes', async () => {
    const held = nothingHeld();
    const { rows } = counted(20, 3, 1000);
    const X = imageSource(rows, [2], { readAhead: 4, cacheBytes: 5000, held });
    await X.take(Int32Array.from({ length: 60 }, (_, row) => (row * 7) % 60));
    expect([held.mostReading, held.reading, held.kept]).toEqual([4, 0, 5000]);
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

  it('keeps nothing when it may not', async () => {
    const held = nothingHeld();
    const X = imageSource(counted(4, 2, 1000).rows, [1], { readAhead: 2, cacheBytes: 0, held });
    await X.take(Int32Array.of(0, 7, 1, 6));
    expect(held.kept).toBe(0);
  });

  it('stops at the first row that fails, waits for the others, and tries again later', async () => {
    const held = nothingHeld();
    let broken = true;
    const image: ImageRow['image'] = {
      load: async () => {
        if (broken) throw new Error('gone');
        return { bytes: new Uint8Array(1) };
      },
      read: async (_, out) => void out.fill(1),
    };
    const X = imageSource([{ image, frame: 0 }, ...counted(2, 2, 10).rows], [1], {
      readAhead: 2,
      cacheBytes: 100,
      held,
    });
    await expect(X.take(Int32Array.of(0, 1, 2, 3))).rejects.toThrow('gone');
    expect(held.reading).toBe(0);
    broken = false;
    expect(Array.from(((await X.take(Int32Array.of(0))) as Dense).data)).toEqual([1]);
  });
});

describe.runIf(process.platform === 'linux')('handles', () => {
  const open = () => readdirSync('/proc/self/fd').length;

  it('are all closed, also after an error', async () => {
    await readImages(
      FIXTURES.map((file) => ({ file })),
      { root: FOLDER },
    ).then(({ X }) => X.take(Int32Array.of(0)));
    const before = open();
    const images = await readImages(
      FIXTURES.map((file) => ({ file })),
      { root: FOLDER },
    );
    await images.X.take(Int32Array.from({ length: images.X.length }, (_, row) => row));
    await expect(readImages(FOLDER)).rejects.toThrow('must');
    expect(open()).toBe(before);
  });
});
