/** What a result shows beyond leakage: checks after training, each `needs_review` at most. */
import { type CheckResult, crashed, type Finding, factsOf, notApplicable, passed } from '../../checkers/check.js';
import { RESULT_CHECKS } from '../../checkers/resultChecks.js';
import { nameText } from '../../core/foreignText.js';
import { formatNumber } from '../../core/format.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { mean, unbiasedVariance } from '../../core/numbers.js';
import { lossOf, type Metric } from '../../metrics/metric.js';
import type { AssessedResult } from './assessedResult.js';
import { fewEvents } from './fewEvents.js';
import { oneFeature } from './oneFeature.js';

/** One after the other, in order of their codes. */
export async function resultFindings(found: AssessedResult): Promise<CheckResult[]> {
  const assess = { trainingGap, deviatingFold, worseThanBaseline, oneFeature, fewEvents };
  const results: CheckResult[] = [];
  for (const [name, check] of Object.entries(assess)) {
    const facts = factsOf(RESULT_CHECKS[name as keyof typeof assess]);
    try {
      results.push({ ...facts, ...(await check(found)) });
    } catch (error) {
      results.push(crashed(facts, error));
    }
  }
  return results;
}

/** A difference of scores that lie in [0, 1] from which training is "far above" the test. */
const FAR = 0.1;
const SURE = 0.99;

/** Corrected t interval of the gap (Nadeau & Bengio 2003): far is what lies above a tenth in all of it. */
function trainingGap({ cv }: AssessedResult): Finding {
  const { trainScores, scores, folds, plan, metadata } = cv;
  if (metadata.fixedModel !== null) return notApplicable('No model was trained here.');
  if (!trainScores) return notApplicable('Scores of training rows were not requested (`returnTrainScores: true`).');
  const sizes = folds.map(({ fold }) => fold.test.length / plan.at(fold.index).train.length);
  const gaps = cv.scorers.flatMap(({ name, metric }) => {
    if (!metric || !isShare(metric)) return [];
    const differences = scores[name].flatMap(({ value }, at) => {
      const train = trainScores[name][at].value;
      return value === null || train === null ? [] : [lossOf(metric, value) - lossOf(metric, train)];
    });
    const J = differences.length;
    if (J < 2) return [];
    const half =
      studentTQuantile((1 + SURE) / 2, J - 1) * Math.sqrt(unbiasedVariance(differences) * (1 / J + mean(sizes)));
    return [{ name, gap: mean(differences), least: mean(differences) - half }];
  });
  if (gaps.length === 0) return notApplicable('No score in [0, 1] has a value in two folds on both sides.');
  const { name, gap, least } = gaps.reduce((most, each) => (each.least > most.least ? each : most));
  const evidence = { score: name, gap };
  const largest = `${nameText(name)} is better by ${formatNumber(gap)} on the rows that trained the models than on test rows`;
  if (least <= FAR) {
    return passed(
      `No score of training rows is above that of test rows by more than ${FAR} beyond chance: ${largest}, at least by ${formatNumber(Math.max(0, least))}.`,
      evidence,
    );
  }
  return {
    status: 'needs_review',
    severity: 'low',
    message: `${largest}, far above ${FAR}: at least by ${formatNumber(least)}.`,
    evidence,
    fix: 'Stop training earlier, use a smaller model or a penalty. Forests and nearest neighbours always fit their own rows; the scores of test rows are not touched by it.',
  };
}

const isShare = ({ range: [low, high], direction }: Metric) => low >= 0 && high <= 1 && direction !== 'target';

const DEVIATES = 0.001;

