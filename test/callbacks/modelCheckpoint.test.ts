import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ModelCheckpoint, type ModelCheckpointOptions } from '../../src/callbacks/modelCheckpoint.js';
import type { CVCallback } from '../../src/runner/callback.js';
import { type Climber, climb } from '../helpers/scriptedAdapter.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { thrown } from '../helpers/thrown.js';

/** Places that are no paths: the adapter writes there by itself. */
const to = 'memory://';

async function saved(options: ModelCheckpointOptions, valLoss: number[], run = {}) {
  const callbacks = [new ModelCheckpoint(options)];
  const { deeds } = await climb({ epochs: valLoss.length, validation: 0.25, callbacks, ...run }, { valLoss });
  return deeds.saved.map(({ place, weight }) => `${place}: ${weight}`);
}

describe('ModelCheckpoint', () => {
  it('saves whenever the log is the best so far, anew in every fold', async () => {
    expect(await saved({ path: `${to}{fold}` }, [3, 4, 2, 2, 1])).toEqual(
      ['fold-0', 'fold-1'].flatMap((fold) => [1, 3, 5].map((weight) => `${to}${fold}: ${weight}`)),
    );
  });

  it('saves every k epochs, without validation rows', async () => {
    expect(
      await saved({ path: `${to}{fold}/{epoch}`, every: 2 }, [1, 1, 1, 1, 1], { validation: undefined, folds: [1] }),
    ).toEqual([`${to}fold-1/1: 2`, `${to}fold-1/3: 4`]);
  });

  it('asks a function for the place', async () => {
    const path = ({ fold, epoch }: { fold: string; epoch?: number }) => `${to}${fold} after ${epoch}`;
    expect(await saved({ path, every: 1 }, [1], {})).toEqual([`${to}fold-0 after 0: 1`, `${to}fold-1 after 0: 1`]);
  });

  it('writes over what its own fold saved, whatever another run does meanwhile', async () => {
    const { folder } = tempFolder();
    const checkpoint = new ModelCheckpoint({ path: `${folder}/{fold}`, every: 1 });
    const save = (model: Climber, place: unknown) => writeFile(String(place), `${model.weight}`);
    const run = (fold: number, ...others: CVCallback[]) =>
      climb({ epochs: 2, folds: [fold], callbacks: [checkpoint, ...others] }, {}, { save });
    const another: CVCallback = {
      name: 'another run',
      onEpochEnd: async ({ epoch }) => {
        if (epoch === 0) await run(1);
      },
    };
    const { results } = await run(0, another);
    expect(results.foldDetails[0].status).toBe('completed');
  });

  it('takes one path for one fold, and none that is empty', async () => {
    expect(await saved({ path: `${to}best` }, [1], { folds: [0] })).toEqual([`${to}best: 1`]);
    expect(await thrown(() => new ModelCheckpoint({ path: '' }))).toMatch(/invalid_option.*`path`/);
  });
});
