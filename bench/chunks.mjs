/** Work in chunks over several processes: a chunk that is done is a file, so that a study goes on where it stopped. */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Does what is not done yet of `tasks` (each with the `file` that it leaves) in `workers` processes of the module
 * `worker`, which answers each task with `{ file, ms }`.
 */
export async function doChunks(tasks, { worker, workers, title }) {
  const open = tasks.filter(({ file }) => !existsSync(file));
  console.log(`${tasks.length} chunks of ${title}, ${open.length} to do`);
  let done = 0;
  /** One process that does chunk after chunk. */
  const work = () => {
    const child = fork(worker);
    return new Promise((resolve, reject) => {
      const next = () => {
        const task = open.shift();
        if (task) child.send(task);
        else child.disconnect();
      };
      child.on('message', ({ file, ms }) => {
        done++;
        console.log(`${done}  ${(ms / 1000).toFixed(1)} s  ${file}`);
        next();
      });
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`A worker ended with code ${code}.`))));
      next();
    });
  };
  await Promise.all(Array.from({ length: Math.min(workers, open.length) }, work));
}
