/** Runs with `nJobs` in a page, in Chromium: folds in Web Workers. */
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { bundled, chromium, LIMIT, NO_CHROMIUM, toldBy } from './chromium.js';

beforeAll(needDist);

const MODELS = ['logistic', 'network', 'endless', 'waits', 'uncaught'];
const files = () =>
  bundled(join(ROOT, 'test/journeys/workersPage.mjs'), {
    pageWorker: join(ROOT, 'dist/modules/src/pages/pageWorker.js'),
    ...Object.fromEntries(MODELS.map((name) => [name, join(ROOT, `test/journeys/workers/${name}.mjs`)])),
  });
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const ELSEWHERE = /^InvalidOptionError \(bound_to_thread\): The `model` option .* of a module of the page's own origin/;

it.skipIf(!chromium).each([
  { how: 'with memory that workers share', isolated: true, headers: ISOLATED },
  { how: 'with copies', isolated: false, headers: {} },
])(
  'folds in Web Workers give the numbers of the page, $how; the workers end with the run',
  async ({ isolated, headers }) => {
    if (!chromium) return expect.unreachable();
    const found = await toldBy(chromium, await files(), headers);
    expect(found.error).toBeUndefined();
    expect(found).toMatchObject({ isolated, started: 'done' });
    const numbers = Object.entries(found.numbers as Record<string, { length: number; equal: boolean }>);
    expect(numbers.map(([name, { equal }]) => [name, equal])).toEqual(
      ['logistic', 'network', 'records', 'dense', 'lists'].map((name) => [name, true]),
    );
    // Results are there at all.
    expect(Math.min(...numbers.map(([, { length }]) => length))).toBeGreaterThan(1000);
    if (isolated) return;
    expect(found.ends).toMatchObject({
      run: { end: 'done', during: true, after: false },
      foldTimeout: { end: expect.stringMatching(/fold_timeout.*within 1 s/), after: false },
      signal: { end: expect.stringMatching(/^AbortError/), during: true, after: false },
    });
    expect(found.uncaught).toEqual([
      expect.stringMatching(/The thread of fold-0 must live.*out of nowhere/),
      ...['completed', 'completed', 'completed'],
    ]);
    expect(found.refused).toEqual({
      ...Object.fromEntries(
        ['function', 'otherOrigin', 'otherMachine', 'data', 'bare'].map((name) => [
          name,
          expect.stringMatching(ELSEWHERE),
        ]),
      ),
      missing: expect.stringMatching(/^AdapterError \(invalid_model\): The model module \.\/nothing\.js must load/),
    });
  },
  2 * LIMIT,
);

it(
  'a worker that cannot start is one error, whatever the run does with folds that fail',
  async ({ skip }) => {
    if (!chromium) return skip(NO_CHROMIUM);
    const all = await files();
    const refused = expect.stringMatching(/^AdapterError \(worker_not_started\): A Web Worker of `nJobs` must start\./);
    const policy = { 'content-security-policy': "worker-src 'none'" };
    expect(await toldBy(chromium, all, policy)).toEqual({ isolated: false, started: refused });
    all.delete('/pageWorker.js');
    expect(await toldBy(chromium, all)).toEqual({ isolated: false, started: refused });
  },
  3 * LIMIT,
);
