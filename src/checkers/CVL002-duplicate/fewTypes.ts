/** Whether rows are of a few types that many of them have, such as the haplotypes of a gene. */
import { tally } from '../../data/encode.js';
import { type Counts, isScale } from './counts.js';

/** So large a part of the rows is equal to another. */
const SHARE = 0.2;
/** The inequality may fail by this factor, and by the standard deviation of f2. */
const SLACK = 1.5;
/** The share of the contents of several rows that have two or three. */
const OFTEN = 0.5;

/**
 * Rows of columns of few values, of which so many are there once, twice and three times as rows are that are drawn from types of
 * whatever frequencies: with f for how many contents are there that often, f2^2 is at most 1.5 f1 f3, by the inequality of
 * Cauchy and Schwarz for mixtures of Poisson distributions. Copies of single rows come twice and seldom three times; rows that
 * were drawn again and again come more often than twice. Where rows are of such types, a copy cannot be told.
 *
 * Source: Good 1953, Biometrika 40:237 (frequencies of frequencies).
 *
 * @param contents a number for each row, 0 ... rows - 1: equal where rows are equal
 */
export function areFewTypes(contents: Int32Array, counted: readonly Counts[]): boolean {
  if (!counted.every(isScale)) return false;
  const often = tally(tally(contents, contents.length), contents.length + 1);
  const [, once, twice, thrice = 0] = often;
  const repeated = often.subarray(2).reduce((sum, count) => sum + count, 0);
  if (contents.length - once < SHARE * contents.length || once <= twice || thrice === 0) return false;
  return twice + thrice >= OFTEN * repeated && (twice - Math.sqrt(twice)) ** 2 <= SLACK * 1.5 * once * thrice;
}
