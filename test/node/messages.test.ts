import { expect, it } from 'vitest';
import { threads } from '../../src/node/threads.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { texts } from '../helpers/messages.js';

it('threads', async () => {
  const executor = threads({ workers: 1 });
  const X = [[1], [2], [3], [4]];
  const run = (preprocessing: FunctionTransformer) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), executor, verbose: 0 }).run({
      model: new URL('./models/centroid.mjs', import.meta.url),
      data: [X, [0, 1, 0, 1]],
      preprocessing,
    });
  const rows = { 'steps that have no module': () => run(new FunctionTransformer((X) => X)) };
  expect(await texts(rows)).toMatchSnapshot();
  await executor.close();
});
