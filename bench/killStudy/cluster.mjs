/** SIGKILL of the controller of SLURM, of an array task, and of the process that runs. One cluster serves all trials. */
import { hasSlurm, startSlurm } from '../../test/helpers/slurmNode.mjs';
import { FOLDS, isAlive, sleep, soon, trial } from './scene.mjs';

const PAUSE = 300;
let started;

const kind = (name, what, play) => ({
  ...{ name, what, times: 20 },
  available: async () => hasSlurm || 'there is no slurmctld, slurmd, sbatch or munged',
  async once(seed) {
    started ??= startSlurm({ cpus: 4 });
    const cluster = await started;
    return trial(seed, async (scene) => {
      const options = { executor: 'slurm', foldsPerTask: 1 + scene.below(3), env: { PAUSE } };
      await play({ scene, cluster, options });
      await scene.isWhole();
      // A controller that was away hears of ends later.
      const queue = () => cluster.call('squeue', ['-h', '-t', 'PENDING,RUNNING,COMPLETING']);
      await soon(() => queue() === '', 'jobs are left over');
    });
  },
  async end() {
    const cluster = await started;
    started = undefined;
    await cluster?.stop();
  },
});

export const controller = kind('controller', 'SIGKILL of slurmctld', async ({ scene, cluster, options }) => {
  const run = await scene.again(options);
  await scene.fitted(scene.below(FOLDS.length), run);
  await sleep(scene.below(PAUSE));
  await cluster.killController();
  await sleep(scene.below(3000));
  await cluster.startController();
  await scene.goesOn(run);
});

export const arrayTask = kind('arrayTask', 'SIGKILL of array tasks of SLURM', async ({ scene, options }) => {
  const run = await scene.again(options);
  for (let kills = 1 + scene.below(2); kills > 0; kills--) {
    const begun = (await scene.fits()).length;
    await scene.fitted(begun + 1 + scene.below(3), run);
    await sleep(scene.below(PAUSE));
    const last = (await scene.fits()).at(-1);
    if (last && isAlive(last.pid)) process.kill(last.pid, 'SIGKILL');
  }
  await scene.goesOn(run);
});

export const slurmParent = kind('slurmParent', 'SIGKILL of the process that runs, with SLURM', async (all) => {
  const { scene, options } = all;
  const run = await scene.again(options);
  await scene.fitted(scene.below(FOLDS.length + 1), run);
  await sleep(scene.below(PAUSE));
  await scene.kill(run);
  await scene.goesOn(await scene.again(options));
});
