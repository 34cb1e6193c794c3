/** `cvkit merge`: parts of one run as a whole. */
import { mergeRuns } from '../../node/directory/mergeRuns.js';
import { ValidationResult } from '../../validator/validationResult.js';
import type { Work } from '../program.js';
import { showResult } from './run.js';

export const mergeCommand: Work = async (places, flags, output) => {
  await output.checkPlaces(places);
  const into = typeof flags.into === 'string' ? flags.into : undefined;
  const result = await mergeRuns<{ summary(): string }>(places, into === undefined ? {} : { into });
  if (result instanceof ValidationResult) return showResult(result, { file: into ?? places[0] }, flags, output);
  await output.result(flags.reporter === 'json' ? JSON.stringify(result, null, 1) : result.summary());
  return 0;
};
