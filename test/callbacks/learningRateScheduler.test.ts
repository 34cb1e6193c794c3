import { describe, expect, it } from 'vitest';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import type { CVCallback } from '../../src/runner/callback.js';
import { climb } from '../helpers/scriptedAdapter.js';

/** Learning rates of two folds, epoch by epoch; a model begins with 1. */
async function rates(callback: CVCallback, epochs: number) {
  const { deeds } = await climb({ epochs, callbacks: [callback] });
  return [deeds.rates.slice(0, epochs), deeds.rates.slice(epochs)];
}

describe('LearningRateScheduler', () => {
  it('falls as half a cosine from the first rate to the minimum', async () => {
    // Loshchilov & Hutter 2017, equation 5: min + (max - min) (1 + cos(pi t / T)) / 2.
    const formula = [0, 1, 2, 3].map((t) => 0.2 + (0.8 * (1 + Math.cos((Math.PI * t) / 4))) / 2);
    for (const fold of await rates(new LearningRateScheduler({ schedule: 'cosine', minimum: 0.2 }), 4)) {
      fold.forEach((rate, epoch) => {
        expect(rate).toBeCloseTo(formula[epoch], 12);
      });
    }
  });

  it('falls in a line after it has warmed up', async () => {
    const [first, second] = await rates(new LearningRateScheduler({ schedule: 'linear', warmup: 3 }), 7);
    [0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25].forEach((rate, epoch) => {
      expect(first[epoch]).toBeCloseTo(rate, 12);
    });
    expect(second).toEqual(first);
  });

  it('asks a function, which sees the rate now and at the start', async () => {
    const halving = new LearningRateScheduler({ schedule: (epoch, rate) => (epoch > 0 ? rate / 2 : rate) });
    expect((await rates(halving, 4))[1]).toEqual([1, 0.5, 0.25, 0.125]);
    const inverse = new LearningRateScheduler({ schedule: (epoch, _, { initial }) => initial / (1 + epoch) });
    expect((await rates(inverse, 3))[1]).toEqual([1, 1 / 2, 1 / 3]);
  });

  it('never rises to a minimum above the first rate', async () => {
    expect((await rates(new LearningRateScheduler({ schedule: 'cosine', minimum: 5 }), 3))[0]).toEqual([1, 1, 1]);
  });
});
