import { type CheckResult, undecided } from '../checkers/check.js';
import { checkInput } from '../checkers/checkInput.js';
import { overlapOf, splitExamples } from '../checkers/overlap.js';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted, formatNumber, wholePercent } from '../core/format.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import { MOST_DRAWS } from '../core/numbers.js';
import { type InputOf, integer, optionTable, type Parsed } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { type Groups, MIN_UNITS, patientIdsOf, patientsOf } from '../data/sideData.js';
import { blockInfluences, blocksAsCoded, type Influential, isInfluential } from '../intervals/unitBlocks.js';
import { unitVariance } from '../intervals/unitVariance.js';
import type { Metric } from '../metrics/metric.js';
import type { CVResults } from '../runner/cvResults.js';
import { withResult } from '../runner/runDirectory.js';
import { countingFolds } from '../splitters/derivedPlan.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { seeded } from '../splitters/splitter.js';
import { studentTCdf } from './comparison/answers.js';
import { varyingPatients } from './labelMoves.js';
import { dataOf, type EngineCall, manyRunsShape, plainFolds, problemOf, withImpliedTask } from './manyRuns.js';
import { aboveChance, chanceOf, distanceToBest, findingText, meanOf, pText } from './permutation/chance.js';
import { permutedScores } from './permutationTest.js';
import { metricFor, metricOption, orientedScore } from './results.js';

export const identityConfoundingOptions = optionTable('identityConfounding', {
  ...manyRunsShape,
  cv: manyRunsShape.cv
    .optional()
    .describe('The folds that are judged; by default the five shuffled folds of rows that most people would use.'),
  metric: metricOption('What is looked at'),
  nPermutations: integer({ min: 19, max: MOST_DRAWS })
    .default(199)
    .describe('Cross-validations on labels that were moved between patients.'),
});

export type IdentityConfoundingOptions = InputOf<typeof identityConfoundingOptions>;

/** What `identityConfounding` gives: a check result, with the numbers behind it. Null where it was not evaluated. */
export interface IdentityConfounding extends CheckResult {
  readonly metric: string;
  /** The out-of-fold estimate with the true labels. */
  readonly observed: number | null;
  /** Its mean over labels that were moved between patients. */
  readonly permutedMean: number | null;
  /** What it is for predictions that have nothing to do with the labels. */
  readonly chance: number | null;
  /** Of identity: is the mean on moved labels better than chance? One-sided, Student's t between patients. */
  readonly pValue: number | null;
  /** Of the signal: (b + 1) / (B + 1) for b moves that did at least as well. Does the model know more than persons? */
  readonly signalPValue: number | null;
  /** Part of what lies above chance that persons explain, 0 to 1; null when the score is not above chance. */
  readonly share: number | null;
  readonly nPermutations: number;
  readonly notes: readonly string[];
  summary(): string;
}

const CHECK = { code: 'CVL013', type: 'identity_confounding', kind: 'leakage' } as const;
const ALPHA = 0.01;
/** Better than chance by less than this part of the way to perfect is negligible. */
const TRIFLE = 0.02;
const LARGE_SHARE = 0.1;
/** When not even this part of the way to perfect is detectable, the check is undecided. */
const TOO_COARSE = 0.5;
const TOO_MANY_MISSING = 0.5;

/**
 * CVL013: does the model recognise persons instead of what they have? The one label of each patient moves with all of
 * his rows to another patient, `nPermutations` times, and the judged folds are trained and tested again. Moved labels
 * have nothing to do with the disease, but rows of one patient still share theirs: a model that scores better than
 * chance on them recognises persons, and with the true labels does so, too.
 *
 * The mean over moves is tested with its standard error between patients: influences on the score are averaged over the
 * moves and summed per patient, to which the Monte Carlo error of the mean is added. So the answer is about new
 * patients, not about more moves. Chance is what the very predictions give when each meets every label of its fold.
 * `failed`: p < .01 and persons explain a tenth or more of what lies above chance. `needs_review`: p < .01 and less.
 * `not_evaluated`: labels that vary within patients, fewer than ten patients, or so few that not even half of the way
 * from chance to perfect could be detected.
 *
 * Source: Chaibub Neto et al. 2019, npj Digital Medicine 2:99 (subject-wise permutation; there the mean is compared
 * with a null of independent rows).
 *
 * @throws {InvalidOptionError} no `groups`; a metric without an influence function.
 * @throws {CVKitError} what `run` throws for the data and the model.
 * @example
 * const cv = new StratifiedKFold({ shuffle: true, randomState: 1 });
 * const check = await identityConfounding({ model, X, y, groups, cv });
 * console.log(check.status, check.summary());
 */
