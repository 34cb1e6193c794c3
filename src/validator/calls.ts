/** What is loaded with the first call of the validator or of `evaluate`. One module, as `checkers/calls.ts` says. */

export { advise } from './advice.js';
export { evaluation } from './evaluation.js';
export { reproduction } from './reproduction.js';
export { fitValidate, validate } from './validation.js';
