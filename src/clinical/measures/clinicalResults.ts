import type { Interval } from '../../intervals/interval.js';

/** What `calculateAll` gives: counts, and an interval for every value. */
export interface ClinicalResults {
  readonly counts: {
    /** True positives, false positives, false negatives, true negatives and all: sums of weights. */
    readonly tp: number;
    readonly fp: number;
    readonly fn: number;
    readonly tn: number;
    readonly n: number;
    /** Rows of weight above 0. */
    readonly rows: number;
    /** Null when no `groups` were given. */
    readonly patients: number | null;
  };
  /** Share of positives in the sample, also when another prevalence was given. */
  readonly prevalence: Interval;
  readonly sensitivity: Interval;
  readonly specificity: Interval;
  /** Positive predictive value, at the given prevalence or else that of the sample. */
  readonly ppv: Interval;
  /** Negative predictive value, likewise. */
  readonly npv: Interval;
  readonly accuracy: Interval;
  /** (sensitivity + specificity) / 2. */
  readonly balancedAccuracy: Interval;
  /** Youden's J: sensitivity + specificity - 1. */
  readonly youden: Interval;
  readonly f1: Interval;
  /** Matthews correlation coefficient. */
  readonly mcc: Interval;
  /** Cohen's kappa of truth and prediction. */
  readonly kappa: Interval;
  /** Positive likelihood ratio: sensitivity / (1 - specificity). */
  readonly lrPositive: Interval;
  /** Negative likelihood ratio: (1 - sensitivity) / specificity. */
  readonly lrNegative: Interval;
  /** TP TN / (FP FN). */
  readonly diagnosticOddsRatio: Interval;
  /** 1 / (prevalence x J); with a treatment effect 1 / (PPV x effect). */
  readonly nnt: Interval;
  /** Number needed to screen: 1 / (prevalence x sensitivity). */
  readonly nns: Interval;
  /** 1 / J. */
  readonly numberNeededToDiagnose: Interval;
  /** 1 / (PPV + NPV - 1). */
  readonly numberNeededToPredict: Interval;
  /** Area under the ROC curve; this and the rest need `yProba`. */
  readonly rocAuc: Interval;
  readonly averagePrecision: Interval;
  readonly brier: Interval;
  /** Calibration in the large: intercept with the slope fixed at 1. */
  readonly calibrationIntercept: Interval;
  readonly calibrationSlope: Interval;
}
