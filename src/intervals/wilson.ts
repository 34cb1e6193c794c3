import type { Interval, IntervalInput } from './interval.js';
import { proportionOfFolds } from './proportion.js';

/**
 * Wilson's interval about these predictions, for metrics that are shares of rows (accuracy, sensitivity, ...); others
 * get null limits with the reason. With several rows per patient, or repeats, the ratio estimator in its place, which
 * `method` says.
 *
 * Source: Wilson 1927, JASA 22:209; ratio estimator, Genders et al. 2012, Radiology 265:910.
 */
export const wilsonOfFolds = (input: IntervalInput): Interval => proportionOfFolds(input, 'wilson');
