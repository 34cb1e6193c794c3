/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
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
