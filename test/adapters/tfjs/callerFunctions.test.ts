import { describe, expect, it } from 'vitest';
import { byName, checkSynchronous } from '../../../adapters/tfjs/callerFunctions.js';
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

describe('checkSynchronous', () => {
  it('refuses a promise', async () => {
    const check = (result: unknown) => thrown(() => checkSynchronous('augment', result, 'invalid_augmentation'));
    for (const result of [undefined, null, 3, {}]) expect(await check(result)).toBe('nothing thrown');
    expect(await check(Promise.resolve())).toMatchInlineSnapshot(
      `"AdapterError (invalid_augmentation): The \`augment\` function must be synchronous, because tensors and seeds live for one call. Got a promise."`,
    );
  });
});
