/** SIGKILL of one of the processes that train, once or twice in a run that tries folds again; the run goes on by itself. */
import { isAlive, must, sleep, trial } from './scene.mjs';

const PAUSE = 60;

export default {
  name: 'worker',
  what: 'SIGKILL of a process of `processes`',
  times: 20,
  available: async () => true,
  once: (seed) =>
    trial(seed, async (scene) => {
      const kills = 1 + scene.below(2);
      const run = await scene.again({ executor: 'processes', retries: kills, env: { PAUSE } });
      for (let killed = 0; killed < kills; killed++) {
        await scene.fitted(1 + scene.below(5) + 5 * killed, run);
        await sleep(scene.below(PAUSE));
        must(run.lives(), run.text());
        const { pid } = (await scene.fits()).at(-1);
        must(pid !== run.pid, 'folds must be trained in other processes');
        if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      }
      await scene.goesOn(run);
      await scene.isWhole();
    }),
};
