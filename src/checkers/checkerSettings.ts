import { boolean, type InputOf, listOf, type OptionsOf, optionTable } from '../core/options.js';
import type { Check } from './check.js';
import { checkShape } from './checkOptions.js';

export const dataLeakageCheckerOptions = optionTable('DataLeakageChecker', {
  verbose: boolean().default(true).describe('`summary()` lists the checks that passed, too.'),
  revealIds: checkShape.revealIds,
  checks: listOf<Check>('Check', 'be a list of checks', (check) => typeof (check as Check)?.assess === 'function')
    .default([])
    .describe("Checks of one's own, which this checker makes after the built-in and the registered ones."),
});

export type DataLeakageCheckerOptions = InputOf<typeof dataLeakageCheckerOptions>;
export type CheckerSettings = OptionsOf<typeof dataLeakageCheckerOptions>;
