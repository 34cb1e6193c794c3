/** `cvkit report`: the result of a run directory, again. Nothing is trained. */
import { resultsFrom } from '../../node/directory/resultsFrom.js';
import { ValidationResult } from '../../validator/validationResult.js';
import type { Work } from '../program.js';
import { showResult } from './run.js';

export const reportCommand: Work = async ([place], flags, output) => {
  await output.checkPlaces([place]);
  const result = await resultsFrom<{ summary(): string }>(place);
  if (result instanceof ValidationResult) return showResult(result, { file: place }, flags, output);
  // Of `run` and of a search: scores without checks.
  await output.result(flags.reporter === 'json' ? JSON.stringify(result, null, 1) : result.summary());
  return 0;
};
