import { nameText } from '../../core/foreignText.js';
import { counted, formatNumber, percentOf } from '../../core/format.js';
import { groupBy } from '../../core/groupBy.js';
import { textTable, wrapText } from '../../core/summaryText.js';
import type { Metric } from '../../metrics/metric.js';
import {
  BETTER,
  type DifferenceTest,
  limitsText,
  pValueText,
  type RopeProbabilities,
  type SignFlipTest,
} from './answers.js';

interface Parts extends Omit<ModelComparison, 'metric' | 'direction' | 'summary' | 'toJSON'> {
  readonly metric: Metric;
}

/** What `compareModels` gives: five answers about the difference A - B, each with what it speaks of. */
export class ModelComparison {
  readonly metric: string;
  /** Which way is better: a positive difference speaks for A when it is `maximize`. */
  readonly direction: Metric['direction'];
  readonly foldFingerprint!: string;
  readonly level!: number;
  readonly rope!: number;
  readonly correctedT!: DifferenceTest;
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