/** Cochran's Q over the values of the folds, where the interval of a score has it; p-values times the number of scores. */
function deviatingFold({ cv, intervals }: AssessedResult): Finding {
  const tested = Object.entries(intervals).flatMap(([name, { heterogeneity }]) =>
    heterogeneity ? [{ name, ...heterogeneity }] : [],
  );
  if (tested.length === 0) return notApplicable('No score tells whether its folds differ beyond chance.');
  const least = tested.reduce((a, b) => (b.pValue < a.pValue ? b : a));
  const pValue = Math.min(1, least.pValue * tested.length);
  const valued = cv.scores[least.name].flatMap(({ value }, fold) => (value === null ? [] : [{ value, fold }]));
  const evidence = { score: least.name, q: least.q, df: least.df, pValue };
  if (pValue >= DEVIATES)
    return passed(
      `The folds differ no more than chance explains (${nameText(least.name)}, p ${shortP(pValue)}).`,
      evidence,
    );
  const { value, fold: at } = valued[least.largest];
  const { fold } = cv.foldDetails[at];
  return {
    status: 'needs_review',
    severity: 'low',
    fold,
    message: `The folds differ beyond chance: ${nameText(least.name)} is ${formatNumber(value)} in ${nameText(fold)} and ${formatNumber(intervals[least.name].estimate)} over all folds (Cochran's Q, p ${shortP(pValue)}).`,
    evidence,
    fix: 'Look at the rows of that fold: another site, another time, another way of labelling? Where folds are sites or periods this may be the result itself: report them one by one.',
  };
}

const shortP = (p: number) => (p < 0.001 ? '< .001' : formatNumber(p));

/** Scores that a constant prediction cannot make high, and that class weights do not move below the baseline. */
const COMPARED: readonly string[] = [
  ...['roc_auc', 'average_precision', 'roc_auc_ovr_macro', 'roc_auc_ovo_macro', 'mcc', 'cohen_kappa'],
  ...['balanced_accuracy', 'brier', 'log_loss', 'mse', 'rmse', 'mae', 'r2', 'explained_variance'],
  ...['concordance', 'concordance_uno', 'integrated_brier'],
];
const isCompared = ({ name, place }: Metric) =>
  COMPARED.includes(name) || (place?.of === 'times' && /^(brier|roc_auc)_at_/.test(name));
/** Standard errors between estimate and baseline. */
const BEYOND = 3;

function worseThanBaseline({ cv, intervals, baseline }: AssessedResult): Finding {
  const compared = cv.scorers.flatMap(({ name, metric }) => {
    const interval = intervals[name];
    const value = baseline?.[name]?.value ?? null;
    if (!metric || !isCompared(metric) || value === null || !interval) return [];
    const { estimate, lower, upper, level } = interval;
    if (estimate === null || lower === null || upper === null) return [];
    const toBaseline = metric.direction === 'minimize' ? estimate - lower : upper - estimate;
    const worse = lossOf(metric, estimate) - lossOf(metric, value);
    return [
      {
        name,
        metric,
        estimate,
        value,
        worse: worse > (BEYOND * toBaseline) / normalQuantile((1 + level) / 2) && worse > 0,
      },
    ];
  });
  if (compared.length === 0)
    return notApplicable(
      'No score that is compared (such as roc_auc, brier, r2, balanced_accuracy) has an interval and a baseline; accuracy is not, since class weights move it.',
    );
  const found = compared.find(({ worse }) => worse);
  if (!found) {
    return passed(
      `No score is worse than its baseline beyond chance (${compared.map(({ name }) => nameText(name)).join(', ')}).`,
    );
  }
  const { name, metric, estimate, value } = found;
  const isRank = /^(roc_auc|average_precision|concordance)/.test(metric.name);
  const isTimed = metric.tasks.includes('survival');
  return {
    status: 'needs_review',
    severity: 'medium',
    message: `${nameText(name)} is ${formatNumber(estimate)}, worse than the ${formatNumber(value)} of predicting the same for everyone, beyond chance.`,
    evidence: { score: name, estimate, baseline: value },
    fix: isTimed
      ? isRank
        ? 'Is a larger risk an earlier event, as it must be?'
        : 'The predicted curves are off: look at `calibration_at`; where events compete, a model of one of them alone predicts too much.'
      : isRank
        ? 'Is the positive class the right one (`positiveLabel`), and are columns of probabilities in the order of the classes?'
        : metric.name === 'brier' || metric.name === 'log_loss'
          ? 'The probabilities are off: use `recalibrate`, and look at class weights and at the order of the classes.'
          : 'Look at the labels, at the scale of the target, and at what the model was trained on.',
  };
}
