/** The balance checks, in order of their codes. */
import type { Check } from '../check.js';
import { classBalance } from './classBalance.js';

export const balanceChecks: readonly Check[] = [classBalance];
