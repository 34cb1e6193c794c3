/** `cvkit verify`: is everything in a run directory as it was written? */
import { counted } from '../../core/format.js';
import { verifyRun } from '../../node/directory/verifyRun.js';
import { FINDINGS } from '../exitCodes.js';
import type { Work } from '../program.js';

export const verifyCommand: Work = async ([place], flags, output) => {
  await output.checkPlaces([place]);
  const found = await verifyRun(place);
  const { valid, folds, faults, head } = found;
  const lines = [
    `${place}: ${valid ? 'as it was written' : 'NOT as it was written'}, ${counted(folds.length, 'fold')} whole`,
    ...faults.map(({ fold, file, reason }) => `  ${file}${fold === null ? '' : ` (${fold})`}: ${reason}`),
    ...(head ? [`  End of the log, to keep elsewhere: ${JSON.stringify(head)}`] : []),
  ];
  await output.result(flags.reporter === 'json' ? JSON.stringify(found, null, 1) : lines.join('\n'));
  return valid ? 0 : FINDINGS;
};
