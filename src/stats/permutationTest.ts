import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatNumber } from '../core/format.js';
import { MOST_DRAWS, mean } from '../core/numbers.js';
import { type InputOf, integer, oneOf, optionTable } from '../core/options.js';
import { deriveSeed, freshSeed, randomSource } from '../core/random.js';
import { wrapText } from '../core/summaryText.js';
import type { Labels } from '../data/labels.js';
import { patientIdsOf } from '../data/sideData.js';
import { targetColumns } from '../data/targets.js';
import { type CombinedScore, combineFolds } from '../metrics/combineFolds.js';
import type { Metric } from '../metrics/metric.js';
import type { CVResults } from '../runner/cvResults.js';
import { withResult } from '../runner/runDirectory.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { seeded } from '../splitters/splitter.js';
import { type LabelMoves, labelMoves, type Scheme } from './labelMoves.js';
import { type Call, dataOf, fixedFolds, manyRunsShape, problemOf, withImpliedTask, withRuns } from './manyRuns.js';
import { metricFor, metricIn, metricOption, orientedScore } from './results.js';

export const permutationTestOptions = optionTable('permutationTest', {
  ...manyRunsShape,
  metric: metricOption('What is tested'),
  nPermutations: integer({ min: 19, max: MOST_DRAWS })
    .default(199)
    .describe('Cross-validations on permuted labels; the smallest p-value is 1 / (nPermutations + 1).'),
  scheme: oneOf('within', 'between')
    .optional()
    .describe(
      "How labels move that vary within patients: among a patient's rows, or between patients as whole vectors.",
    ),
});

export type PermutationTestOptions = InputOf<typeof permutationTestOptions>;

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
 * const cv = new StratifiedGroupKFold({ randomState: 1 });
 * const test = await permutationTest({ model, X, y, groups, cv, scheme: 'within', nPermutations: 19 });
 * console.log(test.pValue);
 */
export async function permutationTest(input: PermutationTestOptions): Promise<PermutationTest> {
  const parsed = permutationTestOptions.parse(input);
  const call = { ...parsed, identity: parsed };
  const test = withSummary(await permutedScores(await withImpliedTask(call, dataOf(call))));
  return withResult(call.options, test);
}

function withSummary(parts: Omit<PermutationTest, 'summary'>): PermutationTest {
  const { metric, observed, pValue, nAtLeast, nPermutations, permuted, notes } = parts;
  const known = permuted.filter((value) => value !== null).sort((a, b) => a - b);
  const average = known.length > 0 ? mean(known) : null;
  return {
    ...parts,
    summary: () =>
      [
        `Permutation test of ${nameText(metric)}: ${formatNumber(observed)} on the true labels, ${formatNumber(average)} on average over ${counted(nPermutations, 'permutation')}`,
        wrapText(
          `p = ${formatNumber(pValue)} (${nAtLeast} of ${nPermutations} did at least as well; the smallest p-value possible is ${formatNumber(1 / (nPermutations + 1))})`,
        ),
        ...notes.map((note) => wrapText(note)),
      ].join('\n'),
  };
}

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

interface PermutationCall extends Call {
  readonly options: Call['options'] & {
    readonly metric?: string | undefined;
    readonly nPermutations: number;
    readonly scheme?: Scheme | undefined;
  };
}

export interface Watched {
  readonly owner?: string;
  readonly unlike?: boolean;
  /** Receives the results of each run on exchanged labels, of which only the estimate is kept otherwise. */
  look?(results: CVResults, metric: Metric): void;
}

