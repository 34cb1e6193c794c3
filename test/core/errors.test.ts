import { readFile, rename } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { errorOf, errorRecord } from '../../src/core/errorRecord.js';
import {
  AdapterError,
  CVKitError,
  FoldError,
  InfeasibleSplitError,
  InvalidDataError,
  InvalidOptionError,
  kindOf,
  LeakageError,
  MissingPackageError,
  messageOf,
  nearest,
  phrase,
  sentence,
  show,
  suggestion,
  threw,
} from '../../src/core/errors.js';
import { METRIC_NAMES } from '../../src/core/memberNames.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

describe('the error classes', () => {
  const cause = new Error('below');
  it.each([
    ['cvkit', new CVKitError('m', { cause })],
    ['invalid_option', new InvalidOptionError('m', { cause })],
    ['invalid_data', new InvalidDataError('m', { cause })],
    ['infeasible_split', new InfeasibleSplitError('m', { cause })],
    ['missing_package', new MissingPackageError('p', 'This', 'npm i p', cause)],
    ['adapter', new AdapterError('m', { cause })],
    ['fold', new FoldError('fold-1', cause)],
    ['leakage', new LeakageError('m', { cause: Object.assign(cause, { checks: [], summary: () => '' }) })],
  ])('%s: a CVKitError with its code, its own name and its cause', (code, error) => {
    expect(error).toBeInstanceOf(CVKitError);
    expect(error).toBeInstanceOf(Error);
    expect(error.code).toBe(code);
    expect(error.name).toBe(error.constructor.name);
    expect(error.cause).toBe(cause);
  });

  it('take a finer code, and have no cause when none was passed', () => {
    expect(new InvalidDataError('m', { code: 'ragged_rows' }).code).toBe('ragged_rows');
    expect(Object.hasOwn(new CVKitError('m'), 'cause')).toBe(false);
  });

  it('FoldError names the fold and keeps the code of what went wrong', () => {
    const error = new FoldError('repeat-1_fold-0', new AdapterError('The model broke.', { code: 'not_finite' }));
    expect(error.message).toBe('Fold repeat-1_fold-0 failed: The model broke.');
    expect(error.foldId).toBe('repeat-1_fold-0');
    expect(error.code).toBe('not_finite');
    expect(new FoldError('fold-1', 'text').message).toBe('Fold fold-1 failed: text');
  });
});

describe('sentence', () => {
  it('says must, got, and at most one way out', () => {
    expect(sentence('The `nSplits` option of KFold', 'be an integer >= 2', 1)).toBe(
      'The `nSplits` option of KFold must be an integer >= 2. Got 1.',
    );
    expect(sentence('X', 'have rows', phrase('none'), 'Use more data instead.')).toBe(
      'X must have rows. Got none. Use more data instead.',
    );
  });

  it('takes no object of the caller for words of ours', () => {
    expect(sentence('X', 'be rows', { text: 'a' })).toBe('X must be rows. Got an object with the keys text.');
    expect(sentence('X', 'be rows', { words: 'a' })).toBe('X must be rows. Got an object with the keys words.');
    expect(() => new KFold({ nSplits: { text: 'x' } } as never)).toThrow(
      'The `nSplits` option of KFold must be an integer >= 2. Got an object with the keys text.',
    );
  });
});

describe('show', () => {
  class Scanner {}
  it.each<[unknown, string]>([
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'true'],
    [7n, '7n'],
    ['yes', "'yes'"],
    ['x'.repeat(61), `'${'x'.repeat(30)}…${'x'.repeat(29)}'`],
    [[1, 'a', null], "[1, 'a', null]"],
    [[1, 2, 3, 4, 5, 6, 7], 'an array of length 7'],
    [[[1], [2]], 'an array of length 2'],
    [[], '[]'],
    [new Float32Array(3), 'a Float32Array of length 3'],
    [new Date('2026-01-02T03:04:05Z'), '2026-01-02T03:04:05.000Z'],
    [new Date(Number.NaN), 'an invalid Date'],
    [{}, 'an empty object'],
    [{ a: 1, b: 2 }, 'an object with the keys a, b'],
    [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }, 'an object with the keys a, b, c, d, e, f, ...'],
    [JSON.parse(JSON.stringify(new Float64Array(3))), 'an object with the keys 0, 1, 2'],
    [new Scanner(), 'an object of class Scanner'],
    [new Map(), 'an object of class Map'],
    [Math.max, 'the function max'],
    [() => 1, 'a function'],
    [Symbol('s'), 'Symbol(s)'],
    [new DataView(new ArrayBuffer(8)), 'a DataView of 8 bytes'],
  ])('%o', (value, picture) => {
    expect(show(value)).toBe(picture);
  });
});

