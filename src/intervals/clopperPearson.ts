import type { Interval, IntervalInput } from './interval.js';
import { proportionOfFolds } from './proportion.js';

/**
 * Clopper and Pearson's interval about these predictions, for metrics that are shares of rows; others get null limits
 * with the reason. With several rows per patient, or repeats, Korn and Graubard's in its place, which `method` says.
 *
 * Source: Clopper & Pearson 1934, Biometrika 26:404; Korn & Graubard 1998, Survey Methodology 24:193.
 */
export const clopperPearsonOfFolds = (input: IntervalInput): Interval => proportionOfFolds(input, 'clopper_pearson');
