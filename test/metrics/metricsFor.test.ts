import { describe, expect, it } from 'vitest';
import { defaultMetrics, metricsFor } from '../../src/metrics/metricsFor.js';

describe('metricsFor', () => {
  it('finds metrics by name', () => {
    expect(metricsFor(['accuracy', 'roc_auc'], 'binary').map(({ name }) => name)).toEqual(['accuracy', 'roc_auc']);
  });

  it('refuses an unknown metric and names the nearest', () => {
    expect(() => metricsFor(['rocauc'], 'binary')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: There is no metric 'rocauc'. Did you mean 'roc_auc'?]`,
    );
    expect(() => metricsFor(['sensitivty'], 'binary')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: There is no metric 'sensitivty'. Did you mean 'sensitivity'?]`,
    );
    expect(() => metricsFor(['gini'], 'binary')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: There is no metric 'gini'. Known: accuracy, balanced_accuracy, roc_auc, sensitivity, specificity, precision, recall, f1, ppv, npv, f1_macro, f1_micro, f1_weighted, f1_samples, mcc, cohen_kappa, average_precision, roc_auc_ovr_macro, roc_auc_ovo_macro, brier, scaled_brier, log_loss, calibration_slope, calibration_intercept, ece, net_benefit, hamming_loss, dice, iou, mse, rmse, mae, r2, explained_variance, concordance_correlation.]`,
    );
  });

  it('refuses a metric of another task and lists those of this one', () => {
    expect(() => metricsFor(['mse'], 'binary')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The metric 'mse' must be used for regression tasks. Got a binary task. Use one of accuracy, balanced_accuracy, roc_auc, sensitivity, specificity, precision, recall, f1, ppv, npv, f1_macro, f1_micro, f1_weighted, mcc, cohen_kappa, average_precision, brier, scaled_brier, log_loss, calibration_slope, calibration_intercept, ece, net_benefit instead.]`,
    );
    expect(() => metricsFor(['roc_auc'], 'regression')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The metric 'roc_auc' must be used for binary tasks. Got a regression task. Use one of mse, rmse, mae, r2, explained_variance, concordance_correlation instead.]`,
    );
  });
});

describe('defaultMetrics', () => {
  it('are metrics of their task', () => {
    for (const task of ['binary', 'multiclass', 'multilabel', 'regression'] as const) {
      expect(metricsFor(defaultMetrics(task), task)).not.toHaveLength(0);
    }
  });

  it('of classes and labels are those of the contract', () => {
    expect(defaultMetrics('multilabel')).toEqual([
      'roc_auc_ovr_macro',
      'f1_samples',
      'f1_macro',
      'f1_micro',
      'accuracy',
    ]);
    const multiclass = ['accuracy', 'balanced_accuracy', 'roc_auc_ovr_macro', 'f1_macro', 'log_loss', 'brier'];
    expect(defaultMetrics('multiclass')).toEqual(multiclass);
  });

  it('of masks are those of segmentation; ordinary labels keep theirs', () => {
    expect(defaultMetrics('multilabel', true)).toEqual(['dice', 'iou']);
    expect(defaultMetrics('multilabel')).toContain('f1_samples');
  });
});
