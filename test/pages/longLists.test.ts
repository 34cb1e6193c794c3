import { expect, it } from 'vitest';
import { listReader, posted } from '../../src/pages/longLists.js';

it('long lists arrive as they were, in parts that are short, each with its record', async () => {
  const record = (shift: number) => ({
    X: { inputs: { a: { rows: Array.from({ length: 1203 }, (_, row) => [row + shift, 'text', null]) } } },
    y: { codes: Int32Array.from({ length: 66_000 }, (_, row) => row * shift), short: new Uint8Array([1, 2]) },
    part: new Float32Array([1, 2, 3]).subarray(1),
    names: ['a', 'b'],
    nothing: undefined,
  });
  const sent: unknown[] = [];
  const post = (message: unknown) => void sent.push(structuredClone(message));
  const [one, two] = await Promise.all([posted(record(1), post), posted(record(2), post)]);
  expect(JSON.stringify([one, two]).length).toBeLessThan(1000);
  const read = listReader();
  const longest = Math.max(...sent.map((part) => (part as { values: ArrayLike<unknown> }).values.length));
  expect(longest).toBeLessThan(66_000);
  expect(sent.map(read).filter((message) => message !== undefined)).toEqual([]);
  expect(read({ answer: 2, value: structuredClone(two) })).toEqual({ answer: 2, value: record(2) });
  expect(read({ answer: 1, value: structuredClone(one) })).toEqual({ answer: 1, value: record(1) });
});

it('shared memory goes at once, and other messages are as they are', async () => {
  const shared = new Float64Array(new SharedArrayBuffer(8 * 66_000));
  const none = () => expect.unreachable();
  expect(((await posted({ shared }, none)) as { shared: unknown }).shared).toBe(shared);
  const when = new Date(0);
  expect(listReader()({ call: 1, args: [{ when }] })).toEqual({ call: 1, args: [{ when }] });
});
