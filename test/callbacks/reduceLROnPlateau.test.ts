import { describe, expect, it } from 'vitest';
import { ReduceLROnPlateau, type ReduceLROnPlateauOptions } from '../../src/callbacks/reduceLROnPlateau.js';
import { climb } from '../helpers/scriptedAdapter.js';

/** Learning rates of two folds over scripted losses; a model begins with 1. */
async function rates(options: ReduceLROnPlateauOptions, valLoss: number[]) {
  const callbacks = [new ReduceLROnPlateau(options)];
  const { deeds } = await climb({ epochs: valLoss.length, validation: 0.25, callbacks }, { valLoss });
  const half = deeds.rates.length / 2;
  expect(deeds.rates.slice(half)).toEqual(deeds.rates.slice(0, half));
  return deeds.rates.slice(0, half);
}

describe('ReduceLROnPlateau', () => {
  it('reduces the rate after `patience` epochs without improvement', async () => {
    // By hand: the best is epoch 1; epochs 2 and 3 do not improve, so epoch 4 trains with half the rate; and so on.
    expect(await rates({ factor: 0.5, patience: 2 }, [2, 1, 1, 1, 1, 1, 1])).toEqual([1, 1, 1, 1, 0.5, 0.5, 0.25]);
    expect(await rates({ factor: 0.5, patience: 2 }, [2, 1, 1, 0.5, 1, 0.4])).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('waits `cooldown` epochs before it counts again, and keeps to the minimum', async () => {
    // Keras: the epoch in which the counter reaches 0 counts already.
    const reduced = await rates({ factor: 0.5, patience: 1, cooldown: 2 }, [1, 1, 1, 1, 1, 1]);
    expect(reduced).toEqual([1, 1, 0.5, 0.5, 0.25, 0.25]);
    expect((await rates({ factor: 0.5, patience: 1, minimum: 0.3 }, [1, 1, 1, 1])).at(-1)).toBe(0.3);
    expect((await rates({ factor: 0.5, patience: 1, minimum: 3 }, [1, 1, 1, 1])).at(-1)).toBe(1); // never raised
  });

  it('does not count changes below minDelta, 0.0001 as in Keras', async () => {
    expect(await rates({ factor: 0.5, patience: 1 }, [1, 0.99995, 0.9999])).toEqual([1, 1, 0.5]);
  });
});
