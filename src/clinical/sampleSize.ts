import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { normalQuantile } from '../core/normalQuantile.js';
import { type InputOf, integer, number, optionTable } from '../core/options.js';

export const sampleSizeOptions = optionTable('sampleSize', {
  prevalence: number({ above: 0, below: 1 }).describe('Expected share of the outcome.'),
  parameters: integer({ min: 1 }).describe(
    'Candidate predictor parameters: a category counts once less than its levels.',
  ),
  r2CoxSnell: number({ above: 0, below: 1 })
    .optional()
    .describe('Expected Cox-Snell R2 of the model, optimism removed.'),
  cStatistic: number({ above: 0.5, below: 1 })
    .optional()
    .describe('Expected C statistic, from which R2 is derived when none is reported.'),
  shrinkage: number({ above: 0, below: 1 }).default(0.9).describe('Smallest acceptable uniform shrinkage factor.'),
  optimism: number({ above: 0, below: 1 }).default(0.05).describe('Largest acceptable optimism in Nagelkerke R2.'),
  margin: number({ above: 0, below: 1 }).default(0.05).describe('Margin of error of the overall risk.'),
  meanAbsoluteError: number({ above: 0, below: 1 })
    .optional()
    .describe(
      'Largest acceptable mean absolute error of the predicted risks; at most 30 parameters. No criterion when left out.',
    ),
});

export type SampleSizeOptions = InputOf<typeof sampleSizeOptions>;

/** Patients that one criterion asks for. */
export interface SizeCriterion {
  readonly criterion: string;
  readonly n: number;
}

/** What `sampleSize` and `validationSampleSize` give. */
export interface SampleSize {
  /** Patients needed: the largest of the criteria. */
  readonly n: number;
  /** Expected patients with the outcome among them, rounded up. */
  readonly events: number;
  readonly criteria: readonly SizeCriterion[];
}

/**
 * Smallest number of patients to develop a prediction model for a binary outcome: small overfitting (shrinkage), small
 * optimism in Nagelkerke's R2, a precise overall risk, and, when `meanAbsoluteError` is given, precise predicted risks.
 * The first three are those of the R package pmsampsize.
 *
 * With `cStatistic` the Cox-Snell R2 follows from a linear predictor that is normal in either class with the same
 * variance: exactly, where the source draws a large sample.
 *
 * Source: Riley et al. 2020, BMJ 368:m441, boxes 1 to 4; R2 from C, Riley, Van Calster & Collins 2021, Statistics in
 * Medicine 40:859; the absolute error, van Smeden et al. 2019, Statistical Methods in Medical Research 28:2455.
 *
 * @throws {InvalidOptionError} neither or both of `r2CoxSnell` and `cStatistic`; an R2 that the prevalence does not allow
 *   or that the shrinkage factor exceeds; `meanAbsoluteError` with more than 30 parameters.
 * @example
 * console.log(sampleSize({ prevalence: 0.174, parameters: 24, r2CoxSnell: 0.288 }).n);
 */
