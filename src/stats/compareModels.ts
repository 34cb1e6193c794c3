import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf } from '../core/format.js';
import { groupBy } from '../core/groupBy.js';
import { hasReason } from '../core/hasReason.js';
import { MOST_DRAWS } from '../core/numbers.js';
import { type InputOf, integer, isPlainObject, number, optionTable, randomState } from '../core/options.js';
import { randomSource } from '../core/random.js';
import { textTable, wrapText } from '../core/summaryText.js';
import { unfitForTraining } from '../intervals/foldInterval.js';
import { halvesOf, type KeptHalves } from '../intervals/halves.js';
import { countUnits, foldsThatCount, joinNotes, tooFewUnits } from '../intervals/interval.js';
import { halfContrasts, MIN_HALVINGS, withTraining } from '../intervals/trainingPart.js';
import { comparable, type Metric } from '../metrics/metric.js';
import {
  BETTER,
  bayesianT,
  type ComparisonInput,
  correctedDifference,
  type DifferenceTest,
  limitsText,
  NO_TEST,
  pValueText,
  type RopeProbabilities,
  type SignFlipTest,
  tTest,
} from './comparison/answers.js';
import {
  type ModelTableOptions,
  type ResultTableOptions,
  tableOfModels,
  tableOfResults,
} from './comparison/manyModels.js';
import type { ModelTable } from './comparison/modelTable.js';
import { signFlip } from './comparison/signFlip.js';
import { pairedDifference } from './pairedDifference.js';
import {
  checkResults,
  checkSameFolds,
  metadataIn,
  metricOf,
  metricOption,
  resamplesOption,
  type ScoredResults,
  scoredFolds,
} from './results.js';

