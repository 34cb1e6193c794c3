import { describe, expect, it } from 'vitest';
import { messageOf } from '../../src/core/errors.js';
import { accuracy } from '../../src/metrics/accuracy.js';
import { defaultMetrics, defineMetric, metricRegistry, metricsFor } from '../../src/metrics/registry.js';

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
    expect(() => metricsFor(['kappa'], 'binary')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: There is no metric 'kappa'. Known: accuracy, balanced_accuracy, roc_auc, sensitivity, specificity, precision, recall, f1, brier, log_loss, dice, iou, mse, rmse, mae, r2, explained_variance.]`,
    );
  });

  it('refuses a metric of another task and lists those of this one', () => {
    expect(() => metricsFor(['mse'], 'binary')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The metric 'mse' must be used for regression tasks. Got a binary task. Use one of accuracy, balanced_accuracy, roc_auc, sensitivity, specificity, precision, recall, f1, brier, log_loss instead.]`,
    );
    expect(() => metricsFor(['roc_auc'], 'regression')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The metric 'roc_auc' must be used for binary tasks. Got a regression task. Use one of mse, rmse, mae, r2, explained_variance instead.]`,
    );
  });
});

describe('defaultMetrics', () => {
  it('are metrics of their task', () => {
    for (const task of ['binary', 'multiclass', 'multilabel', 'regression'] as const) {
      expect(metricsFor(defaultMetrics(task), task)).not.toHaveLength(0);
    }
  });

  it('of masks are those of segmentation; ordinary labels keep theirs', () => {
    expect(defaultMetrics('multilabel', true)).toEqual(['dice', 'iou']);
    expect(defaultMetrics('multilabel')).toEqual(['accuracy']);
  });
});

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
        "The \`tasks\` option of defineMetric must be a list of binary, multiclass, multilabel, regression. Got ['ranking'].",
        "defineMetric has no option \`nedes\`. Did you mean \`needs\`?",
      ]
    `);
  });

  it('refuses a name that is taken or not snake_case', () => {
    expect(() => defineMetric({ ...accuracy })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The metric 'accuracy' is already registered. Use another name, or the one that is there.]`,
    );
    expect(() => defineMetric({ ...accuracy, name: 'MyAccuracy' })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`name\` option of defineMetric must be snake_case. Got 'MyAccuracy'.]`,
    );
  });
});
