/** `cvkit report`: the result of a run directory, again. Nothing is trained. */
import { resultsFrom } from '../../node/directory/resultsFrom.js';
import { ValidationResult } from '../../validator/validationResult.js';
import type { Work } from '../program.js';
import { showResult } from './run.js';

export const work: Work = async ([place], flags, terminal) => {
  await terminal.checkPlaces();
  const result = await resultsFrom<{ summary(): string }>(place);
  if (result instanceof ValidationResult) return showResult(result, { file: place }, flags, terminal);
  // Of `run` and of a search: scores without checks.
  await terminal.result(flags.reporter === 'json' ? JSON.stringify(result, null, 1) : result.summary());
  return 0;
};
