/** The original interface, callable by callable: names, aliases, defaults; `generate` writes the order of arguments from it. Source: test/reference/originalInterface.py. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  balanceCheckerOptions,
  checkClassBalanceOptions,
} from '../../src/checkers/CVB001-class-balance/balanceOptions.js';
import { dataLeakageCheckerOptions } from '../../src/checkers/checkerSettings.js';
import { calculateAllOptions, clinicalMetricsOptions } from '../../src/clinical/clinicalMetrics.js';
import { snakeCase } from '../../src/core/names.js';
import type { OptionShape, OptionTable } from '../../src/core/options.js';
import * as cvkit from '../../src/index.js';
import { runnerOptions } from '../../src/runner/runnerOptions.js';
import { runOptions } from '../../src/runner/runOptions.js';
import { positionsOf } from '../../src/snake/arguments.js';
import * as snake from '../../src/snake/index.js';
import { isSplitter } from '../../src/splitters/splitter.js';
import { tuningOptions } from '../../src/tuning/tuningOptions.js';
import { fitValidateOptions, validateOptions } from '../../src/validator/validateOptions.js';
import { validatorOptions } from '../../src/validator/validatorOptions.js';

interface Parameter {
  readonly name: string;
  readonly required?: true;
  readonly default?: unknown;
}
interface Callable {
  readonly name: string;
  readonly params: readonly Parameter[];
}
interface Original {
  readonly classes: readonly {
    readonly name: string;
    readonly aliases: readonly string[];
    readonly constructor: readonly Parameter[];
    readonly parameter_aliases: Readonly<Record<string, readonly string[]>>;
    readonly methods: readonly Callable[];
  }[];
  readonly splitters: Readonly<
    Record<
      string,
      readonly { readonly name: string; readonly aliases: readonly string[]; readonly params: readonly Parameter[] }[]
    >
  >;
  readonly datasets: readonly string[];
}

const original: Original = JSON.parse(
  readFileSync(new URL('../reference/originalInterface.json', import.meta.url), 'utf8'),
);
const exported = new Map(Object.entries(snake as Record<string, unknown>));
const splitters = Object.values(original.splitters).flat();
/** Option tables by the class or method that takes them. */
const TABLES: Readonly<Record<string, OptionTable<OptionShape>>> = {
  CVKitValidator: validatorOptions,
  'CVKitValidator.validate': validateOptions,
  'CVKitValidator.fit_validate': fitValidateOptions,
  UniversalCVRunner: runnerOptions,
  'UniversalCVRunner.run': runOptions,
  'UniversalCVRunner.run_with_hyperparameter_tuning': tuningOptions,
  DataLeakageChecker: dataLeakageCheckerOptions,
  BalanceChecker: balanceCheckerOptions,
  'BalanceChecker.check_class_balance': checkClassBalanceOptions,
  ClinicalMetrics: clinicalMetricsOptions,
  'ClinicalMetrics.calculate_all': calculateAllOptions,
} as unknown as Readonly<Record<string, OptionTable<OptionShape>>>;

/** Defaults that mean the same and are written otherwise here. */
const LEFT_OUT = ['metrics', 'epochs'];
/** A saved model needs none: new here. */
const WITHOUT_TRAINING = ['X_train', 'y_train'];

function differences(
  table: OptionTable<OptionShape>,
  params: readonly Parameter[],
  first: readonly string[] = [],
): string[] {
  const rows = new Map(table.rows().map((row) => [row.spec_name, row]));
  return params.flatMap(({ name, required, default: value }) => {
    if (first.includes(name)) return [];
    const row = rows.get(snakeCase(table.canonical(name) ?? '')) ?? rows.get(name);
    if (!row) return [`${table.owner} has no option ${name}`];
    if (required)
      return row.required || WITHOUT_TRAINING.includes(name) ? [] : [`${name} of ${table.owner} may be left out`];
    if (value === undefined || LEFT_OUT.includes(name)) return [];
    return Object.is(row.default ?? null, value) || (isEmpty(row.default) === isEmpty(value) && isEmpty(value))
      ? []
      : [`${name} of ${table.owner} is ${row.default} by default, was ${value}`];
  });
}
const OUTER: Readonly<Record<string, unknown>> = {
  NestedGroupedCV: snake.GroupKFold(4),
  NestedTemporalCV: snake.TimeSeriesSplit(4),
};

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

describe('the original interface', () => {
  it('is whole: 5 classes, 30 splitters, 5 data sets', () => {
    expect([original.classes.length, splitters.length, original.datasets.length]).toEqual([5, 30, 5]);
  });

  it.each([...original.classes, ...splitters].map((each) => [each.name, each.aliases] as const))(
    'has %s under its names',
    (name, aliases) => {
      expect(typeof exported.get(name)).toBe('function');
      for (const alias of aliases) expect(exported.get(alias)).toBe(exported.get(name));
    },
  );

  it('has the functions of its data sets', () => {
    for (const name of original.datasets) expect(typeof exported.get(name), name).toBe('function');
  });

  it.each(original.classes.map((each) => [each.name, each] as const))(
    '%s takes its arguments with its defaults',
    (name, row) => {
      expect(differences(TABLES[name], row.constructor)).toEqual([]);
      for (const [option, aliases] of Object.entries(row.parameter_aliases)) {
        for (const alias of aliases) expect(snakeCase(TABLES[name].canonical(alias) ?? '')).toBe(option);
      }
      const Class = exported.get(name) as { prototype: object };
      for (const { name: method, params } of row.methods) {
        expect([method, method in Class.prototype]).toEqual([method, true]);
        const table = TABLES[`${name}.${method}`];
        if (table) expect(differences(table, params, positionsOf(name, method)?.first)).toEqual([]);
      }
    },
  );

  it.each(splitters.map((each) => [each.name, each] as const))(
    '%s takes its options with its defaults',
    (name, { params }) => {
      const { facts } = new Map(Object.entries(cvkit as Record<string, unknown>)).get(name) as {
        facts: { options: OptionTable<OptionShape> };
      };
      expect(differences(facts.options, params)).toEqual([]);
    },
  );

  it.each(splitters.map((each) => [each.name, each] as const))('%s is made by place as by name', (name, { params }) => {
    const make = exported.get(name) as (...args: unknown[]) => { options: Record<string, unknown> };
    const values: Record<string, unknown> = {
      p: 2,
      n_groups: 2,
      window_size: 20,
      outer_cv: OUTER[name] ?? snake.KFold(4),
      inner_cv: OUTER[name] ?? snake.KFold(2),
      shuffle: true,
      random_state: 7,
      buffer_config: { heat: 2 },
      environmental_vars: ['heat'],
      coordinates: [[0, 1]],
      n_splits: 4,
    };
    const args = params.map((each) => values[each.name] ?? each.default);
    const by_name = Object.fromEntries(params.map((each, at) => [each.name, args[at]]));
    const made = make(...args);
    expect({ ...made.options }).toEqual({ ...make(by_name).options });
    expect(Object.keys(made.options)).toEqual(expect.arrayContaining(params.map((each) => each.name)));
    for (const [at, { name: option }] of params.entries()) {
      if (args[at] !== undefined && !isSplitter(args[at]))
        expect([option, made.options[option]]).toEqual([option, args[at]]);
    }
  });
});
