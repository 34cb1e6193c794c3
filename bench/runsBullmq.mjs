/** What a queue costs: 100 and 1,000 folds of a model that costs nothing, by BullMQ on loopback and in this process. Needs redis-server. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RepeatedKFold, UniversalCVRunner } from '../dist/node/index.js';

const HERE = fileURLToPath(import.meta.url);
const ROOT = fileURLToPath(new URL('..', import.meta.url));

export function load() {
  const X = Array.from({ length: 569 }, (_, row) => Array.from({ length: 30 }, (_, column) => Math.sin(row * column)));
  return { X, y: X.map((_, row) => row % 2) };
}

export default () => ({
  fit: () => undefined,
  predict: (X) => X.map(([, second]) => Number(second > 0)),
});

async function main() {
  const { bullmq } = await import('../dist/node/bullmq.js');
  const { startRedis, redisServers } = await import('../test/helpers/redis.mjs');
  if (redisServers.length === 0) return console.log('No redis-server here.');
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-bench-'));
  const redis = await startRedis({ folder });
  const args = ['worker', '--queue', 'bench', '--root', ROOT, '--concurrency', '2'];
  const env = { ...process.env, CVKIT_REDIS: redis.url };
  const worker = spawn(process.execPath, [join(ROOT, 'dist/node/cli.js'), ...args], { env, stdio: 'inherit' });
  const executor = bullmq({ connection: redis.url, queue: 'bench', root: ROOT });
  const run = async (nRepeats, how) => {
    const started = performance.now();
    const runner = new UniversalCVRunner({
      cvSplitter: new RepeatedKFold({ nSplits: 10, nRepeats }),
      executor: how,
      verbose: 0,
      randomState: 1,
    });
    const { scores } = await runner.run({ model: new URL(import.meta.url), data: { module: HERE, export: 'load' } });
    return { ms: performance.now() - started, scores: JSON.stringify(scores) };
  };
  await run(1, executor);
  await run(1, 'inline');
  for (const nRepeats of [10, 100]) {
    const folds = 10 * nRepeats;
    const inline = await run(nRepeats, 'inline');
    const rss = process.memoryUsage().rss;
    const queue = await run(nRepeats, executor);
    const grown = (process.memoryUsage().rss - rss) / 2 ** 20;
    const over = (queue.ms - inline.ms) / folds;
    console.log(
      `${folds} folds: inline ${inline.ms.toFixed(0)} ms, queue ${queue.ms.toFixed(0)} ms, ${over.toFixed(2)} ms more per fold; ` +
        `memory of this process ${grown.toFixed(0)} MB more; same scores: ${inline.scores === queue.scores}`,
    );
  }
  await executor.close();
  worker.kill('SIGTERM');
  await redis.stop();
  rmSync(folder, { recursive: true });
}

// Not awaited here: the runs import this module.
if (process.argv[1] === HERE) void main();
