/** Permutation importance is the same wherever folds are trained, and a run directory keeps it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CVResults, RunnerOptions, RunOptions } from '../../src/index.js';
import { DIST, needDist } from '../meta/dist.js';
import { breakOff, countedRuns, model, patients, thrownBy, X, y } from './countedRuns.js';

let cvkit: typeof import('../../src/index.js');
let node: typeof import('../../src/node/index.js');

beforeAll(async () => {
  needDist();
  cvkit = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'index.js')).href);
  node = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'node.js')).href);
});

let place: string;
const { fits } = countedRuns((each) => {
  place = each;
});

const run = (options: Partial<RunOptions>, runner: Partial<RunnerOptions> = {}) =>
  new cvkit.UniversalCVRunner({
    ...{ cvSplitter: new cvkit.GroupKFold({ nSplits: 4, randomState: 1 }), verbose: 0, randomState: 5, ...runner },
  }).run({ model, data: [X, y, patients], importance: true, ...options } as RunOptions) as Promise<CVResults>;

/** Draws in `predict`, too, and cuts where it likes. */
const drawing = new URL('./models/centroid.mjs', import.meta.url);

describe('importance elsewhere', () => {
  it.each(['threads', 'processes'] as const)('is the same to the last bit in %s', async (kind) => {
    const executor = node[kind]({ workers: 2 });
    const words = { X: X.map(([a, b], row) => ({ a, b, word: ['x', 'yy', 'zzz'][row % 3] })), y, groups: patients };
    try {
      for (const options of [{ model: drawing, threshold: 'youden' }, { model: drawing, data: words }, {}] as const) {
        const inline = await run(options as never);
        expect((await run(options as never, { executor })).importance).toEqual(inline.importance);
        expect(inline.importance).toMatchObject({ unit: 'patient', metric: 'roc_auc' });
        expect(inline.importance?.features.some(({ interval }) => (interval.estimate ?? 0) !== 0)).toBe(true);
      }
    } finally {
      await executor.close();
    }
  });

  it('refuses a metric that other threads do not know', async () => {
    cvkit.defineMetric({
      ...{ name: 'own_share', description: 'Share.', direction: 'maximize', range: [0, 1], tasks: ['binary'] },
      ...{ needs: 'labels', combine: 'pooled', compute: ({ length }) => 1 / length },
    });
    const executor = node.threads({ workers: 1 });
    const refused = await thrownBy(() => run({ importance: { metric: 'own_share' } }, { executor }));
    await executor.close();
    expect(refused.message).toBe(
      "The `metric` option of importance must be a metric that is better the larger or the smaller it is. Got own_share, which is known in this thread alone. Choose one: importance: { metric: 'roc_auc' }.",
    );
    expect((await run({ importance: { metric: 'own_share' } })).importance?.metric).toBe('own_share');
  });
});

describe('importance in a run directory', () => {
  it('is found again, and trains nothing', async () => {
    const plain = await run({});
    const before = await fits();
    const first = await run({ runDirectory: place });
    const again = await run({ runDirectory: place });
    expect((await fits()) - before).toBe(4);
    expect(again.importance).toEqual(first.importance);
    expect(first.importance).toEqual(plain.importance);
  });

  it('of a run that broke off goes on', async () => {
    await breakOff(() => run({ runDirectory: place }), 2);
    expect((await run({ runDirectory: place })).importance).toEqual((await run({})).importance);
  });

  it('of another choice is another run', async () => {
    await run({ runDirectory: place });
    const refused = await thrownBy(() => run({ runDirectory: place, importance: { repeats: 2 } }));
    expect(refused.message).toContain('importance');
  });
});
