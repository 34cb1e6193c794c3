import { describe, expect, it } from 'vitest';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { defaultMetrics, defineMetric, metricRegistry, metricsFor } from '../../src/metrics/registry.js';
import { failure } from '../helpers/failure.js';

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
    const texts = bad.map((definition) => failure(() => defineMetric(definition as unknown as typeof accuracy)));
    expect(texts).toEqual(
      [
        /missing_option.*`combine`/,
        /invalid_option.*`range`.*\[1, 0\]/,
        /invalid_option.*`tasks`.*'ranking'.*place 0/,
        /unknown_option.*`nedes`.*`needs`/,
        /invalid_option.*`target`.* 1 for 'maximize'/,
        /invalid_option.*`target`.*none for 'target'/,
      ].map((part) => expect.stringMatching(part)),
    );
  });

  it('refuses a name that is taken or not snake_case', () => {
    expect(failure(() => defineMetric({ ...accuracy }))).toMatch(/duplicate_name.*'accuracy'/);
    expect(failure(() => defineMetric({ ...accuracy, name: 'MyAccuracy' }))).toMatch(/invalid_option.*`name`/);
  });
});

describe('metricsFor', () => {
  it('finds metrics by name', () => {
    expect(metricsFor(['accuracy', 'roc_auc'], 'binary').map(({ name }) => name)).toEqual(['accuracy', 'roc_auc']);
  });

  it('refuses an unknown metric and names the nearest', () => {
    expect(failure(() => metricsFor(['rocauc'], 'binary'))).toMatch(/unknown_metric.*'rocauc'.*'roc_auc'/);
    expect(failure(() => metricsFor(['sensitivty'], 'binary'))).toMatch(/unknown_metric.*'sensitivty'.*'sensitivity'/);
    expect(failure(() => metricsFor(['gini'], 'binary'))).toMatch(/unknown_metric.*'gini'/);
  });

  it('refuses a metric of another task and lists those of this one', () => {
    expect(failure(() => metricsFor(['mse'], 'binary'))).toMatch(/invalid_option.*'mse'/);
    expect(failure(() => metricsFor(['roc_auc'], 'regression'))).toMatch(/invalid_option.*'roc_auc'/);
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
