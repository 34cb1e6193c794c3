import { type CheckResult, undecided } from '../checkers/check.js';
import { formatNumber } from '../core/format.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import { mean } from '../core/numbers.js';
import { type InputOf, optionTable } from '../core/options.js';
import { metricRegistry } from '../metrics/registry.js';
import { withResult } from '../runner/runDirectory.js';
import { dataOf, withImpliedTask } from './manyRuns.js';
import { chanceOf, distanceToBest, findingText, meanOf, pText } from './permutation/chance.js';
import { type PermutationTest, permutationTestOptions, permutedScores, type Watched } from './permutationTest.js';
import { orientedScore } from './results.js';

export const labelPermutationGapOptions = optionTable('labelPermutationGap', permutationTestOptions.shape);

export type LabelPermutationGapOptions = InputOf<typeof labelPermutationGapOptions>;

/** What `labelPermutationGap` gives: a check result, with the permutation test behind it. Null where there is no value. */
export interface LabelPermutationGap extends CheckResult, PermutationTest {
  /** Mean score on exchanged labels. */
  readonly permutedMean: number | null;
  /** What it is for predictions that have nothing to do with the labels. */
  readonly chance: number | null;
  /** The score on the true labels less the mean on exchanged ones, turned so that more is better. */
  readonly gap: number | null;
}

/** Scores on noise are skewed to the left, for which a t test at .01 rejects too often. */
const ALPHA = 0.001;
const INDISTINCT = 0.05;
/** As a part of the way to perfect: stratified folds of reordered rows shift the mean a little. */
const TRIFLE = 0.1;

/**
 * CVL014: do scores drop to chance when the labels are exchanged? It is {@link permutationTest}, same options and same
 * runs, read in two ways. `failed`: on labels that mean nothing the model is still better than chance, by more than a
 * tenth of the way to perfect even at the lower bound of the mean (Monte Carlo error, one-sided, 99.9 %), so that labels
 * of test rows reach it: by state that is kept between folds, a column that is computed from all labels, or patients on
 * both sides of the folds (CVL013 tells these apart). `needs_review`: the score on the true labels does not stand out
 * (p > .05). Features that were made with the true labels before look like signal: let `fit` make them.
 *
 * Source: Ojala & Garriga 2010, JMLR 11:1833; chance, {@link chanceOf}.
 *
 * @throws {CVKitError} what `permutationTest` throws.
 * @example
 * const cv = new StratifiedGroupKFold({ randomState: 1 });
 * const check = await labelPermutationGap({ model, X, y, groups, cv, scheme: 'within', nPermutations: 19 });
 * console.log(check.status, check.summary());
 */
export async function labelPermutationGap(input: LabelPermutationGapOptions): Promise<LabelPermutationGap> {
  const chances: (number | null)[] = [];
  const look: Watched['look'] = (results, metric) => void chances.push(chanceOf(metric, results));
  const parsed = labelPermutationGapOptions.parse(input);
  const call = { ...parsed, identity: parsed };
  const test = await permutedScores(await withImpliedTask(call, dataOf(call)), { owner: 'labelPermutationGap', look });
  const parts = { ...test, ...CHECK, ...assess(test, chances) };
  return withResult(call.options, { ...parts, summary: () => findingText('Permutation gap', parts) });
}

const CHECK = { code: 'CVL014', type: 'permutation_gap', kind: 'leakage' } as const;

function assess(
  { metric: name, observed, permuted, pValue, nPermutations }: Omit<PermutationTest, 'summary'>,
  chances: readonly (number | null)[],
): Omit<LabelPermutationGap, keyof PermutationTest | keyof typeof CHECK> {
  const metric = metricRegistry.get(name);
  const known = permuted.flatMap((score, at) => {
    const chance = chances[at];
    return score === null || chance === null ? [] : [{ score, chance }];
  });
  if (known.length < nPermutations / 2) {
    const message = `Most exchanged labels have no ${name}, or chance is not known for it.`;
    const none = { permutedMean: null, chance: null, gap: null };
    return { ...none, ...undecided(message, 'Use another metric, or fewer folds.') };
  }
  const permutedMean = mean(known.map(({ score }) => score));
  const chance = mean(known.map((run) => run.chance));
  const { mean: excess, se } = meanOf(
    known.map((run) => orientedScore(metric, run.score) - orientedScore(metric, run.chance)),
  );
  const gap = orientedScore(metric, observed) - orientedScore(metric, permutedMean);
  const error = studentTQuantile(1 - ALPHA, known.length - 1) * se;
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
      message: `${found} (${pText(pValue)}): the true labels do not stand out.`,
      fix: 'Do not report this score as a finding; it takes more patients or other features.',
    };
  }
  return {
    ...numbers,
    status: 'passed',
    severity: 'none',
    message: `${found} (${pText(pValue)}): the score drops to chance.`,
    fix: '',
  };
}
