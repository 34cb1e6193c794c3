/** How rows take the shape and type of an input: the tensors that a session is given. */
import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { type FeedSettings, feedsOf } from '../../../adapters/onnx/feeds.js';
import type { LoadedModel, OnnxPort } from '../../../adapters/onnx/onnxFile.js';
import { type RowsInput, rowsOf } from '../../../src/data/rows.js';

const door = (element: string, shape: (number | null)[] | undefined, name = 'x'): OnnxPort => ({
  name,
  inSession: name,
  isTensor: true,
  element,
  shape,
});

async function fed(
  X: RowsInput,
  inputs: OnnxPort[],
  { rowsAtATime = null, ...settings }: Partial<FeedSettings> & { rowsAtATime?: 1 | null } = {},
) {
  const model = { ort: { Tensor }, inputs, rowsAtATime } as unknown as LoadedModel;
  type Fed = { type: string; dims: readonly number[]; data: unknown[] };
  const found: { rows: number; tensors: Record<string, Fed> }[] = [];
  const all = { layout: undefined, allowMissing: false, batchSize: 2, ...settings };
  for await (const { rows, feeds } of feedsOf(model, rowsOf(X), all)) {
    const plain = ({ type, dims, data }: Fed) => ({ type, dims, data: Array.from(data) });
    const tensors = Object.entries(feeds).map(([name, tensor]) => [name, plain(tensor as never)]);
    found.push({ rows, tensors: Object.fromEntries(tensors) });
  }
  return found;
}

const message = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: Error) => error.message,
  );

/** Row r, height h, width w, channel c are told by the digits of each number: r h w c. */
const pictures = (n: number, height: number, width: number, channels: number) =>
  Array.from({ length: n }, (_, r) =>
    Array.from({ length: height }, (_, h) =>
      Array.from({ length: width }, (_, w) =>
        Array.from({ length: channels }, (_, c) => r * 1000 + h * 100 + w * 10 + c),
      ),
    ),
  );