export async function identityConfounding(input: IdentityConfoundingOptions): Promise<IdentityConfounding> {
  const parsed = identityConfoundingOptions.parse(input);
  const call = { ...parsed, identity: parsed };
  const check = await confoundingOf(await withImpliedTask(call, dataOf(call)));
  // Its examples name patients, by pseudonyms of this call.
  const { examples: _, ...evidence } = check.evidence ?? {};
  await withResult(call.options, { ...check, evidence });
  return check;
}

async function confoundingOf(
  call: EngineCall & Parsed<typeof identityConfoundingOptions.shape>,
): Promise<IdentityConfounding> {
  const { options } = call;
  const problem = problemOf(call);
  const labels = problem.y;
  const ids = patientIdsOf(options);
  if (ids === undefined) {
    const must = 'be given `groups`, the patient of each row';
    const instead = 'Use labelPermutationGap where nobody knows the patients: it exchanges rows one by one.';
    const subject = 'identityConfounding';
    throw new InvalidOptionError(sentence(subject, must, phrase('nothing'), instead), { code: 'missing_option' });
  }
  const metric = metricFor(options.metric, labels.task);
  if (!isInfluential(metric)) {
    const must = 'be a metric with an influence function, as roc_auc, accuracy, brier and rmse have';
    throw new InvalidOptionError(sentence('The `metric` option of identityConfounding', must, metric.name));
  }
  const patients = patientsOf(options, labels.length) as Groups;
  const { nPermutations } = options;
  const { weight } = problem;
  const counting = new Set(patients.codes.filter((_, row) => !weight || weight[row] > 0));
  const varying = varyingPatients(labels, ids, weight);
  const reason = obstacle(counting.size, varying);
  if (reason) return withSummary({ ...NOTHING, ...CHECK, ...undecided(...reason), metric: metric.name, nPermutations });
  const randomState = options.randomState ?? freshSeed();
  const cv = seeded(options.cv ?? plainFolds(labels.task, { randomState }), randomState);
  const signal = identitySignal(metric, patients, counting);
  const scores = await permutedScores(
    { ...call, options: { ...options, cv, randomState } },
    { owner: 'identityConfounding', unlike: true, look: signal.look },
  );
  const { observed, pValue: signalPValue } = scores;
  const notes = [
    ...scores.notes,
    'Of 50 random moves the one was taken whose labels have least to do with the true ones.',
    ...(counting.size === (weight?.filter((each) => each > 0).length ?? labels.length)
      ? ['Every patient has one row, so there is no person to know again.']
      : []),
  ];
  const found = signal.result();
  const facts = { ...CHECK, metric: metric.name, observed, signalPValue, nPermutations, notes };
  if (found.used < TOO_MANY_MISSING * nPermutations) {
    const message = `${nPermutations - found.used} of ${nPermutations} moves of the labels have no ${metric.name}.`;
    return withSummary({ ...NOTHING, ...facts, ...undecided(message, 'Use fewer folds, or more patients.') });
  }
  const plan = countingFolds(foldsOf(cv, labels.length, labels, problem.data), weight);
  const overlap = overlapOf(plan, patients.codes, patients.count);
  const scene = checkInput({ folds: plan, X: problem.X, y: labels, data: { groups: ids } });
  const share = shareOf(metric, observed, found);
  const { permutedMean, chance, pValue, detectable } = found;
  const evidence = {
    ...{ patients: counting.size, patientsOnBothSides: overlap.split.length },
    ...{ observed, permutedMean, chance, detectable, nPermutations },
    examples: splitExamples(overlap, scene, patients.ids),
  };
  const verdict = assess(metric, { ...found, observed, share }, overlap.split.length);
  return withSummary({ ...facts, permutedMean, chance, pValue, share, ...verdict, evidence });
}

const NOTHING = {
  observed: null,
  permutedMean: null,
  chance: null,
  pValue: null,
  signalPValue: null,
  share: null,
  notes: [],
} as const;

function obstacle(count: number, varying: number): [string, string] | undefined {
  if (count < MIN_UNITS) return [`${counted(count, 'patient')} cannot tell, fewer than ${MIN_UNITS}.`, 'Add patients.'];
  if (varying === 0) return undefined;
  return [
    `The labels of ${varying} of ${counted(count, 'patient')} vary within the patient, so that persons have no label that could move.`,
    "Use permutationTest with scheme: 'between', or one label per patient.",
  ];
}

