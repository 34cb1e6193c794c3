/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
import { evaluate } from '../../src/validator/evaluate.js';
import { texts } from '../helpers/messages.js';

it('the forms of a result', async () => {
  const result = await evaluate({ yTrue: [0, 1, 0, 1], yPred: [0, 1, 1, 1], returnConfidenceIntervals: false });
  expect(
    await texts({
      'a misspelt option of summary': () => result.summary({ detail: true } as never),
      'an unknown option of summary': () => result.summary({ width: -4 } as never),
      'a number as options': () => result.summary(5 as never),
      'an option of toMarkdown': () => result.toMarkdown({ a: 1 } as never),
      'an option of toHTML': () => result.toHTML({ title: 'x' } as never),
    }),
  ).toMatchSnapshot();
});
