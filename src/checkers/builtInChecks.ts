/** The checks of this package, in order of their codes: one check, one room, one code, one page in docs/checks. */

import type { Check } from './check.js';
import { CHECKS } from './members.js';
import { addedChecks } from './registry.js';

const CHECKS_OF_OURS: readonly Check[] = CHECKS;
export const leakageChecks = CHECKS_OF_OURS.filter(({ kind }) => kind !== 'balance');
export const balanceChecks = CHECKS_OF_OURS.filter(({ kind }) => kind === 'balance');

/** Ours, then those that users registered: what is made wherever nobody names others. */
export const allLeakageChecks = (): readonly Check[] => [
  ...leakageChecks,
  ...addedChecks().filter(({ kind }) => kind !== 'balance'),
];
export const allBalanceChecks = (): readonly Check[] => [
  ...balanceChecks,
  ...addedChecks().filter(({ kind }) => kind === 'balance'),
];
