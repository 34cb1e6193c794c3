/** Arguments by place and by name; messages with the names that the caller writes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CVKitError, FoldError, InvalidOptionError } from '../../src/core/errors.js';
import { bindArguments, snakeCaseMessage, withSnakeErrors } from '../../src/snake/arguments.js';
import * as snake from '../../src/snake/index.js';

const check = { first: ['X', 'y'], options: ['groups', 'timestamps', 'n_splits'] };
const run = { first: [], options: ['model', 'data', 'epochs'] };
const y = [0, 1, 0, 1, 0, 1];
const X = y.map((_, at) => [at]);

describe('arguments', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['required ones alone', [X, [0, 1]], [X, [0, 1]]],
    ['null for all options', [X, [0, 1], null], [X, [0, 1]]],
    ['options by name', [X, [0, 1], { groups: [1, 1] }], [X, [0, 1], { groups: [1, 1] }]],
    ['options by place', [X, [0, 1], [1, 1], [2, 3]], [X, [0, 1], { groups: [1, 1], timestamps: [2, 3] }]],
    ['both', [X, [0, 1], [1, 1], { n_splits: 3 }], [X, [0, 1], { groups: [1, 1], n_splits: 3 }]],
    ['places left out', [X, [0, 1], undefined, null, 4], [X, [0, 1], { timestamps: null, n_splits: 4 }]],
    ['options in the place of y', [X, { groups: [1, 1] }], [X, { groups: [1, 1] }]],
  ])('%s', (_, args, expected) => expect(bindArguments('check', args, check)).toEqual(expected));

  it('of a call by name: one object, also where the first place takes objects', () => {
    expect(bindArguments('run', [{ model: 1, data: 2 }], run)).toEqual([{ model: 1, data: 2 }]);
    expect(bindArguments('run', [{ fit: 1 }, { X, y: [0, 1] }], run)).toEqual([
      { model: { fit: 1 }, data: { X, y: [0, 1] } },
    ]);
    expect(bindArguments('run', [{ fit: 1 }, [X, [0, 1]], { epochs: 3 }], run)).toEqual([
      { model: { fit: 1 }, data: [X, [0, 1]], epochs: 3 },
    ]);
    const data = snake.BalanceChecker().check_class_balance([0, 1, 0, 1]);
    expect(bindArguments('run', [1, data], run)).toEqual([{ model: 1, data }]);
  });

  it('that are too many, by place what has no place, or twice', () => {
    expect(() => bindArguments('check', [X, [0, 1], 1, 2, 3, 4], check)).toThrow(
      'The arguments of check must be at most X, y, groups, timestamps, n_splits. Got 6 by place.',
    );
    expect(() => bindArguments('validate', [() => 1, X], { first: [], options: [] })).toThrow(
      'The arguments of validate must be given by name, in one object: { model: ... }. Got 2 by place.',
    );
    expect(() => bindArguments('check', [X, [0, 1], [1, 1], { groups: [2, 2] }], check)).toThrow(
      'check was given the option `groups` twice, by place and by name.',
    );
    expect(() => bindArguments('check', [X, [0, 1], 1, 2, 3, { nSplits: 2 }], check)).toThrow('twice');
  });

  it('say the same by place and by name, however many there are', () => {
    const values = fc.array(fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer())), { maxLength: 3 });
    fc.assert(
      fc.property(values, (options) => {
        const named = Object.fromEntries(options.map((value, at) => [check.options[at], value]));
        const expected = options.length === 0 ? [X, 1] : [X, 1, named];
        expect(bindArguments('check', [X, 1, ...options], check)).toEqual(expected);
      }),
    );
  });

  it('are not changed', () => {
    const options = Object.freeze({ n_splits: 3 });
    const args = Object.freeze([X, [0, 1], [1, 1], options]) as unknown[];
    bindArguments('check', args, check);
    expect(args).toEqual([X, [0, 1], [1, 1], { n_splits: 3 }]);
  });
});

const model = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 1) });
const rethrown = (error: unknown) =>
  withSnakeErrors('f', [], () => {
    throw error;
  });
const wrongly = <T>(value: unknown) => value as T;

describe('a message', () => {
  const clinical = snake.ClinicalMetrics();
  const fold = (options: object) => () => snake.KFold(wrongly(options));
  const validator = (options: object) => () => snake.CVKitValidator(wrongly(options));
  it.each<[string, () => unknown, string]>([
    ['invalid_option', fold({ n_splits: 1 }), 'The `n_splits` option of KFold must be an integer >= 2. Got 1.'],
    ['unknown_option', fold({ n_split: 5 }), 'KFold has no option `n_split`. Did you mean `n_splits`?'],
    ['unknown_option', fold({ nSplitz: 5 }), 'KFold has no option `nSplitz`. Did you mean `n_splits`?'],
    ['duplicate_option', fold({ nSplits: 5, n_splits: 5 }), '`nSplits` and `n_splits`. Use `n_splits` alone.'],
    ['unknown_option', validator({ qqqqqqqqqqqq: 5 }), 'n_splits'],
    ['idle_option', validator({ method: 'loocv', n_splits: 7 }), 'The `n_splits` option of CVKitValidator has no'],
    // Aliases as they were written.
    [
      'invalid_option',
      validator({ method: 'repeated_kfold', n_repeats: 0 }),
      'The `n_repeats` option of CVKitValidator',
    ],
    ['idle_option', validator({ method: 'kfold', n_repeats: 3 }), 'The `n_repeats` option of CVKitValidator has no'],
    [
      'invalid_option',
      validator({ method: 'repeated_kfold', repeated_kfold_repeats: 0 }),
      'The `repeated_kfold_repeats` option of CVKitValidator must',
    ],
    ['missing_option', () => snake.RollingWindowCV(wrongly({})), 'The `window_size` option of RollingWindowCV must'],
    [
      'unknown_option',
      () => clinical.calculate_all(y, y, wrongly({ y_prob: y })),
      'calculate_all has no option `y_prob`. Did you mean `y_proba`?',
    ],
  ])('names options and calls: %s %#', (code, call, message) => {
    expect(call).toThrow(InvalidOptionError);
    expect(call).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
  });

  it.each<[() => unknown, string]>([
    [() => clinical.calculate_all(y, [0, 1]), 'y_pred must have 6 rows, as y_true has. Got 2.'],
    [() => clinical.calculate_all(y, y, [0, 2, 0, 0, 0, 0]), 'y_proba row 1 must'],
    [() => clinical.calculate_all(y, y, { sample_weight: [-1, 1, 1, 1, 1, 1] }), 'sample_weight row 0'],
    [() => clinical.format_report(wrongly(3)), 'The first argument of format_report must be what `calculate_all`'],
  ])('names arguments: %#', (call, message) => {
    expect(call).toThrow(message);
  });

  it('of a checker names its arguments', async () => {
    const checker = snake.DataLeakageChecker();
    await expect(checker.check_hierarchical_leakage(wrongly(3), [1], [1], [1])).rejects.toThrow('groups_train');
    await expect(snake.BalanceChecker().check_feature_distribution(X, ['a', 'b'])).rejects.toThrow(
      'feature_names must',
    );
  });

  it('of a promise has these names as well', async () => {
    const runner = snake.UniversalCVRunner(snake.KFold(2));
    await expect(runner.run({ model, data: [X, y], epochs: 0, verbose: 0 } as never)).rejects.toThrow(
      /`epochs` option|no option `verbose`/,
    );
    await expect(runner.run({ model, data: [X, y], batch_size: 0 })).rejects.toThrow('The `batch_size` option of run');
    await expect(snake.CVKitValidator().validate(wrongly({ model, X, y, patient_id: y }))).rejects.toThrow(
      'Did you mean `patient_ids`?',
    );
  });

  it('keeps class, code, cause and the place in the stack', () => {
    const cause = new Error('inner `meanValue`');
    const error = new FoldError('fold-0', cause);
    const { stack } = error;
    expect(() => rethrown(error)).toThrow(error);
    expect([error.cause, error.code, error.stack]).toEqual([cause, 'fold', stack]);
    // What another library says is not ours.
    expect(error.message).toBe('Fold fold-0 failed: inner `meanValue`');
    const ours = new FoldError('fold-1', new InvalidOptionError('The `batchSize` option of run must be more.'));
    expect(() => rethrown(ours)).toThrow('Fold fold-1 failed: The `batch_size` option of run must be more.');
    expect(ours.stack).toContain('The `batch_size` option of run must be more.');
    expect(ours.stack).not.toContain('batchSize');
  });

  it('leaves the fields of errors as they are in cvkit, as their types say', async () => {
    const failing = () => ({ fit: () => Promise.reject(new Error('no')), predict: () => [] });
    const runner = snake.UniversalCVRunner(snake.KFold(2), { verbose: 0 });
    const error = await runner.run(failing, [X, y]).catch((thrown) => thrown as snake.FoldError);
    if (!(error instanceof snake.FoldError)) throw error;
    expect(error.foldId).toBe('fold-0');
    // @ts-expect-error the name of cvkit alone
    expect(error.fold_id).toBeUndefined();
  });

  it('of anything else is left alone', () => {
    const other = new TypeError('`nSplits`');
    expect(() => rethrown(other)).toThrow('`nSplits`');
    const plain = new CVKitError("The class 'isHealthy' and hasDisease.");
    expect(() => rethrown(plain)).toThrow("The class 'isHealthy' and hasDisease.");
  });

  it.each([
    ['Use new KFold({ nSplits: 3, randomState: 1 }).', 'Use new KFold({ n_splits: 3, random_state: 1 }).'],
    ["Use `keepModels: 'save'`.", "Use `keep_models: 'save'`."],
    ["Use keepModels: 'memory' or 'save'.", "Use keep_models: 'memory' or 'save'."],
    ['The onEpochEnd hook of Mine must not throw.', 'The on_epoch_end hook of Mine must not throw.'],
    ["The class 'hasDisease': none", "The class 'hasDisease': none"],
    ["Got 'binaryCrossentropy'.", "Got 'binaryCrossentropy'."],
    ["Use { lossFn: 'binaryCrossentropy' }.", "Use { loss_fn: 'binaryCrossentropy' }."],
    ['The options of checkCvSplits must be plain.', 'The options of check_cv_splits must be plain.'],
    ['The rows of XTrain must', 'The rows of X_train must'],
    ['Use keepModels, or `keepModels`.', 'Use keep_models, or `keep_models`.'],
    ['yPred has \'the yPred of yTrue\' and "yPred too".', 'y_pred has \'the yPred of yTrue\' and "yPred too".'],
    ['`readTable` of cvkit/node reads `nSplits`.', '`readTable` of cvkit/node reads `n_splits`.'],
    ['what `toJSON` of one of cvkit/estimators gave', 'what `toJSON` of one of cvkit/estimators gave'],
    ["The caller's yPred and the model's yProba", "The caller's y_pred and the model's y_proba"],
    ['the column yPredicted and ownName', 'the column yPredicted and ownName'],
    ['`XTrain` has 3 rows', '`X_train` has 3 rows'],
    ['a FoldError of UniversalCVRunner', 'a FoldError of UniversalCVRunner'],
  ])('%s', (text, expected) => expect(snakeCaseMessage(text)).toBe(expected));
});
