/**
 * Property tests draw from one seed, so that a run says the same thing twice. `FAST_CHECK_SEED=7 npx vitest run` looks
 * at other cases; what it finds is to be written down as an example.
 */
import fc from 'fast-check';
import { vi } from 'vitest';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });

// The projects `folds copied` and `folds at once` of vitest.config.ts run tests with another executor as the default.
vi.mock('../src/runner/inlineExecutor.js', async (actual) => {
  const executors = await actual<typeof import('../src/runner/inlineExecutor.js')>();
  if (process.env.EXECUTOR !== 'cloning') return executors;
  const { cloningExecutor } = await import('./helpers/cloningExecutor.js');
  return { ...executors, inlineExecutor: cloningExecutor(Number(process.env.CLONES)) };
});
