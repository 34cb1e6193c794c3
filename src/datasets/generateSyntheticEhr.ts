import { InvalidOptionError, sentence } from '../core/errors.js';
import { boolean, type InputOf, integer, number, optionTable, randomState } from '../core/options.js';
import { type RandomSource, randomInterval, shuffle } from '../core/random.js';
import { nFeaturesOption } from './clinicalFeatures.js';
import { binaryOutcomes, type GeneratedDataset, generate } from './generatedDataset.js';
import type { TimeShare, Visits } from './population.js';

export const generateSyntheticEhrOptions = optionTable('generateSyntheticEhr', {
  nSamples: integer({ min: 1, max: 10_000_000 }).default(1000).describe('Number of rows; each is one encounter.'),
  nFeatures: nFeaturesOption.default(20),
  nPatients: integer({ min: 1 })
    .optional()
    .describe('Number of patients, at most `nSamples`; left out, a quarter of `nSamples`, rounded, at least 1.'),
  temporal: boolean()
    .default(false)
    .describe('Rows have a time in six years, in which some features and the prevalence rise.'),
  prevalence: number({ above: 0, below: 1 }).default(0.3).describe('Expected share of rows with y = 1.'),
  missingRate: number({ min: 0, below: 1 })
    .default(0)
    .describe('Expected share of values that are missing (NaN), fewer in rows of higher risk.'),
  randomState: randomState().default(42).describe('Seed; the same seed gives the same data on every platform.'),
});

export type GenerateSyntheticEhrOptions = InputOf<typeof generateSyntheticEhrOptions>;

const [BEGIN, END] = [Date.UTC(2015, 0, 1), Date.UTC(2021, 0, 1)];
const TIME_EFFECT = 0.6;

/** Nodes and weights of Gauss and Legendre for a time that is uniform in 0 ... 1. */
const UNIFORM_TIME: readonly TimeShare[] = [
  [0.9602898564975363, 0.10122853629037626],
  [0.7966664774136267, 0.22238103445337448],
  [0.525532409916329, 0.31370664587788727],
  [0.1834346424956498, 0.362683783378362],
].flatMap(([node, weight]): TimeShare[] => [
  [(1 - node) / 2, weight / 2],
  [(1 + node) / 2, weight / 2],
]);

/**
 * Encounters of invented patients in five invented hospitals: shape [nSamples, nFeatures], `y` = 1 for an adverse
 * outcome. Patients have effects of their own that no feature tells, so that a model that recognises a patient does better
 * than it will for new ones; `trueAuc` is the best for new patients. docs/generators.md has the formulas.
 *
 * The AUC is a double integral over the density of the true risk; for what it is, see Hanley and McNeil 1982, Radiology
 * 143:29, and for patients' effects as a random intercept, Neuhaus, Kalbfleisch and Hauck 1991, Int. Stat. Rev. 59:25.
 *
 * @throws {InvalidOptionError} for options out of range, and for more patients than rows
 *
 * @example
 * const { X, y, groups, trueAuc } = generateSyntheticEhr({ nSamples: 500, randomState: 1 });
 * console.log(X.length, new Set(groups).size, trueAuc);
 */
export function generateSyntheticEhr(input: GenerateSyntheticEhrOptions = {}): GeneratedDataset {
  const options = generateSyntheticEhrOptions.resolve(input);
  const { nSamples, temporal } = options;
  const nPatients = options.nPatients ?? Math.max(1, Math.round(nSamples / 4));
  if (nPatients > nSamples) {
    const must = `be at most \`nSamples\`, ${nSamples}, since every patient has a row`;
    throw new InvalidOptionError(sentence('The `nPatients` option of generateSyntheticEhr', must, nPatients));
  }
  const generated = generate(options, nPatients, {
    times: temporal ? UNIFORM_TIME : [[0, 1]],
    timeEffect: temporal ? TIME_EFFECT : 0,
    visits: (source) => encounters(source, nSamples, nPatients, temporal),
    outcomes: (source, filled, parts) => binaryOutcomes(source, filled, parts, options.prevalence),
  });
  const description =
    `Synthetic health records: ${nSamples} encounters of ${nPatients} invented patients in five hospitals; y is 1 for ` +
    'an adverse outcome.';
  return { ...generated, description };
}

/** Every patient once, then patients at random, all in random order. */
function encounters(source: RandomSource, n: number, nPatients: number, temporal: boolean): Visits {
  const patient = new Int32Array(n);
  for (let row = 0; row < n; row++) patient[row] = row < nPatients ? row : randomInterval(source, nPatients - 1);
  shuffle(source, patient);
  const time = new Float64Array(n);
  if (!temporal) return { patient, time };
  for (let row = 0; row < n; row++) time[row] = source.random();
  time.sort();
  return { patient, time, at: Array.from(time, (share) => BEGIN + Math.floor(share * (END - BEGIN))) };
}
