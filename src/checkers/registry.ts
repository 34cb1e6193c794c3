/** The checks that users add. It imports none of the built-in ones, so that registering a check loads no other. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { CHECK_TYPES } from '../core/memberNames.js';
import { custom, listOf, oneOf, optionTable, string } from '../core/options.js';
import { splitDataOptions } from '../splitters/splitter.js';
import type { Check, Evidence } from './check.js';

/** Types of the checks of this package by code; the last two stand with the statistics that run a model. */
export const BUILT_IN_NAMES: Readonly<Record<string, string>> = {
  ...CHECK_TYPES,
  CVL013: 'identity_confounding',
  CVL014: 'permutation_gap',
};

const INPUTS: readonly unknown[] = ['X', 'y', ...Object.keys(splitDataOptions.shape)];
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const isFunction = (value: unknown) => typeof value === 'function';

const checkFacts = optionTable('registerCheck', {
  code: custom<string>('string', 'be letters and digits, at most 20', matches(/^[A-Za-z][A-Za-z0-9-]{0,19}$/)).describe(
    'Stable code, for example LAB001.',
  ),
  type: custom<string>('string', 'be snake_case, of at most 60 letters', matches(/^[a-z][a-z0-9_]{0,59}$/)).describe(
    'Name of the question, for example device_drift.',
  ),
  kind: oneOf('leakage', 'shift', 'balance').describe(
    "'leakage', a fault; 'shift', a difference between sides; 'balance'.",
  ),
  cost: oneOf('fast', 'slow').describe("'slow': it compares rows in pairs, permutes, or takes long otherwise."),
  description: string().describe('One sentence for the documents.'),
  page: string().optional().describe('Address of the page that explains it.'),
  needs: listOf<Check['needs'][number]>('string', `be a list of ${INPUTS.join(', ')}`, (name) =>
    INPUTS.includes(name),
  ).describe('Inputs without which it is not evaluated.'),
  whenMissing: custom<NonNullable<Check['whenMissing']>>('(input) => Finding', 'be a function', isFunction)
    .optional()
    .describe('What it means that an input beside X and y is missing.'),
  assess: custom<Check['assess']>('(input) => Finding', 'be a function', isFunction).describe('What it finds.'),
});

const added: Check[] = [];

export const addedChecks = (): readonly Check[] => [...added];

/**
 * Adds a check of one's own. From then on `validate`, `DataLeakageChecker` and `LeakageDetectionCallback` make it after
 * the built-in ones, and summaries, reports and JSON show it like these. What it throws is a result with status `error`.
 *
 * @returns the check
 * @throws {InvalidOptionError} a fact is missing or misspelt, or the code or the type is taken
 * @example
 * registerCheck({
 *   code: 'LAB001', type: 'one_device', kind: 'leakage', cost: 'fast', needs: ['hierarchy'],
 *   description: 'All rows come from one device.',
 *   assess: ({ data }) =>
 *     new Set(data.hierarchy?.device).size > 1
 *       ? { status: 'passed', severity: 'none', message: 'There are several devices.', evidence: {}, fix: '' }
 *       : { status: 'needs_review', severity: 'low', message: 'There is one device.', evidence: {}, fix: 'Add another.' },
 * });
 * const hierarchy = { device: y.map(() => 'a') };
 * const report = await new DataLeakageChecker().check(X, y, { hierarchy, cv: cvSplitter });
 * console.log(report.checks.find(({ code }) => code === 'LAB001').message);
 */
export function registerCheck<Details extends Evidence>(check: Check<Details>): Check<Details> {
  added.push(ownCheck(check, added));
  return check;
}

/** Takes a registered check out again, by its code; nothing happens when there is none. */
export function unregisterCheck(code: string): void {
  const at = added.findIndex((check) => check.code === code);
  if (at >= 0) added.splice(at, 1);
}

/** A check of a user's, whose facts are complete and whose names are free among ours and the `others`. */
export function ownCheck(check: Check, others: readonly Check[]): Check {
  checkFacts.resolve(check);
  const names = new Set([
    ...Object.entries(BUILT_IN_NAMES).flat(),
    ...others.flatMap(({ code, type }) => [code, type]),
  ]);
  for (const fact of ['code', 'type'] as const) {
    if (!names.has(check[fact])) continue;
    const subject = `The \`${fact}\` of a check`;
    const message = sentence(subject, 'be a name that no other check has', phrase(`'${check[fact]}'`));
    throw new InvalidOptionError(message, { code: 'duplicate_name' });
  }
  return check;
}