export function sampleSize(input: SampleSizeOptions): SampleSize & { readonly r2CoxSnell: number } {
  const options = sampleSizeOptions.resolve(input);
  const { prevalence, parameters, shrinkage, optimism, margin, meanAbsoluteError } = options;
  const { r2CoxSnell, cStatistic } = options;
  if ((r2CoxSnell === undefined) === (cStatistic === undefined)) {
    const got = phrase(r2CoxSnell === undefined ? 'neither' : 'both');
    throw new InvalidOptionError(sentence('sampleSize', 'be given either `r2CoxSnell` or `cStatistic`', got));
  }
  const r2 = r2CoxSnell ?? r2FromC(cStatistic as number, prevalence);
  const highest = 1 - Math.exp(2 * negativeEntropy(prevalence));
  const bound = Math.min(shrinkage, highest);
  if (r2 >= bound) {
    const why = highest <= shrinkage ? 'the largest value at this prevalence' : 'the shrinkage factor';
    const must = `be below ${bound.toPrecision(4)}, ${why}`;
    throw new InvalidOptionError(sentence('The Cox-Snell R2 of sampleSize', must, r2));
  }
  // Shrinkage by S when n patients give R2: S = 1 + P / (n ln(1 - R2 / S)).
  const forShrinkage = (S: number) => Math.ceil(parameters / ((S - 1) * Math.log(1 - r2 / S)));
  const forMargin = (normalQuantile(0.975) / margin) ** 2;
  const criteria = [
    { criterion: `shrinkage factor of ${shrinkage}`, n: forShrinkage(shrinkage) },
    { criterion: `optimism of ${optimism} in Nagelkerke R2`, n: forShrinkage(r2 / (r2 + optimism * highest)) },
    { criterion: `overall risk within ${margin}`, n: Math.ceil(forMargin * prevalence * (1 - prevalence)) },
    ...(meanAbsoluteError === undefined ? [] : [absoluteError(meanAbsoluteError, prevalence, parameters)]),
  ];
  return { ...largest(criteria, prevalence), r2CoxSnell: r2 };
}

export function largest(criteria: readonly SizeCriterion[], prevalence: number): SampleSize {
  const invalid = criteria.find(({ n }) => !(n >= 1 && Number.isSafeInteger(n)));
  if (invalid) {
    const text = `${invalid.n} for the ${invalid.criterion}`;
    throw new InvalidOptionError(sentence('A sample size', 'be a number of patients below 2^53', phrase(text)));
  }
  const n = Math.max(...criteria.map((each) => each.n));
  return { n, events: Math.ceil(n * prevalence - 1e-9), criteria };
}

/**
 * Of the model logit p = logit(prevalence) + d x - d^2 / 2, where x is N(0, 1) without the outcome and N(d, 1) with it
 * and d = sqrt(2) normalQuantile(C): one less the likelihood ratio to the power 2 / n.
 */
function r2FromC(C: number, prevalence: number): number {
  const d = Math.SQRT2 * normalQuantile(C);
  const start = Math.log(prevalence / (1 - prevalence)) - (d * d) / 2;
  const logRisk = (eta: number) => -softplus(-eta);
  const fitted =
    prevalence * normalMean((z) => logRisk(start + d * (d + z))) +
    (1 - prevalence) * normalMean((z) => logRisk(-start - d * z));
  return 1 - Math.exp(2 * (negativeEntropy(prevalence) - fitted));
}

const negativeEntropy = (share: number) => share * Math.log(share) + (1 - share) * Math.log(1 - share);

const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** Regression equation from simulations with 4 to 30 parameters and prevalences of .05 to .5. */
function absoluteError(target: number, prevalence: number, parameters: number): SizeCriterion {
  if (parameters > 30) {
    const subject = 'The `meanAbsoluteError` option of sampleSize';
    throw new InvalidOptionError(sentence(subject, 'be used with at most 30 parameters', parameters, 'Leave it out.'));
  }
  const share = Math.min(prevalence, 1 - prevalence);
  const log = (-0.508 + 0.259 * Math.log(share) + 0.504 * Math.log(parameters) - Math.log(target)) / 0.544;
  return { criterion: `mean absolute error of ${target}`, n: Math.ceil(Math.exp(log)) };
}

/**
 * Mean of a smooth function of a standard normal variable, by the trapezoidal rule on [-12, 12], which for such
 * integrands converges faster than any power of the step.
 * Source: Trefethen & Weideman 2014, SIAM Review 56:385.
 */
export function normalMean(f: (z: number) => number): number {
  const step = 1 / 32;
  let sum = 0;
  for (let z = -12; z <= 12; z += step) sum += Math.exp((-z * z) / 2) * f(z);
  return (sum * step) / Math.sqrt(2 * Math.PI);
}
