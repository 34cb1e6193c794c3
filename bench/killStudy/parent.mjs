/** SIGKILL of the process that runs, one to three times, at seeded moments: as it starts, in a fold, between two, at its end. */
import { FOLDS, sleep, trial } from './scene.mjs';

const EXECUTORS = ['inline', 'threads', 'processes'];
const PAUSE = 30;

export default {
  name: 'parent',
  what: 'SIGKILL of the process that runs',
  times: 20,
  available: async () => true,
  once: (seed) =>
    trial(seed, async (scene) => {
      const executor = EXECUTORS[scene.below(EXECUTORS.length)];
      const options = { executor, env: { PAUSE } };
      for (let kills = 1 + scene.below(3); kills > 0; kills--) {
        const begun = (await scene.fits()).length;
        const run = await scene.again(options);
        const after = scene.below(FOLDS.length + 1);
        await scene.fitted(begun + after, run);
        // Before the first fold the process starts, which takes longer than a fold.
        await sleep(scene.below(after === 0 ? 400 : 2 * PAUSE));
        await scene.kill(run);
      }
      await scene.finish(options);
    }),
};
