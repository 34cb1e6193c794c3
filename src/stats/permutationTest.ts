import { InvalidDataError, sentence } from '../core/errors.js';
import { counted, formatNumber } from '../core/format.js';
import { type InputOf, integer, oneOf, optionTable, string } from '../core/options.js';
import { deriveSeed, freshSeed, randomSource } from '../core/random.js';
import { wrapText } from '../core/summaryText.js';
import { type CombinedScore, combineFolds } from '../metrics/combineFolds.js';
import type { Metric } from '../metrics/metric.js';
import { metricsFor } from '../metrics/metricsFor.js';
import type { CVResults } from '../runner/cvResults.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { BaseSplitter, type Splitter } from '../splitters/splitter.js';
import { type LabelMoves, labelMoves } from './labelMoves.js';
import { FixedFolds, labelsIn, manyRunsShape, runOn, sideDataIn } from './manyRuns.js';
import { DEFAULT_METRIC, goodness } from './results.js';

export const permutationTestOptions = optionTable('permutationTest', {
  ...manyRunsShape,
  metric: string()
    .optional()
    .describe("What is tested; by default 'roc_auc' for a binary task, 'rmse' for regression, else 'accuracy'."),
  nPermutations: integer({ min: 19 })
    .default(199)
    .describe('Cross-validations on permuted labels; the smallest p-value is 1 / (nPermutations + 1).'),
  scheme: oneOf('within', 'between')
    .optional()
    .describe(
      "How labels move that vary within patients: among a patient's rows, or between patients as whole vectors.",
    ),
});

export type PermutationTestOptions = InputOf<typeof permutationTestOptions>;

/** What `permutationTest` gives. */
export interface PermutationTest {
  readonly metric: string;
  /** The out-of-fold estimate with the true labels. */
  readonly observed: number;
  /** (b + 1) / (B + 1), one-sided towards better values. */
  readonly pValue: number;
  readonly nPermutations: number;
  /** Permutations that did at least as well as the true labels. */
  readonly nAtLeast: number;
  /** The estimate of each permutation; null where it had none, which counts as at least as good. */
  readonly permuted: readonly (number | null)[];
  readonly scheme: LabelMoves['scheme'];
  /** The folds were the same for all permutations; false when they follow the labels and were made anew. */
  readonly sameFolds: boolean;
  readonly notes: readonly string[];
  summary(): string;
}

/**
 * Tests whether a model finds anything in the features: the whole cross-validation is repeated on labels that were
 * exchanged at random, as often as `nPermutations` says. What may be exchanged follows from the patients: a patient's one
 * label moves with all the rows; labels that vary within patients need a `scheme`. Folds stay the same unless they follow
 * the labels (stratified ones are made anew for each permutation, as for the true labels).
 *
 * It takes nPermutations + 1 cross-validations. A small p-value says that there is some signal, not that it is useful.
 *
 * Source: Ojala & Garriga 2010, JMLR 11:1833, test 1; the p-value, Phipson & Smyth 2010, SAGMB 9:39.
 *
 * @throws {CVKitError} what `run` throws for the data; labels that vary within patients without a `scheme`; a metric
 *   without a value on the true labels.
 * @example
 * const test = await permutationTest({ model, X, y, groups, cv: new StratifiedGroupKFold({ randomState: 1 }) });
 * console.log(test.pValue);
 */
export async function permutationTest(input: PermutationTestOptions): Promise<PermutationTest> {
  const call = permutationTestOptions.parse(input);
  const { cv, groups, scheme, nPermutations, metric: name, hierarchy } = call.options;
  const labels = labelsIn(call);
  const metric = metricsFor([name ?? DEFAULT_METRIC[labels.task]], labels.task)[0];
  const moves = labelMoves(labels, groups ?? hierarchy?.patient, scheme);
  const seed = call.options.randomState ?? freshSeed();
  const sameFolds = !followsLabels(cv);
  const folds = sameFolds ? new FixedFolds(foldsOf(cv, labels.length, labels, sideDataIn(call))) : cv;
  const settings = { metrics: [metric.name], randomState: seed };
  const observed = estimateOf(metric, await runOn(call, folds, labels, settings));
  if (observed.value === null) {
    throw new InvalidDataError(
      sentence(`The metric '${metric.name}'`, 'have a value on the true labels', { text: `none: ${observed.reason}` }),
    );
  }
  const permuted: (number | null)[] = [];
  for (let at = 0; at < nPermutations; at++) {
    const order = moves.draw(randomSource(deriveSeed(seed, 'permutation', at)));
    permuted.push(estimateOf(metric, await runOn(call, folds, labels.take(order), settings)).value);
  }
  const best = goodness(metric, observed.value);
  const reached = best - 1e-12 * Math.max(1, Math.abs(best));
  const nAtLeast = permuted.filter((value) => value === null || goodness(metric, value) >= reached).length;
  return withSummary({
    metric: metric.name,
    observed: observed.value,
    pValue: (nAtLeast + 1) / (nPermutations + 1),
    nPermutations,
    nAtLeast,
    permuted,
    scheme: moves.scheme,
    sameFolds,
    notes: notesOn(moves, sameFolds, permuted, cv.claims?.timeOrdered === true),
  });
}

/** Splitters that read the labels; whatever is not ours may. */
function followsLabels(cv: Splitter): boolean {
  if (!(cv instanceof BaseSplitter)) return true;
  const { needs, uses = [] } = cv.facts;
  const { stratify } = cv.options as { readonly stratify?: unknown };
  return [...needs, ...uses].includes('y') || Boolean(stratify);
}

/** The estimate over the folds of a run, as the metric combines them. */
function estimateOf(metric: Metric, { folds }: CVResults): CombinedScore {
  const completed = folds.flatMap((result) => (result.status === 'completed' ? [result] : []));
  return combineFolds(
    metric,
    completed.map(({ table }) => table),
    completed.map(({ fold }) => fold.repeat),
  );
}

function notesOn(
  moves: LabelMoves,
  sameFolds: boolean,
  permuted: readonly (number | null)[],
  timeOrdered: boolean,
): string[] {
  const missing = permuted.filter((value) => value === null).length;
  return [
    `Exchanged: ${moves.text}.`,
    sameFolds ? 'The folds were the same each time.' : 'The folds follow the labels and were made anew each time.',
    ...(missing > 0 ? [`${counted(missing, 'permutation')} had no value and count as at least as good.`] : []),
    ...(timeOrdered ? ['Labels were exchanged over time, as if the time of a row told nothing about its label.'] : []),
  ];
}

function withSummary(parts: Omit<PermutationTest, 'summary'>): PermutationTest {
  const { metric, observed, pValue, nAtLeast, nPermutations, permuted, notes } = parts;
  const known = permuted.filter((value) => value !== null).sort((a, b) => a - b);
  const mean = known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
  return {
    ...parts,
    summary: () =>
      [
        `Permutation test of ${metric}: ${formatNumber(observed)} on the true labels, ${formatNumber(mean)} on average over ${counted(nPermutations, 'permutation')}`,
        wrapText(
          `p = ${formatNumber(pValue)} (${nAtLeast} of ${nPermutations} did at least as well; the smallest p-value possible is ${formatNumber(1 / (nPermutations + 1))})`,
        ),
        ...notes.map((note) => wrapText(note)),
      ].join('\n'),
  };
}
