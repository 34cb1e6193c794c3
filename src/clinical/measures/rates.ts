/** Sensitivity and specificity together: likelihood ratios, odds ratio and predictive values are functions of both. */

import { effectiveUnits } from '../../intervals/effectiveUnits.js';
import { studentTQuantile } from '../../intervals/incompleteBeta.js';
import { normalQuantile } from '../../intervals/normalQuantile.js';
import { influenceOf, obstacleOf, type Sample, sampleVariance } from '../../intervals/sample.js';
import { sensitivity, specificity } from '../../metrics/definitions/binary.js';
import { balancedAccuracy } from '../../metrics/definitions/multiclass.js';
import { type Undefined, undefinedBecause } from '../../metrics/metric.js';

/** Derivatives of a function of both rates. */
export type Slopes = readonly [bySensitivity: number, bySpecificity: number];

export interface Rates {
  readonly sensitivity: number;
  readonly specificity: number;
  /** Variance of a function of both by the delta method, and the quantile that goes with it. */
  spread(slopes: Slopes): { readonly variance: number; readonly quantile: number };
  /** Why nothing made of the rates gets limits. */
  readonly obstacle: string | undefined;
}

/** Rates that may lie at 0 or 1, with a stand-in that does not. */
export interface RatesAndStandIn extends Rates {
  /** Some cell of the 2 x 2 table is empty. */
  readonly emptyCell: boolean;
  /** With 0.5 added to each cell of the table of effective units. */
  readonly corrected: Rates;
  /** Says that 0.5 was added. */
  readonly correction: string;
}

/**
 * Both rates of a sample. Independent rows: binomial variances for Kish's effective number of rows of either class.
 * Patients with several rows: influences, summed per patient over both classes. The corrected rates are those of
 * independent units, as many as the effective patients (rows) of either class.
 */
export function ratesOf(sample: Sample): RatesAndStandIn | Undefined {
  const { table, units, unit, level, clustered } = sample;
  const [sens, spec] = [sensitivity.compute(table), specificity.compute(table)];
  if (typeof sens !== 'number') return undefinedBecause(sens.reason);
  if (typeof spec !== 'number') return undefinedBecause(spec.reason);
  const obstacle = obstacleOf(sample, balancedAccuracy);
  const nPositive = effectiveUnits(sensitivity, table, units);
  const nNegative = effectiveUnits(specificity, table, units);
  const quantile = normalQuantile((1 + level) / 2);

  const independent = (sensitivity: number, nPositive: number, specificity: number, nNegative: number): Rates => ({
    sensitivity,
    specificity,
    obstacle,
    spread: ([bySens, bySpec]) => ({
      variance:
        (bySens ** 2 * sensitivity * (1 - sensitivity)) / nPositive +
        (bySpec ** 2 * specificity * (1 - specificity)) / nNegative,
      quantile,
    }),
  });
  const dependent = (): Rates => {
    const ofSens = influenceOf(sensitivity, sample, sens);
    const ofSpec = influenceOf(specificity, sample, spec);
    return {
      sensitivity: sens,
      specificity: spec,
      obstacle,
      spread: ([bySens, bySpec]) => {
        const influence = ofSens.map((each, row) => bySens * each + bySpec * ofSpec[row]);
        const { variance, df } = sampleVariance(sample, influence, balancedAccuracy);
        return { variance, quantile: studentTQuantile((1 + level) / 2, df) };
      },
    };
  };
  const withHalf = (share: number, n: number) => (share * n + 0.5) / (n + 1);
  return {
    ...(clustered ? dependent() : independent(sens, nPositive, spec, nNegative)),
    emptyCell: [sens, spec].some((share) => share === 0 || share === 1),
    correction: `One cell is 0: limits after adding 0.5 to all four${
      clustered || table.weight ? `, counted in ${unit}s of equal weight` : ''
    }.`,
    corrected: independent(withHalf(sens, nPositive), nPositive + 1, withHalf(spec, nNegative), nNegative + 1),
  };
}
