/** Are there enough patients with the outcome for the number of predictors? */
import { type Finding, notApplicable, passed } from '../../checkers/check.js';
import type { Column } from '../../checkers/features/columns.js';
import { sampleSize } from '../../clinical/sampleSize.js';
import { counted, formatNumber, wholeNumber } from '../../core/format.js';
import type { Labels } from '../../data/labels.js';
import type { AssessedResult } from './assessedResult.js';
import { tableColumns } from './tableColumns.js';

/** Above it the formula asks for few patients anyhow. */
const HIGHEST_C = 0.98;
const LOWEST_C = 0.55;

/**
 * The patients that a regression with these predictors needs so that its coefficients shrink by no more than a tenth, for the
 * C statistic that was found out of fold. Most tables have fewer: it asks for a look where the risks are too extreme
 * besides, beyond chance. Source: Riley et al. 2019, Statistics in Medicine 38:1276, criterion 1; Riley et al. 2021,
 * Statistics in Medicine 40:859, for R2 from C.
 */
export async function fewEvents({ cv, rows, intervalsOf }: AssessedResult): Promise<Finding> {
  const { metadata } = cv;
  if (metadata.task !== 'binary') return notApplicable('Asked of a binary outcome alone.');
  if (metadata.fixedModel !== null || metadata.trainedBefore !== null || !rows)
    return notApplicable('No model was trained here.');
  const columns = await tableColumns(rows);
  if (columns.length === 0) return notApplicable('Asked of columns alone, not of images.');
  const n = trainedOn(cv);
  const unit = metadata.nGroups === null ? 'row' : 'patient';
  const C = cv.estimates.roc_auc ?? null;
  if (C === null || C < LOWEST_C) {
    const why = C === null ? 'without an AUC' : `at an AUC of ${formatNumber(C)}, near chance or below,`;
    return notApplicable(`How many patients a regression needs follows from its C statistic, and ${why} it does not.`);
  }
  const found = needed(columns, rows.y, C);
  const events = Math.round(n * shareOfSmaller(cv, rows.y));
  const facts = { parameters: found.parameters, events, n, needed: found.n };
  const message = `A model is trained on ${counted(events, unit)} of the smaller class and ${counted(found.parameters, 'parameter')} of predictors, ${formatNumber(events / found.parameters)} to one`;
  if (n >= found.n) return passed(`${message}: enough for a regression (Riley et al. 2019).`, facts);
  const asks = `a regression needs about ${wholeNumber(found.n)} ${unit}s at a C statistic of ${formatNumber(found.C)} (Riley et al. 2019), and trains on ${wholeNumber(n)}`;
  const { estimate, upper } = intervalsOf('calibration_slope');
  const evidence = { ...facts, calibrationSlope: estimate };
  if (estimate === null || upper === null || upper >= FLAT) {
    return passed(
      `${message}; ${asks}. The risks of test rows are not too extreme, as far as their calibration slope tells.`,
      evidence,
    );
  }
  return {
    status: 'needs_review',
    severity: 'low',
    message: `${message}; ${asks}. The risks of test rows are too extreme: calibration slope ${formatNumber(estimate)}, upper limit ${formatNumber(upper)}.`,
    evidence,
    fix: 'Choose fewer predictors without looking at the outcome, penalise, collect more patients, or recalibrate within the folds (`recalibrate`).',
  };
}

/** The shrinkage that Riley et al. ask for. */
const FLAT = 0.9;

/** Patients (else rows) in a training set, on average. */
function trainedOn({ folds, plan, metadata }: AssessedResult['cv']): number {
  const perRow = metadata.nGroups === null ? 1 : metadata.nGroups / plan.n;
  return Math.round(
    (folds.reduce((sum, { fold }) => sum + plan.at(fold.index).train.length, 0) / Math.max(1, folds.length)) * perRow,
  );
}

/** Of the patients who have a row of the smaller class; of the rows where no patients are known. */
function shareOfSmaller({ outOfFold: { row, group } }: AssessedResult['cv'], { codes }: Labels): number {
  const ones = codes.reduce((sum, code) => sum + Number(code === 1), 0);
  const smaller = ones <= codes.length / 2 ? 1 : 0;
  if (!group) return Math.min(ones, codes.length - ones) / codes.length;
  const having = new Set(group.filter((_, at) => codes[row[at]] === smaller));
  return having.size / new Set(group).size;
}

function needed(columns: readonly Column[], { codes }: Labels, C: number) {
  const parameters = columns.reduce(
    (sum, { kind, levels }) => sum + (kind === 'category' ? Math.max(1, (levels?.length ?? 2) - 1) : 1),
    0,
  );
  const share = codes.reduce((sum, code) => sum + Number(code === 1), 0) / codes.length;
  const smaller = Math.min(share, 1 - share);
  const assumed = Math.min(HIGHEST_C, C);
  const { criteria } = sampleSize({ prevalence: smaller, parameters, cStatistic: assumed });
  return { parameters, C: assumed, n: criteria[0].n };
}
