import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { methodNames, splitterOf } from '../../src/validator/methods.js';
import { validatorOptions } from '../../src/validator/validatorOptions.js';

const options = validatorOptions.resolve({});
const make = (method: string, written: string[] = []) => splitterOf(method, options, new Set(written));

describe('splitterOf', () => {
  it('passes the validator’s own defaults on explicitly', () => {
    expect(make('stratified_kfold')).toMatchObject({ options: { nSplits: 5, shuffle: true, randomState: 42 } });
    expect(make('repeated_kfold')).toMatchObject({ options: { nSplits: 5, nRepeats: 1, randomState: 42 } });
    expect(make('holdout')).toMatchObject({ options: { testSize: 0.2, stratify: false, randomState: 42 } });
  });

  it('drops the seed of the folds where nothing is drawn, so that it serves training alone', () => {
    const still = validatorOptions.resolve({ shuffle: false, randomState: 7 });
    expect(splitterOf('kfold', still, new Set(['shuffle', 'randomState']))).toMatchObject({
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
  const REQUIRED: Record<string, object> = {
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

  it('makes a splitter that works for every name it lists, the same from the same seed', () => {
    expect(methodNames().length).toBeGreaterThan(30);
    for (const method of methodNames()) {
      const made = () =>
        splitterOf(
          method,
          validatorOptions.resolve({ splitterOptions: REQUIRED[method] ?? {} }),
          new Set(['splitterOptions']),
        );
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
    const options = validatorOptions.resolve(own);
    const made = (method: string) => splitterOf(method, options, new Set());
    expect(made('lpocv')).toMatchObject({ options: { p: 3 } });
    expect(made('monte_carlo')).toMatchObject({ options: { nIterations: 7, testSize: 0.3, randomState: 42 } });
    expect(made('bootstrap')).toMatchObject({ options: { nIterations: 9, estimator: '.632', randomState: 42 } });
    expect(make('monte_carlo')).toMatchObject({ options: { nIterations: 50, testSize: 0.2 } });
    expect(make('bootstrap')).toMatchObject({ options: { nIterations: 200, estimator: 'standard' } });
    expect(make('lpocv')).toMatchObject({ options: { p: 2 } });
  });

  it('hands `splitterOptions` on, over what it would pass itself', () => {
    const options = validatorOptions.resolve({ splitterOptions: { nSplits: 3, embargo_size: 0.1 } });
    const made = splitterOf('purged_kfold_cv', options, new Set(['splitterOptions']));
    expect(made).toMatchObject({ options: { nSplits: 3, embargoSize: 0.1 } });
    const still = validatorOptions.resolve({ splitterOptions: { shuffle: false } });
    expect(splitterOf('patient_grouped_kfold', still, new Set(['splitterOptions']))).toMatchObject({
      options: { shuffle: false, randomState: null },
    });
    const repeats = validatorOptions.resolve({ nRepeats: 4 });
    expect(splitterOf('repeated_group_kfold', repeats, new Set(['repeatedKfoldRepeats']))).toMatchObject({
      options: { nRepeats: 4, nSplits: 5, randomState: 42 },
    });
  });

  it('gives the splitters of nested designs its seed', () => {
    expect(make('nested_grouped_cv')).toMatchObject({
      options: {
        outerCv: { options: { nSplits: 5, randomState: 42 } },
        innerCv: { options: { nSplits: 3, randomState: 42 } },
      },
    });
  });

  it('refuses what a method cannot use, what is said twice, and what the splitter refuses', () => {
    const made = (method: string, given: object) => {
      const { options, written } = validatorOptions.parse(given);
      return () => splitterOf(method, options, written);
    };
    expect(made('loocv', { nSplits: 5 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`nSplits\` option of CVKitValidator has no effect: the method 'loocv' does not use it. Leave it out.]`,
    );
    expect(made('kfold', { lpocvP: 2 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`lpocvP\` option of CVKitValidator has no effect: the method 'kfold' does not use it. Leave it out.]`,
    );
    expect(made('kfold', { nSplits: 5, splitterOptions: { n_splits: 4 } })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: CVKitValidator was given the same option under two names, \`nSplits\` and \`splitterOptions.n_splits\`. Use one.]`,
    );
    expect(made('rolling_window_cv', {})).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`windowSize\` option of RollingWindowCV must be an integer >= 1. Got nothing.]`,
    );
    expect(made('kfold', { splitterOptions: { windowSize: 4 } })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: KFold has no option \`windowSize\`. Its options are: nSplits, shuffle, randomState.]`,
    );
    expect(made('rolling_windows', {})).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: There is no method 'rolling_windows'. Did you mean 'rolling_window_cv'?]`,
    );
  });
});