function shareOf(metric: Metric, observed: number, { permutedMean, chance }: Recognition): number | null {
  const all = aboveChance(metric, observed, chance);
  return all > TRIFLE ? Math.min(1, Math.max(0, aboveChance(metric, permutedMean, chance) / all)) : null;
}

function assess(
  metric: Metric,
  found: Recognition & { readonly observed: number; readonly share: number | null },
  split: number,
): Pick<CheckResult, 'status' | 'severity' | 'message' | 'fix'> {
  const { observed, permutedMean, chance, pValue, detectable, share } = found;
  const onMoved = `With labels moved between patients ${metric.name} is ${formatNumber(permutedMean)} on average, by chance ${formatNumber(chance)} (${pText(pValue)})`;
  const above = aboveChance(metric, permutedMean, chance);
  if (pValue < ALPHA && above > TRIFLE) {
    const part = `, which accounts for ${wholePercent(share ?? 0)} of how far ${formatNumber(observed)} lies above chance`;
    const message = `${onMoved}: the model recognises persons${share === null ? '' : part}.`;
    const fix =
      split > 0
        ? 'Use folds of whole patients: StratifiedGroupKFold, or GroupKFold for regression.'
        : 'No patient is on both sides of a fold: look for labels that reach the model on another way (CVL014).';
    return share !== null && share < LARGE_SHARE
      ? { status: 'needs_review', severity: 'medium', message, fix }
      : { status: 'failed', severity: share !== null && share < 0.5 ? 'high' : 'critical', message, fix };
  }
  if (detectable > TOO_COARSE) {
    const message = `${onMoved}, but with so few patients not even half of the way from chance to perfect could be seen.`;
    return undecided(message, 'Add patients, or rows per patient.');
  }
  const seeable = `${Math.ceil(100 * detectable)} % of the way from chance to perfect`;
  const message = `${onMoved}: no person is recognised. ${seeable} would have been found with 95 % probability.`;
  return { status: 'passed', severity: 'none', message, fix: '' };
}

const withSummary = (parts: Omit<IdentityConfounding, 'summary'>): IdentityConfounding => ({
  ...parts,
  summary: () => findingText('Identity confounding', parts),
});

interface Recognition {
  readonly used: number;
  readonly permutedMean: number;
  readonly chance: number;
  readonly pValue: number;
  /** What would be found with 95 % probability at the 1 % level, as a part of the way from chance to perfect. */
  readonly detectable: number;
}

/** Collects runs on moved labels one by one. Of the patients those in `counting` count. */
export function identitySignal(metric: Influential, { codes, count }: Groups, counting: ReadonlySet<number>) {
  const chances: number[] = [];
  const scores: number[] = [];
  const sums = new Float64Array(count);
  return {
    look(results: CVResults) {
      const folds = results.folds.flatMap((result) => {
        if (result.status !== 'completed') return [];
        const { repeat, test } = result.fold;
        return [{ repeat, units: test.map((row) => codes[row]), table: result.table }];
      });
      const chance = chanceOf(metric, results);
      const valued = blocksAsCoded(metric, folds).flatMap((blocks) => blockInfluences(metric, blocks) ?? []);
      if (chance === null || valued.length === 0) return;
      chances.push(chance);
      scores.push(meanOf(valued.map(({ estimate }) => estimate)).mean);
      for (const { influence, units } of valued) {
        influence.forEach((each, at) => {
          sums[units[at]] += each / valued.length;
        });
      }
    },
    result() {
      const ofCounting = sums.filter((_, unit) => counting.has(unit));
      return tested(metric, scores, chances, ofCounting);
    },
  };
}

function tested(metric: Metric, scores: number[], chances: number[], sums: Float64Array): Recognition {
  const used = scores.length;
  const [permutedMean, chance] = [meanOf(scores).mean, meanOf(chances).mean];
  const gaps = scores.map((score, at) => orientedScore(metric, score) - orientedScore(metric, chances[at]));
  const { mean, se } = meanOf(gaps);
  const perUnit = sums.map((sum) => sum / used);
  const { variance, nUnits } = unitVariance(
    perUnit,
    perUnit.map((_, unit) => unit),
  );
  const df = nUnits - 1;
  // Without any spread (every person is always recognised) the smallest error keeps the quotient finite.
  const error = Math.max(Math.sqrt(variance + se ** 2), 1e-9);
  const reach = (studentTQuantile(0.99, df) + studentTQuantile(0.95, df)) * error;
  return {
    used,
    permutedMean,
    chance,
    // Smaller than this is rounding: a p-value is never 0.
    pValue: Math.max(1 - studentTCdf(mean / error, df), Number.EPSILON),
    detectable: reach / distanceToBest(metric, chance),
  };
}
