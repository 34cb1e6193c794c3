/** `cvkit report`: the result of a run directory, again. Nothing is trained. */
import { resultsFrom } from '../../node/directory/resultsFrom.js';
import type { Work } from '../program.js';
import { showFound } from './run.js';

export const reportCommand: Work = async ([place], flags, output) => {
  await output.checkPlaces([place]);
  const result = await resultsFrom<{ summary(): string }>(place);
  return showFound(result, place, flags, output);
};
