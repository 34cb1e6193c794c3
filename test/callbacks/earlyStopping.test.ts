import { describe, expect, it } from 'vitest';
import { EarlyStopping, type EarlyStoppingOptions } from '../../src/callbacks/earlyStopping.js';
import { climb, type Script } from '../helpers/scriptedAdapter.js';

/** Runs two folds over scripted logs; every epoch adds 1 to the weight, which is what the model predicts. */
async function run(options: EarlyStoppingOptions, script: Script, replace = {}, epochs = 6) {
  const callbacks = [new EarlyStopping(options)];
  const { results, deeds } = await climb({ epochs, validation: 0.25, callbacks }, script, replace);
  expect(deeds.held).toBe(0);
  return results.foldDetails.map(({ epochs, stoppedEarly, keptEpoch }, fold) => ({
    epochs,
    stoppedEarly,
    keptEpoch,
    weight: results.predictions[fold][0],
  }));
}
const epochsOf = async (options: EarlyStoppingOptions, valLoss: number[]) =>
  (await run(options, { valLoss }, {}, valLoss.length)).map(({ epochs }) => epochs);

describe('EarlyStopping', () => {
  it('stops after `patience` epochs without improvement, counted from the best, anew in every fold', async () => {
    // As Keras: the second epoch without improvement is the one that stops.
    expect(await epochsOf({ patience: 2 }, [1, 0.9, 0.95, 0.94, 0.93, 0.92])).toEqual([4, 4]);
    expect(await epochsOf({ patience: 1 }, [1, 0.9, 0.95, 0.8])).toEqual([3, 3]);
    expect(await epochsOf({ patience: 0 }, [1, 0.9, 0.95, 0.8])).toEqual([3, 3]);
    expect(await epochsOf({ patience: 2 }, [5, 4, 3, 2, 1])).toEqual([5, 5]);
  });

  it('counts only changes larger than minDelta', async () => {
    expect(await epochsOf({ patience: 2, minDelta: 0.1 }, [1, 0.95, 0.94, 0.5])).toEqual([3, 3]);
  });

  it('gives the model the weights of its best epoch, also when nothing stopped it', async () => {
    const best = { keptEpoch: 1, weight: 2 };
    const stopped = await run({ patience: 2 }, { valLoss: [1, 0.5, 0.7, 0.6, 0.9] });
    expect(stopped).toEqual([1, 2].map(() => ({ ...best, epochs: 4, stoppedEarly: true })));
    const whole = await run({ patience: 9 }, { valLoss: [1, 0.5, 0.7, 0.6, 0.9, 0.8] });
    expect(whole).toEqual([1, 2].map(() => ({ ...best, epochs: 6, stoppedEarly: false })));
  });

  it('leaves the last weights with restoreBest: false', async () => {
    const [fold] = await run({ patience: 2, restoreBest: false }, { valLoss: [1, 0.5, 0.7, 0.6] });
    expect(fold).toEqual({ epochs: 4, stoppedEarly: true, keptEpoch: null, weight: 4 });
  });

  it('watches a metric on the validation rows, in the direction that the metric has', async () => {
    // All rows are predicted as the weight 1, 2, 3, ...: the mean squared error against y <= 1.1 grows with each epoch.
    const [worse] = await run({ monitor: 'val_mse', patience: 2 }, {});
    expect(worse).toEqual({ epochs: 3, stoppedEarly: true, keptEpoch: 0, weight: 1 });
    // r2 falls alike and is better when larger.
    const [r2] = await run({ monitor: 'val_r2', patience: 2 }, {});
    expect(r2).toEqual(worse);
  });

  it('takes a log of the framework of that name rather than its own', async () => {
    const logs = (epoch: number) => ({ val_mse: 10 - epoch });
    expect((await run({ monitor: 'val_mse', patience: 1 }, { logs }))[0].epochs).toBe(6);
  });

  it('works without weights to restore with an adapter that cannot', async () => {
    expect((await run({ restoreBest: false }, {}, { snapshot: undefined })).length).toBe(2);
  });
});
