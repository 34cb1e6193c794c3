/** `cvkit merge`: parts of one run as a whole. */
import { mergeRuns } from '../../node/directory/mergeRuns.js';
import type { Work } from '../program.js';
import { showFound } from './run.js';

export const mergeCommand: Work = async (places, flags, output) => {
  await output.checkPlaces(places);
  const into = typeof flags.into === 'string' ? flags.into : undefined;
  const result = await mergeRuns<{ summary(): string }>(places, into === undefined ? {} : { into });
  return showFound(result, into ?? places[0], flags, output);
};
