import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../src/core/errors.js';
import { type PortCalls, portCalls, trimmed } from '../../src/runner/portCalls.js';

let open: PortCalls[] = [];
afterEach(() => {
  for (const each of open) each.close();
  open = [];
});

function ends(handlers: Parameters<typeof portCalls>[1], others: Parameters<typeof portCalls>[1] = {}) {
  const { port1, port2 } = new MessageChannel();
  const made = [portCalls(port1, handlers), portCalls(port2, others)] as const;
  open.push(...made);
  return made;
}

describe('portCalls', () => {
  it('gives answers to whom they belong, in both directions', async () => {
    const slow = async (ms: number) => new Promise((resolve) => setTimeout(() => resolve(ms), ms));
    const [here, there] = ends({ slow, add: async (a, b) => a + b }, { twice: async (value) => 2 * value });
    const calls = [there.call('slow', 20), there.call('slow', 1), there.call('add', 2, 3), here.call('twice', 4)];
    expect(await Promise.all(calls)).toEqual([20, 1, 5, 8]);
  });

  it('rejects with the error of the other end, of its class', async () => {
    const [, there] = ends({
      fail: async () => {
        throw new InvalidDataError('X must be right. Got wrong.');
      },
      uncopied: async () => () => 0,
    });
    await expect(there.call('fail')).rejects.toBeInstanceOf(InvalidDataError);
    await expect(there.call('uncopied')).rejects.toMatchObject({ name: 'DataCloneError' });
  });

  it('rejects what waits when the port closes', async () => {
    const [here, there] = ends({ never: () => new Promise(() => undefined) });
    const waiting = there.call('never');
    here.close();
    await expect(waiting).rejects.toThrow('closed');
  });
});

it('trimmed gives equal data whose arrays have nothing behind them', () => {
  const long = Float64Array.from({ length: 1000 }, (_, at) => at);
  const own = Int32Array.of(1, 2);
  const shared = new Int32Array(new SharedArrayBuffer(40), 0, 2);
  const value = { table: { yProba: long.subarray(5, 8) }, list: [long.subarray(0, 1), 'a', null], own, shared };
  const found = trimmed(value);
  expect(found).toEqual(value);
  expect(found.table.yProba.buffer.byteLength).toBe(24);
  expect((found.list[0] as Float64Array).buffer.byteLength).toBe(8);
  expect(found.own).toBe(own);
  expect(found.shared).toBe(shared);
});
