/**
 * Property tests draw from one seed, so that a run says the same thing twice. `FAST_CHECK_SEED=7 npx vitest run` looks
 * at other cases; what it finds is to be written down as an example.
 */
import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { metricRegistry } from '../src/metrics/registry.js';
import { adapterRegistry } from '../src/runner/adapterRegistry.js';
import { splitterRegistry } from '../src/splitters/registry.js';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });

// Files share a process: what one of them registers is taken away before the next.
const registries = [metricRegistry, adapterRegistry, splitterRegistry];
const builtIn = registries.map((registry) => new Set(registry.names()));
afterAll(() => {
  for (const [at, registry] of registries.entries()) {
    for (const name of registry.names()) if (!builtIn[at].has(name)) registry.remove(name);
  }
});

// The project `folds at once` of vitest.config.ts runs tests with another executor as the default.
vi.mock('../src/runner/inlineExecutor.js', async (actual) => {
  const executors = await actual<typeof import('../src/runner/inlineExecutor.js')>();
  if (process.env.EXECUTOR !== 'cloning') return executors;
  const { cloningExecutor } = await import('./helpers/cloningExecutor.js');
  return { ...executors, inlineExecutor: cloningExecutor(Number(process.env.CLONES)) };
});
