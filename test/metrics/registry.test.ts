import { describe, expect, it } from 'vitest';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { defaultMetrics, metricsFor } from '../../src/metrics/metricsFor.js';
import { defineMetric, metricRegistry } from '../../src/metrics/registry.js';

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
});

describe('metricsFor', () => {
  it('finds metrics by name', () => {
    expect(metricsFor(['accuracy', 'roc_auc'], 'binary').map(({ name }) => name)).toEqual(['accuracy', 'roc_auc']);
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
