import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { methodNames, splitterOf } from '../../src/validator/methods.js';
import { type ValidatorOptions, validatorOptions } from '../../src/validator/validatorOptions.js';
import { failure } from '../helpers/failure.js';
import { requiredOptions } from '../splitters/examples/index.js';

const make = (method: string, input: ValidatorOptions = {}) => splitterOf(method, validatorOptions.parse(input));

describe('splitterOf', () => {
  it('passes the validator’s own defaults on explicitly', () => {
    expect(make('stratified_kfold')).toMatchObject({ options: { nSplits: 5, shuffle: true, randomState: 42 } });
    expect(make('repeated_kfold')).toMatchObject({ options: { nSplits: 5, nRepeats: 1, randomState: 42 } });
    expect(make('holdout')).toMatchObject({ options: { testSize: 0.2, stratify: false, randomState: 42 } });
  });

  it('drops the seed of the folds where nothing is drawn, so that it serves training alone', () => {
    expect(make('kfold', { shuffle: false, randomState: 7 })).toMatchObject({
      options: { shuffle: false, randomState: null },
    });
  });

  const rows = Array.from({ length: 120 }, (_, row) => row);
  const y = rows.map((row) => row % 2);
  const labels = rows.map((row) => [row % 2, Number(row % 3 === 0)]);
  const side = {
    groups: rows.map((row) => Math.floor(row / 6)),
    timestamps: rows.map((row) => new Date(Date.UTC(2024, 0, 1 + row))),
    coordinates: rows.map((row) => [row % 11, Math.floor(row / 11)]),
    hierarchy: { patient: rows.map((row) => Math.floor(row / 6)) },
    environment: { noise: rows.map((row) => (row * 7) % 13) },
  };
  /** Options that these splitters cannot do without. */
  const REQUIRED: Record<string, Record<string, unknown>> = {
    leave_p_groups_out: { nGroups: 2 },
    multilevel_cv: { level: 'patient' },
    rolling_window_cv: { windowSize: 50 },
    predefined_split: { testFold: y },
    knndm: {
      predictionPoints: [
        [1, 2],
        [3, 4],
      ],
    },
  };

  it('makes a splitter that works for every name it lists, the same from the same seed', { tags: 'slow' }, () => {
    expect(methodNames().length).toBeGreaterThan(30);
    for (const method of methodNames()) {
      const made = () => make(method, { splitterOptions: REQUIRED[method] ?? requiredOptions(method) ?? {} });
      const target = method.startsWith('multilabel') ? labels : y;
      const data =
        method === 'cluster_kfold' || method === 'environmental_health_cv' ? side : { ...side, environment: undefined };
      const plan = () => foldsOf(made(), rows.length, target, data);
      expect(plan().length, method).toBeGreaterThan(0);
      expect(plan().fingerprint, method).toBe(plan().fingerprint);
    }
  });

  it('finds a splitter under its aliases, in snake_case', () => {
    for (const [method, name] of [
      ['leave_one_out', 'LOOCV'],
      ['purged_kfold', 'PurgedKFoldCV'],
      ['kfold_medical', 'KFold'],
      ['time_series_split', 'TimeSeriesSplit'],
      ['temporal', 'TimeSeriesSplit'],
    ]) {
      expect(make(method)).toMatchObject({ facts: { name } });
    }
  });

  it('hands its own options to the methods that they are named after', () => {
    const own = {
      lpocvP: 3,
      monteCarloIterations: 7,
      monteCarloTestSize: 0.3,
      bootstrapValidationIterations: 9,
      bootstrapValidationEstimator: '.632',
    } as const;
    const { lpocvP, monteCarloIterations, monteCarloTestSize, ...bootstrap } = own;
    expect(make('lpocv', { lpocvP })).toMatchObject({ options: { p: 3 } });
    expect(make('monte_carlo', { monteCarloIterations, monteCarloTestSize })).toMatchObject({
      options: { nIterations: 7, testSize: 0.3, randomState: 42 },
    });
    expect(make('bootstrap', bootstrap)).toMatchObject({
      options: { nIterations: 9, estimator: '.632', randomState: 42 },
    });
    expect(make('monte_carlo')).toMatchObject({ options: { nIterations: 50, testSize: 0.2 } });
    expect(make('bootstrap')).toMatchObject({ options: { nIterations: 200, estimator: 'standard' } });
    expect(make('lpocv')).toMatchObject({ options: { p: 2 } });
  });

  it('hands `splitterOptions` on, over what it would pass itself', () => {
    const made = make('purged_kfold_cv', { splitterOptions: { nSplits: 3, embargo_size: 0.1 } });
    expect(made).toMatchObject({ options: { nSplits: 3, embargoSize: 0.1 } });
    expect(make('patient_grouped_kfold', { splitterOptions: { shuffle: false } })).toMatchObject({
      options: { shuffle: false, randomState: null },
    });
    for (const nRepeats of [4, 1]) {
      expect(make('repeated_group_kfold', { nRepeats } as ValidatorOptions)).toMatchObject({
        options: { nRepeats, nSplits: 5, randomState: 42 },
      });
    }
  });

  it('gives the splitters of nested designs its seed', () => {
    expect(make('nested_grouped_cv')).toMatchObject({
      options: {
        outerCv: { options: { nSplits: 5, randomState: 42 } },
        innerCv: { options: { nSplits: 3, randomState: 42 } },
      },
    });
  });

  it('refuses what a method cannot use', () => {
    expect(failure(() => make('kfold', { lpocvP: 3 }))).toMatch(/idle_option.*`lpocvP`/);
  });
});
