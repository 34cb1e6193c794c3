/** The run that is disturbed: 10 folds with a run directory. `node program.mjs '{ "place": ..., "executor": ..., "retries": ... }'` */
import { fileURLToPath } from 'node:url';
import { GroupKFold, UniversalCVRunner } from 'cvkit';
import { bullmq } from 'cvkit/bullmq';
import { processes, slurm, threads } from 'cvkit/node';

const root = fileURLToPath(new URL('.', import.meta.url));
const EXECUTORS = {
  inline: () => 'inline',
  threads: () => threads({ workers: 2 }),
  processes: () => processes({ workers: 2 }),
  bullmq: () => bullmq({ connection, queue: 'kills', root }),
  slurm: () => slurm({ root, sbatch: ['--mem=100'], foldsPerTask }),
};

const { place, executor: name = 'inline', retries = 0, connection, foldsPerTask = 1 } = JSON.parse(process.argv[2]);
const executor = EXECUTORS[name]();
const runner = new UniversalCVRunner({
  ...{ cvSplitter: new GroupKFold({ nSplits: 10, randomState: 1 }), executor },
  // Says which folds have ended.
  verbose: 1,
});
const data = { module: new URL('./data.mjs', import.meta.url), export: 'load' };
try {
  await runner.run({ model: new URL('./model.mjs', import.meta.url), data, runDirectory: place, retries });
} catch (error) {
  console.error(`${error.code ?? error.name}: ${error.message}`);
  process.exitCode = 1;
}
if (name !== 'inline') await executor.close();