export const compareModelsOptions = optionTable('compareModels', {
  metric: metricOption('What is compared'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  rope: number({ min: 0 })
    .default(0.01)
    .describe('Differences from -rope to rope are of no practical importance, in the unit of the metric.'),
  nPermutations: integer({ min: 99, max: MOST_DRAWS }).default(1999).describe('Random swaps of the sign-flip test.'),
  nBootstrap: resamplesOption('Resamples of units for the paired test of a metric without an influence function.'),
  randomState: randomState().default(42).describe('Seed of the swaps and resamples.'),
});

export type CompareModelsOptions = InputOf<typeof compareModelsOptions>;

/**
 * Compares two models that were cross-validated on identical folds. The difference is A - B throughout. Three of the
 * answers are about the training procedures, two about these predictions; each says which, what was counted as
 * independent, and how many there were:
 *
 * * `correctedT`: corrected resampled t (Nadeau & Bengio 2003) on the differences between fold scores;
 * * `bayesianT`: the probabilities that the difference is below, within or above the region of practical equivalence
 *   (Corani & Benavoli 2015);
 * * `halfContrasts`: the difference of the out-of-fold estimates with a patient-level interval that has what other training
 *   sets would change; for two results of `validate` with models of halves (`ciFits`) from one seed;
 * * `signFlip`: randomisation test that swaps the predictions of whole patients;
 * * `paired`: difference of the out-of-fold estimates with a patient-level interval; for `roc_auc` DeLong's test.
 *
 * A metric with a target, such as the calibration slope, is compared by its distance from it: the difference is negative where
 * A lies nearer. Null with a reason where an answer does not exist for the design or the data. Name the metric before you look, and
 * correct for many comparisons with `adjustPValues`.
 *
 * @param a results of `run` or `validate`
 * @param b results on the same folds of the same rows
 * @throws {InvalidDataError} what is no result; the folds, the rows or the labels of the two differ.
 * @example
 * const comparison = compareModels(logistic, ridge, { metric: 'roc_auc', rope: 0.02 });
 * console.log(comparison.summary());
 */
export function compareModels(a: ScoredResults, b: ScoredResults, input?: CompareModelsOptions): ModelComparison;
/**
 * Compares several models, each with every preparation, in one table. All are cross-validated on one set of folds, which
 * is made once; a combination that fails is a row with its reason. Or takes results that are there already.
 *
 * * each row: out-of-fold estimate with an interval, mean and standard deviation of folds, failed folds, time;
 * * differences to the `reference`, or of all pairs: corrected resampled t, p-values by Holm, simultaneous limits;
 * * the best row by {@link bbcCV}, with what its value is worth after the choice.
 *
 * Training options go to the models that can use them; what none can use is refused. No model is kept.
 *
 * @throws {InvalidOptionError} an unknown reference or metric, two rows of one name, options without an effect.
 * @throws {InvalidDataError} fewer than two rows; results of other folds or data.
 * @throws {CVKitError} what `run` throws for the data; every combination failed.
 * @example
 * const models = { chance: new DummyClassifier(), logistic: new LogisticRegression() };
 * const table = await compareModels({ models, preparations: { none: null, scaled: new StandardScaler() }, X, y, groups, cv });
 * console.log(table.summary());
 */
export function compareModels(several: ModelTableOptions): Promise<ModelTable>;
/** The same table for results of `run` or `validate` on identical folds: a list, or a record by name. */
export function compareModels(several: ResultTableOptions): Promise<ModelTable>;
export function compareModels(
  a: ScoredResults | ModelTableOptions | ResultTableOptions,
  b?: ScoredResults,
  input: CompareModelsOptions = {},
): ModelComparison | Promise<ModelTable> {
  if (isPlainObject(a) && !('outOfFold' in a) && b === undefined) return several(a);
  return ofTwo(a as ScoredResults, b as ScoredResults, input);
}

async function several(options: Record<string, unknown>): Promise<ModelTable> {
  const [models, results] = ['models' in options, 'results' in options];
  if (models === results) {
    const got = phrase(models ? 'both' : 'neither');
    const code = models ? 'duplicate_option' : 'missing_option';
    throw new InvalidOptionError(sentence('compareModels', 'be given `models` or `results`', got), { code });
  }
  if (results) return tableOfResults(options as ResultTableOptions);
  return tableOfModels(options as ModelTableOptions);
}

function ofTwo(a: ScoredResults, b: ScoredResults, input: CompareModelsOptions): ModelComparison {
  const { metric: name, rope, randomState, ...others } = compareModelsOptions.resolve(input);
  checkResults('The first argument of compareModels', a);
  checkResults('The second argument of compareModels', b);
  checkSameFolds('The two results of compareModels', a, b);
  const metric = comparable(metricOf(name, a));
  const { folds, unit } = scoredFolds(a);
  const sides = { a: folds, b: scoredFolds(b).folds, unit, design: a.plan.claims };
  const settings = { ...others, ...sides, metric, random: randomSource(randomState) };
  const correctedT = correctedDifference(settings);
  const paired = pairedTest(settings);
  return new ModelComparison({
    metric,
    foldFingerprint: metadataIn(a).foldFingerprint,
    level: settings.level,
    rope,
    correctedT,
    bayesianT: bayesianT(correctedT, rope),
    halfContrasts: halfContrastTest(settings, paired, [a, b]),
    signFlip: signFlip(settings),
    paired,
  });
}

/**
 * For `roc_auc` DeLong's paired test, within folds and clustered by patient; for other metrics the same with their
 * influence function, or with resamples of patients. Student's t (Satterthwaite) in the place of DeLong's normal.
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; see {@link pairedDifference}.
 */
function pairedTest(input: ComparisonInput): DifferenceTest {
  const { metric, unit, level, a, b } = input;
  const nUnits = countUnits(foldsThatCount(metric, a));
  const facts = {
    method: metric.name === 'roc_auc' ? 'delong' : metric.influence ? 'paired_influence' : 'paired_bootstrap',
    estimand: 'predictions',
    unit,
    nUnits,
    nFolds: a.length,
    level,
  } as const;
  const found = pairedDifference(input, a, b);
  const none = (reason: string): DifferenceTest => ({ ...facts, ...NO_TEST, difference: found.estimate, reason });
  if (hasReason(found)) return none(found.reason);
  const obstacle = tooFewUnits(nUnits, unit);
  if (obstacle !== undefined) return none(obstacle);
  const test = tTest(facts, metric, found);
  return test.reason === undefined ? { ...test, ...joinNotes(...found.notes) } : test;
}

/**
 * The paired difference with what other training sets would change, from the models of halves that `ciFits` trained for
 * both results: {@link withTraining}, applied to the difference.
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837, for the paired part; `docs/intervals-theory.md` for the
 * other.
 */
function halfContrastTest(
  input: ComparisonInput,
  ofPredictions: DifferenceTest,
  results: readonly [ScoredResults, ScoredResults],
): DifferenceTest {
  const { metric, level, a, b } = input;
  const { nUnits, nFolds, unit, difference } = ofPredictions;
  const facts = { method: 'half_contrasts', estimand: 'procedure', unit, nUnits, nFolds, level } as const;
  const none = (reason: string): DifferenceTest => ({ ...facts, ...NO_TEST, difference, reason });
  if (metric.direction === 'target') return none('half contrasts are not made of distances from a target');
  const [first, second] = results.map(halvesOf);
  if (!first || !second) return none(ofPredictions.reason ?? unfit(input, results) ?? ASK);
  if (!sameHalves(first, second))
    return none('the two results have other halves: validate both with the same `randomState` and `ciFits`');
  const found = halfContrasts(metric, first, second);
  if (!found) return none(`${metric.name} has no influence function`);
  const paired = pairedDifference({ ...input, sampling: first.halves.sampling }, a, b);
  if (hasReason(paired)) return none(paired.reason);
  const usable = found.contrasts.length;
  if (usable < MIN_HALVINGS) return none(`only ${usable} halvings could be used, fewer than ${MIN_HALVINGS}`);
  const { trainingShare, ...spread } = withTraining(paired, found);
  const test = tTest(facts, metric, { ...spread, estimate: paired.estimate });
  const note = trainingShare === 0 ? { note: UNSEEN } : {};
  return test.reason === undefined ? { ...test, trainingShare, ...note } : test;
}

const UNSEEN =
  'Models of halves show no effect of other training sets on the difference, which counts as 0: an effect can be missed, so that equal procedures may be told apart too often.';

const ASK = 'both must be results of `validate` with `ciFits: 10`';

function unfit({ a, b, unit, design }: ComparisonInput, results: readonly ScoredResults[]): string | undefined {
  for (const [at, result] of results.entries()) {
    const folds = [a, b][at];
    const failed = result.foldDetails.length - folds.length;
    if (failed > 0) return `${counted(failed, 'fold')} failed`;
    const fixedModel = metadataIn(result).fixedModel !== null;
    if (fixedModel && metadataIn(results[1 - at]).fixedModel === null) return 'one of the two models is fixed';
    const reason = unfitForTraining({ folds, unit, design, fixedModel });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function sameHalves(a: KeptHalves, b: KeptHalves): boolean {
  const units = ({ halves }: KeptHalves) => halves.halvings.flat().map((half) => half.units);
  const [first, second] = [units(a), units(b)];
  return (
    first.length === second.length &&
    first.every((each, at) => each.length === second[at].length && each.every((unit, row) => unit === second[at][row]))
  );
}

interface Parts extends Omit<ModelComparison, 'metric' | 'direction' | 'summary' | 'toJSON'> {
  readonly metric: Metric;
}

/**
 * What `compareModels` gives: five answers about the difference A - B, each with what it speaks of.
 *
 * @example
 * const comparison = compareModels(logistic, ridge, { metric: 'roc_auc' });
 * console.log(comparison.correctedT.pValue, comparison.signFlip.pValue);
 */
export class ModelComparison {
  readonly metric: string;
  /** Which way is better: a positive difference speaks for A when it is `maximize`. */
  readonly direction: Metric['direction'];
  /** Of the folds that both were tested on. */
  readonly foldFingerprint!: string;
  readonly level!: number;
  readonly rope!: number;
  /** Corrected resampled t test, about the training procedures. */
  readonly correctedT!: DifferenceTest;
  /** Bayesian correlated t test, about the training procedures. */
  readonly bayesianT!: RopeProbabilities;
  /** Patient-level difference with what training adds, about the training procedures; null without `ciFits` of `validate`. */
  readonly halfContrasts!: DifferenceTest;
  /** Patient-level randomisation test, about these predictions. */
  readonly signFlip!: SignFlipTest;
  /** Patient-level paired test (DeLong for `roc_auc`), about these predictions. */
  readonly paired!: DifferenceTest;

  constructor({ metric, ...parts }: Parts) {
    Object.assign(this, parts);
    this.metric = metric.name;
    this.direction = metric.direction;
  }

  /** The comparison as text: each test with what it speaks of, its unit and counts. */
  summary(): string {
    const { correctedT, bayesianT, halfContrasts, signFlip, paired, rope } = this;
    const { nUnits, unit, nFolds } = paired;
    const test = (name: string, each: DifferenceTest) => [
      name,
      ABOUT[each.estimand],
      difference(each),
      pValueText(each.pValue),
    ];
    const pairedName = paired.method === 'delong' ? 'paired DeLong' : 'paired';
    const flipName = 'patient-level sign flip'.replace('patient', unit);
    const answers = [
      ['corrected resampled t', correctedT],
      ['Bayesian correlated t', bayesianT],
      ['half contrasts', halfContrasts],
      [flipName, signFlip],
      [pairedName, paired],
    ] as const;
    const missing = groupBy(
      answers.filter(([, { reason }]) => reason),
      ([, { reason }]) => reason,
    );
    return [
      `Difference A - B in ${nameText(this.metric)} (${BETTER[this.direction]}), ${counted(nUnits, unit)} in ${counted(nFolds, 'fold')}`,
      '',
      textTable([
        ['test', 'about', `difference [${percentOf(this.level)} interval]`, 'p'],
        test('corrected resampled t', correctedT),
        ...(halfContrasts.lower === null ? [] : [test('half contrasts', halfContrasts)]),
        [flipName, ABOUT.predictions, formatNumber(signFlip.difference), pValueText(signFlip.pValue)],
        test(pairedName, paired),
      ]),
      '',
      bayesianT.within === null
        ? '  No probabilities of practical equivalence.'
        : wrapText(
            `Probability that A - B is below -${rope}: ${formatNumber(bayesianT.left)}, from -${rope} to ${rope} (practically equal): ${formatNumber(bayesianT.within)}, above ${rope}: ${formatNumber(bayesianT.right)} (Bayesian correlated t, about the procedures).`,
          ),
      ...Array.from(missing, ([reason, lacking]) =>
        wrapText(`No value (${lacking.map(([name]) => name).join(', ')}): ${reason}.`),
      ),
      ...[...new Set(answers.flatMap(([, { note }]) => (note ? [note] : [])))].map((text) => wrapText(text)),
      wrapText(
        'Tests about predictions hold these fitted models fixed; they say nothing about what training on other patients would give. After several comparisons, correct the p-values (adjustPValues).',
      ),
    ].join('\n');
  }

  /** Plain JSON values. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this));
  }
}

const ABOUT = { procedure: 'the procedures', predictions: 'these predictions' };
const difference = (test: DifferenceTest) =>
  test.lower === null ? formatNumber(test.difference) : `${formatNumber(test.difference)} ${limitsText(test)}`;
