import { describe, expect, it } from 'vitest';
import { messageOf } from '../../src/core/errors.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { defaultMetrics, defineMetric, metricRegistry, metricsFor } from '../../src/metrics/registry.js';

describe('defineMetric', () => {
  it('adds a metric that can be found, frozen', () => {
    const added = defineMetric({ ...accuracy, name: 'my_accuracy', aliases: ['my_acc'] });
    try {
      expect(metricsFor(['my_accuracy'], 'binary')).toEqual([added]);
      expect(Object.isFrozen(added)).toBe(true);
    } finally {
      metricRegistry.remove('my_accuracy');
    }
  });

  it('refuses a definition with a fact missing, wrong or misspelt', () => {
    const { combine: _, ...missing } = { ...accuracy, name: 'mine' };
    const bad = [
      missing,
      { ...accuracy, range: [1, 0] },
      { ...accuracy, tasks: ['ranking'] },
      { ...accuracy, nedes: 'labels' },
      { ...accuracy, name: 'mine', target: 1 },
      { ...accuracy, name: 'mine', direction: 'target' },
    ];
    const messages = bad.map((definition) => {
      try {
        return defineMetric(definition as unknown as typeof accuracy);
      } catch (error) {
        return messageOf(error);
      }
    });
    expect(messages).toMatchInlineSnapshot(`
      [
        "The \`combine\` option of defineMetric must be one of 'mean', 'pooled'. Got nothing.",
        "The \`range\` option of defineMetric must be the smallest and the largest value. Got [1, 0].",
        "The \`tasks\` option of defineMetric must be a list of binary, multiclass, multilabel, regression. Got 'ranking' in place 0.",
        "defineMetric has no option \`nedes\`. Did you mean \`needs\`?",
        "The \`target\` option of defineMetric must be given for the direction 'target' alone. Got 1 for 'maximize'.",
        "The \`target\` option of defineMetric must be given for the direction 'target' alone. Got none for 'target'.",
      ]
    `);
  });

  it('refuses a name that is taken or not snake_case', () => {
    expect(() => defineMetric({ ...accuracy })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The metric 'accuracy' is already registered. Use another name, or the one that is there.]`,
    );
    expect(() => defineMetric({ ...accuracy, name: 'MyAccuracy' })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`name\` option of defineMetric must be snake_case, of at most 60 letters. Got 'MyAccuracy'.]`,
    );
  });
});

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