/** Never stops early: the mean of the scores on exchanged labels is compared with chance. */
export async function permutedScores(
  call: PermutationCall,
  { owner, unlike, look }: Watched = {},
): Promise<Omit<PermutationTest, 'summary'>> {
  const { scheme, nPermutations, metric: name } = call.options;
  const problem = problemOf(call);
  const labels = problem.y;
  const metric = metricFor(name, labels.task);
  const moves = labelMoves(labels, patientIdsOf(call.options), scheme, owner, problem.weight);
  const seed = call.options.randomState ?? freshSeed();
  const cv = seeded(call.options.cv, seed);
  // A splitter that does not say what it reads may read the labels.
  const sameFolds = cv.reads?.includes('y') === false;
  const folds = sameFolds ? fixedFolds(foldsOf(cv, labels.length, labels, problem.data)) : cv;
  const shared = { problem, cv: folds, metric: metric.name, randomState: seed };
  const { observed, permuted, nFailing } = await withRuns(call, shared, async (runOn) => {
    const trueLabels = await runOn(folds);
    const observed = observedValue(metric, estimateOf(metric, trueLabels));
    let nFailing = Number(hasFailed(trueLabels));
    const permuted: (number | null)[] = [];
    for (let at = 0; at < nPermutations; at++) {
      const random = randomSource(deriveSeed(seed, 'permutation', at));
      const draw = () => moves.draw(random);
      const order = unlike ? leastCorrelatedPermutation(labels, draw, problem.weight) : draw();
      const results = await runOn(folds, labels.take(order));
      permuted.push(estimateOf(metric, results).value);
      nFailing += Number(hasFailed(results));
      look?.(results, metric);
    }
    return { observed, permuted, nFailing };
  });
  const best = orientedScore(metric, observed);
  const reached = best - 1e-12 * Math.max(1, Math.abs(best));
  const nAtLeast = permuted.filter((value) => value === null || orientedScore(metric, value) >= reached).length;
  return {
    metric: metric.name,
    observed,
    pValue: (nAtLeast + 1) / (nPermutations + 1),
    nPermutations,
    nAtLeast,
    permuted,
    scheme: moves.scheme,
    sameFolds,
    notes: [
      ...notesOn(moves, sameFolds, permuted, cv.claims?.timeOrdered === true),
      ...(nFailing > 0
        ? [`In ${nFailing} of ${nPermutations + 1} cross-validations folds failed and count in no estimate.`]
        : []),
    ],
  };
}

const hasFailed = ({ folds }: CVResults) => folds.some(({ status }) => status === 'failed');

function observedValue(metric: Metric, score: CombinedScore): number {
  if (score.value !== null) return score.value;
  const subject = `The metric '${nameText(metric.name)}'`;
  throw new InvalidDataError(sentence(subject, 'have a value on the true labels', phrase(`none: ${score.reason}`)));
}

function estimateOf(metric: Metric, results: CVResults): CombinedScore {
  const completed = results.folds.flatMap((result) => (result.status === 'completed' ? [result] : []));
  return combineFolds(
    metricIn(results, metric),
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

/** The correlation with the true labels is then about 50 times smaller. */
const CANDIDATES = 50;

/**
 * Of several moves the one that correlates least with the true labels: moved labels agree with them by accident, so
 * that a model that finds the disease would do better than chance although it recognises nobody. Rows of weight 0 do
 * not count.
 * Source: rerandomisation, Morgan & Rubin 2012, Annals of Statistics 40:1263.
 */
export function leastCorrelatedPermutation(
  labels: Labels,
  draw: () => Int32Array,
  weight?: ArrayLike<number> | null,
): Int32Array {
  const columns = columnsOf(labels, weight);
  let best = draw();
  let least = likeness(columns, best);
  for (let candidate = 1; candidate < CANDIDATES; candidate++) {
    const order = draw();
    const found = likeness(columns, order);
    if (found < least) [best, least] = [order, found];
  }
  return best;
}

function columnsOf(
  { task, classes, codes, numbers, indicators, length }: Labels,
  weight: ArrayLike<number> | null | undefined,
): Float64Array[] {
  const counts = (row: number) => !weight || weight[row] > 0;
  const columnOf = (column: number) =>
    Float64Array.from({ length }, (_, row) =>
      task === 'multilabel' ? indicators[row * classes.length + column] : Number(codes[row] === column),
    );
  const timed = task === 'survival' ? [numbers, Float64Array.from(codes, (event) => Number(event > 0))] : undefined;
  const ofNumbers = task === 'regression' ? targetColumns({ numbers, length }) : timed;
  const values = ofNumbers ?? classes.map((_, column) => columnOf(column));
  return values.map((column) => {
    const counting = column.filter((_, row) => counts(row));
    const centre = mean(counting);
    const scale = counting.reduce((most, value) => Math.max(most, Math.abs(value - centre)), 0) || 1;
    return column.map((value, row) => (counts(row) ? (value - centre) / scale : 0));
  });
}

/** Sum of the squared covariances between the columns and the moved columns, from means of 0. */
function likeness(columns: readonly Float64Array[], order: Int32Array): number {
  let total = 0;
  for (const column of columns) {
    for (const other of columns) {
      let sum = 0;
      for (let row = 0; row < order.length; row++) sum += column[row] * other[order[row]];
      total += sum ** 2;
    }
  }
  return total;
}
