/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
import { plotKaplanMeier } from '../../src/plot/plotKaplanMeier.js';
import { plotSplits } from '../../src/plot/plotSplits.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { texts } from '../helpers/messages.js';

it('plotSplits', async () => {
  const draw = (options: object) => () => plotSplits(new GroupKFold(), 10, options);
  expect(
    await texts({
      'a width of 10': draw({ width: 10 }),
      'an unknown option': draw({ colour: 'red' }),
      'what the splitter refuses': draw({}),
    }),
  ).toMatchSnapshot();
});

it('plotKaplanMeier', async () => {
  const draw = (more: object) => () => String(plotKaplanMeier({ time: [1, 2, 3], event: [1, 0, 1], ...more }));
  expect(
    await texts({
      'a time of 0': draw({ time: [0, 1, 2] }),
      'risks of fewer rows': draw({ risk: [1, 2] }),
      'a risk that is none': draw({ risk: [1, Number.NaN, 2] }),
      'groups of fewer rows': draw({ group: ['a', 'b'] }),
      'a row without a group': draw({ group: ['a', null, 'b'] }),
      'a weight below 0': draw({ sampleWeight: [1, -1, 1] }),
      'weights of fewer rows': draw({ sampleWeight: [1, 1] }),
      'no outcomes': () => String(plotKaplanMeier([] as never)),
      'results of classes': () =>
        String(plotKaplanMeier({ outOfFold: {}, foldDetails: [], metadata: { task: 'binary' } } as never)),
    }),
  ).toMatchSnapshot();
});
