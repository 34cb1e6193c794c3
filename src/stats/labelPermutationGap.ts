import { type CheckResult, undecided } from '../checkers/check.js';
import { formatNumber } from '../core/format.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import { type InputOf, optionTable } from '../core/options.js';
import { metricRegistry } from '../metrics/registry.js';
import { dataOf, withImpliedTask } from './manyRuns.js';
import { chanceOf, distanceToBest, findingText, meanOf } from './permutation/chance.js';
import { type PermutationTest, permutationTestOptions, permutedScores, type Watched } from './permutationTest.js';
import { orientedScore } from './results.js';

export const labelPermutationGapOptions = optionTable('labelPermutationGap', permutationTestOptions.shape);

export type LabelPermutationGapOptions = InputOf<typeof labelPermutationGapOptions>;

/** What `labelPermutationGap` gives: a check result, with the permutation test behind it. Null where there is no value. */
export interface LabelPermutationGap extends CheckResult, PermutationTest {
  readonly permutedMean: number | null;
  /** What it is for predictions that have nothing to do with the labels. */
  readonly chance: number | null;
  /** The score on the true labels less the mean on exchanged ones, turned so that more is better. */
  readonly gap: number | null;
}

/** Scores on noise are skewed to the left, for which a t test at .01 rejects too often. */
const ALPHA = 0.001;
const INDISTINCT = 0.05;
/**
 * As a part of the way to perfect. Stratified folds made anew with one seed from reordered rows shift the mean a
 * little.
 */
const TRIFLE = 0.1;

/**
 * CVL014: do scores drop to chance when the labels are exchanged? It is {@link permutationTest}, same options and same
 * runs, read in two ways. `failed`: on labels that mean nothing the model is still better than chance, by more than a
 * tenth of the way to perfect even at the lower bound of the mean (Monte Carlo error, one-sided, 99.9 %), so that labels
 * of test rows reach it on some way: state that is kept between folds, a column that is computed from all labels, or patients on both
 * sides of the folds (CVL013 tells these apart). `needs_review`: the score on the true labels does not stand out from
 * those on exchanged ones (p > .05). Else `passed`, with the gap.
 *
 * What is done to the features before, with the true labels, is not seen: it stays as it was when labels are exchanged
 * and looks like signal. Let `fit` do it.
 *
 * Source: Ojala & Garriga 2010, JMLR 11:1833; chance, {@link chanceOf}.
 *
 * @throws {CVKitError} what `permutationTest` throws.
 * @example
 * const check = await labelPermutationGap({ model, X, y, groups, cv: new StratifiedGroupKFold({ randomState: 1 }) });
 * console.log(check.status, check.summary());
 */
export async function labelPermutationGap(input: LabelPermutationGapOptions): Promise<LabelPermutationGap> {
  const chances: (number | null)[] = [];
  const look: Watched['look'] = (results, metric) => void chances.push(chanceOf(metric, results));
  const call = labelPermutationGapOptions.parse(input);
  const test = await permutedScores(await withImpliedTask(call, dataOf(call)), { owner: 'labelPermutationGap', look });
  return withSummary({ ...test, ...CHECK, ...assess(test, chances) });
}

const CHECK = { code: 'CVL014', type: 'permutation_gap', kind: 'leakage' } as const;

type Assessed = Pick<
  LabelPermutationGap,
  'permutedMean' | 'chance' | 'gap' | 'status' | 'severity' | 'message' | 'evidence' | 'fix'
>;

function assess(
  { metric: name, observed, permuted, pValue, nPermutations }: Omit<PermutationTest, 'summary'>,
  chances: readonly (number | null)[],
): Assessed {
  const metric = metricRegistry.get(name);
  const known = permuted.flatMap((score, at) => {
    const chance = chances[at];
    return score === null || chance === null ? [] : [{ score, chance }];
  });
  if (known.length < nPermutations / 2) {
    const message = `Most exchanged labels have no ${name}, or chance is not known for it.`;
    return {
      permutedMean: null,
      chance: null,
      gap: null,
      ...undecided(message, 'Use another metric, or fewer folds.'),
    };
  }
  const mean = (value: (run: { score: number; chance: number }) => number) => meanOf(known.map(value));
  const [permutedMean, chance] = [mean((run) => run.score).mean, mean((run) => run.chance).mean];
  const { mean: excess, se } = mean((run) => orientedScore(metric, run.score) - orientedScore(metric, run.chance));
  const gap = orientedScore(metric, observed) - orientedScore(metric, permutedMean);
  const error = studentTQuantile(1 - ALPHA, known.length - 1) * se;
  const p = pValue < 0.001 ? 'p < .001' : `p = ${formatNumber(pValue)}`;
  const found = `${name} is ${formatNumber(observed)} on the true labels and ${formatNumber(permutedMean)} on average on exchanged ones, by chance ${formatNumber(chance)}`;
  const evidence = { observed, permutedMean, chance, gap, monteCarloError: se, pValue, nPermutations };
  const numbers = { permutedMean, chance, gap, evidence };
  if (excess - error > TRIFLE * distanceToBest(metric, chance)) {
    return {
      ...numbers,
      status: 'failed',
      severity: 'high',
      message: `${found}: labels of test rows reach the model.`,
      fix: 'Keep patients whole (CVL013), keep nothing between folds, and compute every column that reads y within `fit`.',
    };
  }
  if (pValue > INDISTINCT) {
    return {
      ...numbers,
      status: 'needs_review',
      severity: 'low',
      message: `${found} (${p}): the true labels do not stand out.`,
      fix: 'Do not report this score as a finding; it takes more patients or other features.',
    };
  }
  return {
    ...numbers,
    status: 'passed',
    severity: 'none',
    message: `${found} (${p}): the score drops to chance.`,
    fix: '',
  };
}

const withSummary = (parts: Omit<LabelPermutationGap, 'summary'>): LabelPermutationGap => ({
  ...parts,
  summary: () => findingText('Permutation gap', parts),
});
