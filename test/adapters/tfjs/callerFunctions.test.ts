import { describe, expect, it } from 'vitest';
import { byName, fromCaller } from '../../../adapters/tfjs/callerFunctions.js';
import { InvalidOptionError } from '../../../src/core/errors.js';
import { tf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

describe('byName', () => {
  it('gives one tensor as it is and several as a record', () => {
    const [a, b] = [tf.scalar(1), tf.scalar(2)];
    expect(byName(['a'], [a])).toBe(a);
    expect(byName(['a', 'b'], [a, b])).toEqual({ a, b });
    tf.dispose([a, b]);
  });
});

describe('fromCaller', () => {
  const call = (work: () => unknown) =>
    fromCaller({ name: 'augment', must: 'return { X }', code: 'invalid_augmentation' }, work);

  it('gives what the function returns, and refuses a promise', async () => {
    for (const result of [undefined, null, 3, {}]) expect(call(() => result)).toBe(result);
    expect(await thrown(() => call(async () => 1))).toMatch(/\(invalid_augmentation\): .*`augment`/);
  });

  it('says whose error it was, and lets errors of cvkit and aborts through', async () => {
    const fail = (error: unknown) => () => {
      throw error;
    };
    const boom = new TypeError('boom');
    expect(await thrown(() => call(fail(boom)))).toMatch(/\(invalid_augmentation\): .*`augment`/);
    expect(() => call(fail(boom))).toThrow(expect.objectContaining({ cause: boom }));
    const own = new InvalidOptionError('own');
    expect(() => call(fail(own))).toThrow(own);
    const abort = AbortSignal.abort().reason;
    expect(() => call(fail(abort))).toThrow(abort);
  });
});
