import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests of the runner again, with folds that are copied as a thread would have them: one by one, and four at once. */
const apart = (name: string, clones: string) => ({
  extends: true as const,
  test: {
    name,
    include: ['test/runner/**/*.test.ts'],
    // These know nothing of folds.
    exclude: ['test/runner/tuning/{journal,pruners,samplers,tpe}/**'],
    env: { EXECUTOR: 'cloning', CLONES: clones },
  },
});

export default defineConfig({
  resolve: {
    alias: {
      '#io': fileURLToPath(new URL('./src/core/io.node.ts', import.meta.url)),
      // Threads load what is built, as Node knows no TypeScript.
      '#threads': fileURLToPath(new URL('./dist/node/node.js', import.meta.url)),
      '#sideThread': fileURLToPath(new URL('./dist/node/sideThread.js', import.meta.url)),
      '#alea': 'seedrandom/lib/alea.js',
      '#d3-scale': 'd3-scale',
    },
  },
  test: {
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'] } },
      apart('folds copied', '1'),
      apart('folds at once', '4'),
    ],
  },
});
