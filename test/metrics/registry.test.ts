import { describe, expect, it } from 'vitest';
import { messageOf } from '../../src/core/errors.js';
import { accuracy } from '../../src/metrics/accuracy.js';
import { metricsFor } from '../../src/metrics/metricsFor.js';
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
