import { expect, expectTypeOf, it } from 'vitest';
import type { MetricName } from '../../src/core/knownNames.js';
import { METRIC_NAMES, SPLITTER_NAMES } from '../../src/core/memberNames.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import type { RunnerOptions } from '../../src/runner/runnerOptions.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { methodNames } from '../../src/validator/methods.js';
import type { ValidatorOptions } from '../../src/validator/validatorOptions.js';

it('the lists of known names are those of the registries', () => {
  expect(METRIC_NAMES).toEqual(metricRegistry.names());
  const own = ['patient_grouped_kfold', 'temporal', 'holdout', 'monte_carlo', 'bootstrap'];
  expect([...own, ...SPLITTER_NAMES].sort()).toEqual(methodNames().sort());
});

it('the types let names of one’s own pass, and nothing but names', () => {
  expectTypeOf<string>().toExtend<MetricName>();
  expectTypeOf<number>().not.toExtend<MetricName>();
  expectTypeOf<{ method: 'my_splitter'; metrics: ['my_metric'] }>().toExtend<ValidatorOptions>();
  expectTypeOf<{ method: 5 }>().not.toExtend<ValidatorOptions>();
  expectTypeOf<'my_optimizer'>().toExtend<RunOptions['optimizer']>();
  expectTypeOf<5>().not.toExtend<RunOptions['optimizer']>();
  expectTypeOf<{ backend: 'my_engine'; output: 'y' }>().toExtend<RunnerOptions['adapterOptions']>();
});