describe('feedsOf', () => {
  it('goes batch by batch, in order, with a rest', async () => {
    const X = [1, 3, 5].map((value) => [value, value + 1]);
    const batches = await fed(X, [door('float32', [null, 2])]);
    expect(batches).toEqual([
      { rows: 2, tensors: { x: { type: 'float32', dims: [2, 2], data: [1, 2, 3, 4] } } },
      { rows: 1, tensors: { x: { type: 'float32', dims: [1, 2], data: [5, 6] } } },
    ]);
    const alone = await fed(X, [door('float32', [1, 2])], { rowsAtATime: 1 });
    expect(alone.map(({ rows }) => rows)).toEqual([1, 1, 1]);
  });

  it('reads a stream in its own blocks', async () => {
    const asked: number[][] = [];
    const take = (indices: Int32Array) => {
      asked.push([...indices]);
      return Array.from(indices, (row) => [row]);
    };
    const batches = await fed({ length: 7, window: 3, take }, [door('float32', [null, 1])]);
    expect(asked).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    expect(batches.flatMap(({ tensors }) => tensors.x.data)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('moves channels to the front where the file has them there', async () => {
    const [{ tensors }] = await fed(pictures(1, 2, 3, 2), [door('float32', [null, 2, 2, 3])]);
    expect(tensors.x.dims).toEqual([1, 2, 2, 3]);
    // Channel 0 first: all pixels row by row, then channel 1.
    expect(tensors.x.data).toEqual([0, 10, 20, 100, 110, 120, 1, 11, 21, 101, 111, 121]);
  });

  it.each(['1,4,5', '4,5,1', '4,5'])('takes grey images of any writing for %s', async (written) => {
    const dims = written.split(',').map(Number);
    const flat = pictures(1, 4, 5, 1);
    for (const X of [flat, flat.map((rows) => rows.map((row) => row.map(([pixel]) => pixel)))]) {
      const [{ tensors }] = await fed(X, [door('float32', [null, ...dims])]);
      expect(tensors.x.dims).toEqual([1, ...dims]);
      expect(tensors.x.data).toEqual(flat.flat(3));
    }
  });

  it('asks where channels are when the sizes fit both, and takes the answer', async () => {
    const open = [door('float32', [null, null, null, null])];
    expect(await message(fed(pictures(1, 6, 8, 3), open))).toBe(
      "The shape of the input 'x' of the model must tell where the channels of an image are. Got [any, any, any] for rows of [6, 8, 3]. Say how the model takes images: layout: 'NCHW' or 'NHWC'.",
    );
    expect((await fed(pictures(1, 6, 8, 3), open, { layout: 'NHWC' }))[0].tensors.x.dims).toEqual([1, 6, 8, 3]);
    const [{ tensors }] = await fed(pictures(1, 6, 8, 3), open, { layout: 'NCHW' });
    expect(tensors.x.dims).toEqual([1, 3, 6, 8]);
    expect(tensors.x.data.slice(0, 3)).toEqual([0, 10, 20]);
    // Rows that have their channels in front already stay as they are.
    expect((await fed(pictures(1, 3, 6, 8), open, { layout: 'NCHW' }))[0].tensors.x.dims).toEqual([1, 3, 6, 8]);
    expect(await message(fed(pictures(1, 6, 8, 7), open, { layout: 'NCHW' }))).toContain(
      'Give rows as [height, width, channels]',
    );
    const grey = pictures(1, 6, 8, 1).map((rows) => rows.map((row) => row.flat()));
    expect((await fed(grey, open, { layout: 'NCHW' }))[0].tensors.x.dims).toEqual([1, 1, 6, 8]);
  });

  it('refuses a layout that the file contradicts', async () => {
    expect(await message(fed(pictures(1, 6, 8, 3), [door('float32', [null, 3, 6, 8])], { layout: 'NHWC' }))).toContain(
      "The `layout` of an ONNX model must be that of its input 'x', [3, 6, 8] for rows of [6, 8, 3].",
    );
  });

  it('names the shape that does not fit', async () => {
    expect(await message(fed([[1, 2, 3]], [door('float32', [null, 4])]))).toBe(
      "The rows of X must have the shape [4] of the input 'x' of the model. Got [3].",
    );
  });

  it.each([
    ['float64', [0.1], [0.1]],
    ['float32', [0.1], [Math.fround(0.1)]],
    ['int64', [2 ** 40], [2n ** 40n]],
    ['uint8', [255], [255]],
    ['bool', [1], [1]],
  ])('keeps numbers of the type %s', async (element, row, wanted) => {
    const [{ tensors }] = await fed([row], [door(element, [null, 1])]);
    expect(tensors.x).toEqual({ type: element, dims: [1, 1], data: wanted });
  });

  it.each([
    ['uint8', 256],
    ['uint8', -1],
    ['int64', 0.5],
    ['int32', 2 ** 31],
    ['bool', 2],
    ['float32', 1e39],
    ['float32', Number.NaN],
    ['int64', Number.NaN],
  ])('refuses for %s the number %d, with its place', async (element, value) => {
    const X = { age: [1, 1, 1], dose: [1, 1, value] };
    expect(await message(fed(X, [door(element, [null, 2])]))).toMatch(
      /^X row 2 of the rows to predict column 'dose' must be a (finite number of the type \w+|number of the type \w+ that the model takes)\. Got /,
    );
  });

  it('hands missing values on where the model is said to take them', async () => {
    const [{ tensors }] = await fed([[1, Number.NaN]], [door('float32', [null, 2])], { allowMissing: true });
    expect(tensors.x.data).toEqual([1, Number.NaN]);
    expect(await message(fed([[1, Number.NaN]], [door('float32', [null, 2])]))).toContain('pass allowMissing: true');
  });

  it('takes a record of inputs by name, and names what is missing or unknown', async () => {
    const inputs = [door('float32', [null, 2, 2], 'image'), door('float32', [null, 1], 'age')];
    const X = { age: [[50]], image: { data: Float32Array.of(1, 2, 3, 4), shape: [1, 2, 2] } };
    const [{ tensors }] = await fed(X, inputs);
    expect([tensors.image.dims, tensors.age.data]).toEqual([[1, 2, 2], [50]]);
    expect(await message(fed({ ages: [[50]], image: X.image }, inputs))).toContain("Got 'ages'. Did you mean 'age'?");
  });

  it('takes one column of a table for each input', async () => {
    const inputs = [door('float32', [null, 1], 'age'), door('string', [null, 1], 'sex')];
    const [{ tensors }] = await fed([{ sex: 'f', age: 61 }], inputs);
    expect(tensors).toEqual({
      age: { type: 'float32', dims: [1, 1], data: [61] },
      sex: { type: 'string', dims: [1, 1], data: ['f'] },
    });
    expect(await message(fed([{ sex: 'f', age: 61, id: 7 }], inputs))).toContain("Got 'id', too.");
    expect(await message(fed([{ sex: 'f' }], inputs))).toContain(
      "X must have a column for the input 'age' of the model. Got none.",
    );
    const one = ['m', null].map((sex) => ({ sex, age: 61 }));
    expect(await message(fed(one, inputs))).toContain("for the input 'sex' must be a text. Got null.");
    expect(await message(fed([{ sex: 'f', age: 'old' }], inputs))).toContain(
      "column 'age' must be a number. Got a string.",
    );
  });
});
