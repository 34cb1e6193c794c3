/** The run that is disturbed: 10 folds with a run directory. `node program.mjs '{ "place": ..., "executor": ..., "retries": ... }'` */
import { GroupKFold, UniversalCVRunner } from 'cvkit';
import { processes, threads } from 'cvkit/node';

const EXECUTORS = {
  inline: () => 'inline',
  threads: () => threads({ workers: 2 }),
  processes: () => processes({ workers: 2 }),
};

const { place, executor: name = 'inline', retries = 0 } = JSON.parse(process.argv[2]);
const X = Array.from({ length: 120 }, (_, row) => [1, Math.sin(row), Math.cos(3 * row), (row % 7) / 7]);
const y = X.map(([, first], row) => Number(first > 0 ? row % 3 !== 0 : row % 5 === 0));
const patients = X.map((_, row) => `patient-${row % 40}`);
const executor = EXECUTORS[name]();
const runner = new UniversalCVRunner({
  ...{ cvSplitter: new GroupKFold({ nSplits: 10, randomState: 1 }), executor },
  // Says which folds have ended.
  verbose: 1,
});
try {
  await runner.run({
    ...{ model: new URL('./model.mjs', import.meta.url), data: [X, y, patients], runDirectory: place, retries },
  });
} catch (error) {
  console.error(`${error.code ?? error.name}: ${error.message}`);
  process.exitCode = 1;
}
if (name !== 'inline') await executor.close();
