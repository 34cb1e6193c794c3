/** What is loaded when the first run begins, or the first ensemble is made. One module, as `checkers/calls.ts` says. */

export { crossValidate } from './crossValidate.js';
export { ensembleOf } from './foldEnsemble.js';
export { modelFrom } from './refittedModel.js';
export { runFold } from './runFold.js';