it.each<[unknown, string]>([
  ['Jane Doe, 1954-02-03', 'a string'],
  ['', 'an empty string'],
  [61.5, 'a number above 0, with decimals'],
  [-3, 'a number below 0'],
  [0, '0'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [null, 'null'],
  [undefined, 'undefined'],
  [true, 'a boolean'],
  [7n, 'a bigint'],
  [new Date(0), 'a Date'],
  [new Date(Number.NaN), 'an invalid Date'],
  [[52.5, 13.4], 'an array of length 2'],
  [{ name: 'Jane' }, 'an object with the keys name'],
])('kindOf %o', (value, kind) => {
  expect(sentence('It', 'be safe', kindOf(value))).toBe(`It must be safe. Got ${kind}.`);
});

describe('nearest', () => {
  const names = ['nSplits', 'shuffle', 'randomState', 'nRepeats'];
  it.each([
    ['nSplit', 'nSplits'],
    ['n_splits', 'nSplits'],
    ['NSPLITS', 'nSplits'],
    ['shufle', 'shuffle'],
    ['random_sate', 'randomState'],
    ['windowSize', undefined],
    ['', undefined],
  ])('%s -> %s', (name, expected) => {
    expect(nearest(name, names)).toBe(expected);
  });

  it.each([
    ['auc', 'roc_auc'],
    ['brier_score', 'brier'],
    ['macc', 'mcc'],
    ['rocauc', 'roc_auc'],
  ])('of metrics %s -> %s', (name, expected) => {
    expect(nearest(name, METRIC_NAMES)).toBe(expected);
  });

  it('looks at no name that is far too long', () => {
    const start = performance.now();
    expect(nearest('n'.repeat(10_000_000), names)).toBeUndefined();
    expect(suggestion('n'.repeat(10_000_000), names)).toMatch(/^Known: /);
    expect(performance.now() - start).toBeLessThan(200);
    expect(() => new KFold({ ['n'.repeat(10_000_000)]: 1 } as never)).toThrow(/^KFold has no option `n{30}…n{29}`\. /);
  });

  it('takes the first of equals', () => expect(nearest('ab', ['aa', 'bb'])).toBe('aa'));
});

it('suggestion names what is near, else what is known', () => {
  expect(suggestion('acuracy', ['accuracy', 'f1'])).toBe("Did you mean 'accuracy'?");
  expect(suggestion('something', ['accuracy', 'f1'])).toBe('Known: accuracy, f1.');
});

describe('threw', () => {
  const tell = threw('The `f` function', 'return a number', 'f_failed');

  it('says whose error it was and keeps it as the cause', () => {
    const cause = new TypeError('boom');
    const told = { name: 'AdapterError', code: 'f_failed', cause };
    expect(() => tell(cause)).toThrow(expect.objectContaining(told));
    expect(() => tell('text')).toThrow('The `f` function must return a number. It threw: text');
    expect(() => threw('X', 'be there', 'gone', InvalidDataError)(cause)).toThrow(InvalidDataError);
  });

  it('lets errors of cvkit and aborts pass', () => {
    for (const error of [new InvalidDataError('own'), AbortSignal.abort().reason]) {
      expect(() => tell(error)).toThrow(error);
    }
  });
});

describe('messageOf', () => {
  it('says what the file system refused without the path, which may name a patient', async () => {
    for (const work of [() => readFile('Meier-Xaver/a'), () => rename('Meier-Xaver/a', 'Meier-Xaver/b')]) {
      const error = await work().catch((thrown) => thrown);
      expect(error.message).toContain('Meier');
      expect(messageOf(error)).toBe('ENOENT: no such file or directory');
    }
  });

  it('reads errors and anything else that was thrown', () => {
    expect(messageOf(new Error('a'))).toBe('a');
    expect(messageOf('b')).toBe('b');
    expect(messageOf(undefined)).toBe('undefined');
  });
});

describe('an error', () => {
  it.each([CVKitError, InvalidDataError, AdapterError])('takes null for no facts: %o', (Kind) => {
    expect(new Kind('a', null).code).toBe(new Kind('a').code);
    expect(new Kind('a', { code: 'own' }).code).toBe('own');
  });

  it('names a file beside its message, also when it comes back from a thread', () => {
    const error = new InvalidDataError('A file is none.', { file: 'Meier.png' });
    expect(errorOf(errorRecord(error))).toMatchObject({
      code: 'invalid_data',
      file: 'Meier.png',
      message: error.message,
    });
  });
});
