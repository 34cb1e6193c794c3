/** SIGKILL of Redis, of a worker of its queue, and of the process that runs. */
import { fileURLToPath } from 'node:url';
import { redisServers, startRedis } from '../../test/helpers/redis.mjs';
import { FOLDS, sleep, trial } from './scene.mjs';

const PAUSE = 100;
const CLI = fileURLToPath(new URL('../../dist/node/cli.js', import.meta.url));
const ROOT = fileURLToPath(new URL('.', import.meta.url));

/** Plays `work` with a Redis of its own, which keeps what it has on the disk, or nothing. */
const withRedis = (seed, work) =>
  trial(seed, async (scene) => {
    const keeps = scene.below(2) === 1;
    const settings = keeps ? ['--appendonly', 'yes', '--appendfsync', 'always'] : [];
    const redis = await startRedis({ folder: scene.path('redis'), settings });
    const worker = () => {
      const env = { CVKIT_REDIS: redis.url, PAUSE };
      return scene.run([CLI, 'worker', '--queue', 'kills', '--root', ROOT], env);
    };
    const options = { executor: 'bullmq', connection: redis.url };
    try {
      await work({ scene, redis, worker, options });
      for (const each of scene.running()) {
        each.kill();
        await each.ended();
      }
      await scene.isWhole();
    } finally {
      await redis.stop();
    }
  });

const kind = (name, what, play) => ({
  ...{ name, what, times: 20 },
  available: async () => redisServers.length > 0 || 'there is no redis-server or valkey-server',
  once: (seed) => withRedis(seed, play),
});

export const redis = kind('redis', 'SIGKILL of Redis, with and without persistence', async (all) => {
  const { scene, worker, options } = all;
  for (let count = 0; count < 2; count++) worker();
  const run = await scene.again(options);
  for (let kills = 1 + scene.below(2); kills > 0; kills--) {
    const begun = (await scene.fits()).length;
    await scene.fitted(begun + scene.below(5), run);
    await sleep(scene.below(2 * PAUSE));
    await all.redis.kill();
    await sleep(scene.below(2000));
    await all.redis.start();
  }
  await scene.goesOn(run);
});

export const queueWorker = kind('queueWorker', 'SIGKILL of a worker of the queue', async (all) => {
  const { scene, worker, options } = all;
  const workers = [worker(), worker()];
  const run = await scene.again(options);
  for (let kills = 1 + scene.below(2); kills > 0; kills--) {
    const begun = (await scene.fits()).length;
    await scene.fitted(begun + 1 + scene.below(3), run);
    await sleep(scene.below(PAUSE));
    workers.shift().kill();
    workers.push(worker());
  }
  await scene.goesOn(run);
});

export const queueParent = kind('queueParent', 'SIGKILL of the process that runs, with a queue', async (all) => {
  const { scene, worker, options } = all;
  for (let count = 0; count < 2; count++) worker();
  const run = await scene.again(options);
  await scene.fitted(scene.below(FOLDS.length + 1), run);
  await sleep(scene.below(4 * PAUSE));
  await scene.kill(run);
  await scene.goesOn(await scene.again(options));
});
