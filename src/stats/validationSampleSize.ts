import { largest, normalMean, type SampleSize } from '../clinical/sampleSize.js';
import { normalQuantile } from '../core/normalQuantile.js';
import { power } from '../core/numbers.js';
import { custom, type InputOf, isPlainObject, number, optionTable } from '../core/options.js';

const isNormal = (value: unknown) =>
  isPlainObject(value) &&
  Object.keys(value).length === 2 &&
  Number.isFinite(value.mean) &&
  Number.isFinite(value.sd) &&
  (value.sd as number) > 0;

export const validationSampleSizeOptions = optionTable('validationSampleSize', {
  prevalence: number({ above: 0, below: 1 }).describe('Expected share of the outcome.'),
  cStatistic: number({ above: 0.5, below: 1 }).describe('Expected C statistic.'),
  linearPredictor: custom<{ readonly mean: number; readonly sd: number }>(
    '{ mean, sd }',
    'be { mean, sd } with sd > 0',
    isNormal,
  )
    .optional()
    .describe(
      'Mean and standard deviation of the linear predictor (the logit of the predicted risk), taken as normal; when left out it follows from the C statistic and the prevalence.',
    ),
  oeWidth: number({ above: 0 }).default(0.2).describe('Width of the interval of observed / expected, which is 1.'),
  slopeWidth: number({ above: 0 }).default(0.2).describe('Width of the interval of the calibration slope, which is 1.'),
  cWidth: number({ above: 0, below: 1 }).default(0.1).describe('Width of the interval of the C statistic.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
});

export type ValidationSampleSizeOptions = InputOf<typeof validationSampleSizeOptions>;

/**
 * Smallest number of patients to validate a prediction model for a binary outcome, such that the ratio of observed to
 * expected events, the calibration slope and the C statistic get intervals of the widths asked for, when the model is
 * well calibrated. As the R package pmvalsampsize but for two things: that searches the standard error of O/E in steps of
 * .0001, which may leave the interval a little too wide (905 where 906 are needed), and it draws linear predictors for the
 * slope, 1,000 in its own test, which moves the size by 7 % (standard deviation; 4501 where the integral says 4554).
 *
 * Source: Riley et al. 2021, Statistics in Medicine 40:4230 (equations for O/E, slope and, without a known linear
 * predictor, section 4.6.3); the variance of C, Newcombe 2006, Statistics in Medicine 25:559.
 *
 * @example
 * const size = validationSampleSize({
 *   prevalence: 0.018, cStatistic: 0.8, linearPredictor: { mean: -5, sd: 2.5 }, oeWidth: 1,
 * });
 * console.log(size.n, size.events);
 */
export function validationSampleSize(input: ValidationSampleSizeOptions): SampleSize {
  const options = validationSampleSizeOptions.resolve(input);
  const { prevalence, cStatistic, oeWidth, slopeWidth, cWidth, level } = options;
  const z = normalQuantile((1 + level) / 2);
  // The interval of O/E is exp(-z se) to exp(z se).
  const seLogOE = Math.asinh(oeWidth / 2) / z;
  const criteria = [
    {
      criterion: `observed / expected within a width of ${oeWidth}`,
      n: Math.ceil((1 - prevalence) / (prevalence * seLogOE ** 2)),
    },
    {
      criterion: `calibration slope within a width of ${slopeWidth}`,
      n: Math.ceil(slopeVariance(options) / (slopeWidth / (2 * z)) ** 2),
    },
    { criterion: `C statistic within a width of ${cWidth}`, n: sizeForC(cStatistic, prevalence, cWidth / (2 * z)) },
  ];
  return largest(criteria, prevalence);
}

/** n times the variance: the inverse Fisher information of a patient, for intercept 0 and slope 1. */
function slopeVariance({
  linearPredictor,
  cStatistic,
  prevalence,
}: Pick<ValidationSampleSizeOptions, 'linearPredictor' | 'cStatistic' | 'prevalence'>): number {
  const d = Math.SQRT2 * normalQuantile(cStatistic);
  const middle = Math.log(prevalence / (1 - prevalence));
  const parts = linearPredictor
    ? [{ share: 1, ...linearPredictor }]
    : [
        { share: 1 - prevalence, mean: middle - (d * d) / 2, sd: d },
        { share: prevalence, mean: middle + (d * d) / 2, sd: d },
      ];
  const information = (degree: number) =>
    parts.reduce((sum, { share, mean, sd }) => {
      const term = (z: number) => {
        const eta = mean + sd * z;
        const half = Math.exp(-Math.abs(eta));
        return (half / (1 + half) ** 2) * power(eta, degree);
      };
      return sum + share * normalMean(term);
    }, 0);
  const [intercept, both, slope] = [0, 1, 2].map(information);
  return intercept / (intercept * slope - both * both);
}

/**
 * Newcombe's variance is C (1 - C) (1 + (n / 2 - 1) k) over n^2 prevalence (1 - prevalence): a quadratic equation in n.
 */
function sizeForC(C: number, prevalence: number, target: number): number {
  const k = (1 - C) / (2 - C) + C / (1 + C);
  const square = (target ** 2 * prevalence * (1 - prevalence)) / (C * (1 - C));
  return Math.ceil((k / 2 + Math.sqrt((k / 2) ** 2 + 4 * square * (1 - k))) / (2 * square));
}
