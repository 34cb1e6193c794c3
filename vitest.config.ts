import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Two layers. `npm test` runs `unit` and `isolated` without what is tagged `slow`: every conformance suite and every
 * reference number, in minutes. `npm run test:all` (scripts/testAll.mjs) runs what is left.
 */
// `memory` starts a process, which inherits the peak of memory of the one that starts it: it needs a small one.
const WHOLE = ['test/journeys/**/*.test.ts', 'test/bench/**/*.test.ts', 'test/meta/memory.test.ts'];
const META = ['test/meta/**/!(memory).test.ts'];
const SLOW = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes("tags: 'slow'"));
/** Slow ones that mostly wait for other programs: they run beside the other slow ones. */
const WAITING = [
  'test/bench/killStudy.test.ts',
  ...['bullmq', 'launchers', 'sameBits', 'slurm'].map((name) => `test/node/${name}.test.ts`),
];
/** These change what all files of a process share: globals, or the modules that others have loaded. */
const ISOLATED = [
  'test/adapters/messages.test.ts',
  'test/adapters/tfjs/backend.test.ts',
  'test/adapters/estimator/libraries.test.ts',
  'test/checkers/CVL003-near-duplicate/blockKernel.test.ts',
  'test/checkers/features/productKernel.test.ts',
  'test/checkers/features/simdFunction.test.ts',
  'test/core/io.node.test.ts',
  'test/core/seededRandom.test.ts',
  'test/datasets/download.test.ts',
  'test/node/images/readImages.test.ts',
  'test/runner/activeRuns.test.ts',
  'test/tuning/journal/journalStorage.test.ts',
];

const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
});

export default defineConfig({
  resolve: {
    alias: {
      '#io': fileURLToPath(new URL('./src/core/io.node.ts', import.meta.url)),
      '#table': fileURLToPath(new URL('./src/node/table/parts.ts', import.meta.url)),
      // Threads load what is built, as Node knows no TypeScript.
      '#node': fileURLToPath(new URL('./dist/node/parts.js', import.meta.url)),
    },
  },
  test: {
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    tags: [{ name: 'slow', description: 'Takes more than a second; `npm run test:all` runs it.' }],
    projects: [
      // One process serves many files: loading the sources anew for each of them took as long as the tests.
      project('unit', ['test/**/*.test.ts'], { exclude: [...WHOLE, ...META, ...ISOLATED], isolate: false }),
      project('isolated', ISOLATED),
      project('slow', SLOW, { exclude: [...ISOLATED, ...WAITING], isolate: false }),
      project('waiting', WAITING, { isolate: false, testTimeout: 120_000 }),
      project(
        'slow isolated',
        ISOLATED.filter((path) => SLOW.includes(path)),
      ),
      // After the others: a TypeScript program in each of its processes.
      project('meta', META, { isolate: false, sequence: { groupOrder: 1 } }),
      // Programs of their own take longer where others work, too.
      project('whole', WHOLE, { testTimeout: 240_000 }),
      // The tests of the runner again, with folds that are copied as a thread would have them, four at once.
      project('folds at once', ['test/runner/**/*.test.ts'], {
        // These know nothing of folds, are about files, or compare numbers that no executor changes.
        exclude: [
          'test/tuning/{journal,pruners,samplers,tpe}/**',
          'test/runner/{loadModel,tuning/gridSearchReference}.test.ts',
        ],
        env: { EXECUTOR: 'cloning', CLONES: '4' },
      }),
    ],
  },
});
