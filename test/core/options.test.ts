import { describe, expect, expectTypeOf, it } from 'vitest';
import { InvalidOptionError } from '../../src/core/errors.js';
import {
  anything,
  arrayLike,
  boolean,
  custom,
  type InputOf,
  integer,
  isPlainObject,
  listOf,
  number,
  type Option,
  type OptionsOf,
  oneOf,
  optionTable,
  randomState,
  rejectUnusedOption,
  seed,
  size,
  string,
} from '../../src/core/options.js';
import { type RandomState, randomSource } from '../../src/core/random.js';

const table = optionTable('Trainer', {
  nSplits: integer({ min: 2 }).default(5).alias('folds').describe('Number of folds.'),
  XTrain: arrayLike<number>('number[]'),
  ciMethod: oneOf('wilson', 'delong').default('wilson'),
  maxSize: integer({ min: 1 }).nullable().default(null),
  note: string().optional(),
});

const X = [1, 2];

function failure(work: () => unknown): InvalidOptionError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOptionError);
    return error as InvalidOptionError;
  }
  throw new Error('nothing was thrown');
}
const message = (work: () => unknown) => failure(work).message;

describe('the types of a table', () => {
  it('what the caller writes: required options, the others if he likes', () => {
    expectTypeOf<InputOf<typeof table>>().toEqualTypeOf<{
      XTrain: ArrayLike<number>;
      nSplits?: number | null | undefined;
      ciMethod?: 'wilson' | 'delong' | null | undefined;
      maxSize?: number | null | undefined;
      note?: string | null | undefined;
    }>();
  });

  it('what the code behind the door gets: every default filled in, read-only', () => {
    expectTypeOf<OptionsOf<typeof table>>().toEqualTypeOf<
      Readonly<{
        XTrain: ArrayLike<number>;
        nSplits: number;
        ciMethod: 'wilson' | 'delong';
        maxSize: number | null;
        note: string | undefined;
      }>
    >();
  });

  it('a default must be a value of the option', () => {
    // @ts-expect-error a string is no integer
    integer().default('five');
    // @ts-expect-error not in the list
    oneOf('a', 'b').default('c');
    expectTypeOf(randomState()).toEqualTypeOf<Option<RandomState>>();
  });
});

describe('resolve', () => {
  it('fills in defaults, leaves optional ones undefined', () => {
    expect(table.resolve({ XTrain: X })).toEqual({
      XTrain: X,
      nSplits: 5,
      ciMethod: 'wilson',
      maxSize: null,
      note: undefined,
    });
  });

  it.each(['nSplits', 'n_splits', 'folds'])('takes the spelling %s', (name) => {
    expect(table.resolve({ XTrain: X, [name]: 3 }).nSplits).toBe(3);
  });

  it('keeps a leading X in snake_case', () => {
    expect(table.resolve({ X_train: X }).XTrain).toBe(X);
  });

  it('gives a frozen object and leaves the input alone', () => {
    const input = Object.freeze({ XTrain: X, n_splits: 3 });
    const options = table.resolve(input);
    expect(Object.isFrozen(options)).toBe(true);
    expect(input).toEqual({ XTrain: X, n_splits: 3 });
  });

  it('reads undefined and null as left out', () => {
    expect(table.resolve({ XTrain: X, nSplits: undefined, n_splits: 4 }).nSplits).toBe(4);
    expect(table.resolve({ XTrain: X, nSplits: null, n_splits: 4 }).nSplits).toBe(4);
    expect(table.resolve({ XTrain: X, nSplits: null, ciMethod: null, maxSize: null, note: null })).toEqual(
      table.resolve({ XTrain: X }),
    );
    expect(optionTable('Fitter', { first: anything('rows').optional() }).resolve({ first: null })).toEqual({
      first: undefined,
    });
    expect(optionTable('Fitter', { nSplits: integer().default(5) }).resolve(null)).toEqual({ nSplits: 5 });
  });

  it('keeps null where it has a meaning of its own', () => {
    const seeded = optionTable('Seeded', {
      randomState: randomState().default(42),
      seed: seed().optional(),
      size: integer().nullable().default(3),
    });
    expect(seeded.resolve({ randomState: null, seed: null, size: null })).toEqual({
      randomState: null,
      seed: null,
      size: null,
    });
  });

  it('refuses null for what is required', () => {
    expect(message(() => table.resolve({ XTrain: null }))).toMatch(/`XTrain`.*null/);
    expect(message(() => optionTable('Fitter', { first: anything('rows', 'be rows') }).resolve({ first: null }))).toBe(
      'The `first` option of Fitter must be rows. Got null.',
    );
    expect(failure(() => table.resolve(null)).code).toBe('missing_option');
  });

  it('takes an object without a prototype', () => {
    expect(table.resolve(Object.assign(Object.create(null), { XTrain: X })).XTrain).toBe(X);
  });

  it('takes an empty table', () => {
    const none = optionTable('LOOCV', {});
    expect(none.resolve()).toEqual({});
    expect(message(() => none.resolve({ nSplits: 5 }))).toMatch(/`nSplits`/);
  });
});

describe('errors at the door', () => {
  it('an unknown option, with the nearest name or all of them', () => {
    const error = failure(() => table.resolve({ XTrain: X, nSplit: 3 }));
    expect(error.code).toBe('unknown_option');
    expect(error.message).toMatch(/`nSplit`.*`nSplits`/);
    expect(message(() => table.resolve({ XTrain: X, colour: 3 }))).toMatch(/`colour`.*XTrain/);
  });

  it('an unknown option even when it is undefined', () => {
    expect(failure(() => table.resolve({ XTrain: X, nSplit: undefined })).code).toBe('unknown_option');
  });

  it('names of Object.prototype are no options', () => {
    expect(failure(() => table.resolve({ XTrain: X, constructor: 3 })).code).toBe('unknown_option');
    expect(table.canonical('toString')).toBeUndefined();
  });

  it('the same option under two names', () => {
    const error = failure(() => table.resolve({ XTrain: X, nSplits: 3, n_splits: 3 }));
    expect(error.code).toBe('duplicate_option');
    expect(error.message).toMatch(/`nSplits`.*`n_splits`/);
  });

  it('a required option that is missing', () => {
    const error = failure(() => table.resolve());
    expect(error.code).toBe('missing_option');
    expect(error.message).toMatch(/`XTrain`/);
  });

  it('a value that is not allowed', () => {
    const error = failure(() => table.resolve({ XTrain: X, nSplits: 1 }));
    expect(error.code).toBe('invalid_option');
    expect(error.message).toMatch(/`nSplits`.*1/);
    expect(message(() => table.resolve({ XTrain: X, ciMethod: 'wald' }))).toMatch(/`ciMethod`.*'delong'.*'wald'/);
    expect(message(() => table.resolve({ XTrain: X, maxSize: 0 }))).toMatch(/`maxSize`.*0/);
  });

  it.each([[[]], [5], ['x'], [new Map()]])('options that are no plain object: %o', (input) => {
    expect(message(() => table.resolve(input))).toMatch(/^The options of Trainer must be one plain object\. Got /);
  });
});

describe('parse', () => {
  it('tells which options the caller wrote, by canonical name', () => {
    const { written, options } = table.parse({ X_train: X, folds: 5, note: undefined });
    expect([...written]).toEqual(['XTrain', 'nSplits']);
    expect(options.nSplits).toBe(5);
  });

  it('tells which of them are other than the default', () => {
    const { changed } = table.parse({ XTrain: X, nSplits: 5, ciMethod: 'delong', maxSize: null });
    expect([...changed]).toEqual(['XTrain', 'ciMethod']);
  });

  it('compares lists and plain objects by what they hold', () => {
    const nested = optionTable('Nested', {
      list: listOf<number>('number', 'be a list', () => true).default([1, 2]),
      record: custom<object>('object', 'be an object', isPlainObject).default({ a: [1], b: Number.NaN }),
      hook: custom<object>('object', 'be an object', () => true).default({}),
    });
    const changed = (input: object) => [...nested.parse(input).changed];
    expect(changed({ list: [1, 2], record: { b: Number.NaN, a: [1] }, hook: {} })).toEqual([]);
    expect(changed({ list: [1, 2, 3], record: { a: [2], b: Number.NaN }, hook: new Map() })).toEqual([
      'list',
      'record',
      'hook',
    ]);
    expect(changed({ record: { a: [1], c: Number.NaN } })).toEqual(['record']);
  });
});

describe('canonical', () => {
  it('finds the name behind every spelling', () => {
    expect(['nSplits', 'n_splits', 'folds', 'X_train', 'none'].map(table.canonical)).toEqual([
      'nSplits',
      'nSplits',
      'nSplits',
      'XTrain',
      undefined,
    ]);
  });
});

describe('rows', () => {
  it('are what api-schema.json shows', () => {
    expect(table.rows()).toEqual([
      {
        name: 'nSplits',
        spec_name: 'n_splits',
        type: 'integer',
        default: 5,
        aliases: ['folds'],
        description: 'Number of folds.',
      },
      { name: 'XTrain', spec_name: 'X_train', type: 'number[]', required: true },
      { name: 'ciMethod', spec_name: 'ci_method', type: "'wilson' | 'delong'", default: 'wilson' },
      { name: 'maxSize', spec_name: 'max_size', type: 'integer | null', default: null },
      { name: 'note', spec_name: 'note', type: 'string' },
    ]);
  });
});

describe('a table written wrongly', () => {
  it('is refused when one spelling stands for two options', () => {
    expect(() => optionTable('Bad', { nSplits: integer(), folds: integer().alias('n_splits') })).toThrow(
      "option table of Bad: 'n_splits' stands for both nSplits and folds",
    );
  });

  it('does not mix up options made from the same one', () => {
    const base = integer();
    base.alias('a').describe('changed').default(3);
    expect([base.aliases, base.description, base.presence]).toEqual([[], '', 'required']);
  });
});

describe('rejectUnusedOption', () => {
  it('says why the option would have no effect', () => {
    const error = failure(() => rejectUnusedOption('KFold', 'randomState', '`shuffle` is false, so nothing is drawn'));
    expect(error.code).toBe('idle_option');
    expect(error.message).toMatch(/`randomState`.*`shuffle`/);
  });
});

// Every kind of option: values it takes, values it refuses, and how the sentence says it.
const NAN = Number.NaN;
const INF = Number.POSITIVE_INFINITY;
const KINDS: [string, Option<unknown>, { must: string; takes: unknown[]; refuses: unknown[] }][] = [
  [
    'integer',
    integer(),
    { must: 'be an integer', takes: [0, -3, 2 ** 53 - 1], refuses: [1.5, '1', NAN, INF, null, 1n] },
  ],
  [
    'integer in a range',
    integer({ min: 1, below: 10 }),
    { must: 'be an integer >= 1 and < 10', takes: [1, 9], refuses: [0, 10] },
  ],
  ['number', number(), { must: 'be a number', takes: [0, -0.5, 1e300], refuses: ['1', NAN, INF, -INF, null, true] }],
  [
    'number in a range',
    number({ above: 0, max: 1 }),
    { must: 'be a number > 0 and <= 1', takes: [1, 1e-9], refuses: [0, 1.001, NAN] },
  ],
  [
    'size',
    size(),
    {
      must: 'be a share between 0 and 1 (both excluded) or a count of rows, an integer >= 1',
      takes: [0.2, 1, 50, 0.999],
      refuses: [0, 1.5, -0.2, NAN, INF, '0.2'],
    },
  ],
  ['boolean', boolean(), { must: 'be true or false', takes: [true, false], refuses: [0, 'true', null] }],
  ['string', string(), { must: 'be a non-empty string', takes: ['a', ' '], refuses: ['', 1, null] }],
  ['oneOf', oneOf('a', 'b'), { must: "be one of 'a', 'b'", takes: ['a', 'b'], refuses: ['c', 'A', '', 0, null] }],
  ['oneOf a single one', oneOf('a'), { must: "be 'a'", takes: ['a'], refuses: ['b'] }],
  [
    'randomState',
    randomState(),
    {
      must: 'be an integer from 0 to 4294967295, a non-empty string, a RandomSource, or null',
      takes: [0, 4294967295, 'ward', null, randomSource(1)],
      refuses: [-1, 1.5, 4294967296, '', NAN, true, {}, Math.random],
    },
  ],
  [
    'seed',
    seed(),
    {
      must: 'be an integer from 0 to 4294967295, a non-empty string, or null',
      takes: [0, 'ward', null],
      refuses: [-1, '', randomSource(1)],
    },
  ],
  [
    'arrayLike',
    arrayLike(),
    {
      must: 'be an array or typed array',
      takes: [[], [1], new Float32Array(2)],
      refuses: ['text', { length: 2 }, new DataView(new ArrayBuffer(8)), null],
    },
  ],
  [
    'listOf',
    listOf<string>('string', 'be a list of names', (value) => typeof value === 'string'),
    { must: 'be a list of names', takes: [[], ['a']], refuses: [['a', 1], 'a', null] },
  ],
  [
    'custom',
    custom<Date>('Date', 'be a Date', (value) => value instanceof Date),
    { must: 'be a Date', takes: [new Date(0)], refuses: [0, null] },
  ],
  ['anything', anything('model'), { must: 'be given', takes: [0, '', {}, () => 1], refuses: [null] }],
  [
    'nullable',
    integer({ min: 2 }).nullable(),
    { must: 'be an integer >= 2, or null', takes: [null, 2], refuses: [1, 'x'] },
  ],
];

it('a list names the entry that is refused; a way out follows when there is one', () => {
  const names = listOf<string>('string', 'be a list of names', (each) => typeof each === 'string');
  const of = (value: unknown) =>
    message(() => optionTable('Owner', { value: names.instead('Use names.') }).resolve({ value }));
  const must = 'The `value` option of Owner must be a list of names. Got';
  expect(of(['a', 1])).toBe(`${must} 1 in place 1. Use names.`);
  expect(of('a')).toBe(`${must} 'a'. Use names.`);
});

it('a way out may depend on what was given', () => {
  const option = integer().instead((got) => (got === 'two' ? 'Use 2.' : undefined));
  const of = (value: unknown) => message(() => optionTable('Owner', { value: option }).resolve({ value }));
  expect(of('two')).toBe("The `value` option of Owner must be an integer. Got 'two'. Use 2.");
  expect(of('three')).toBe("The `value` option of Owner must be an integer. Got 'three'.");
});

describe.each(KINDS)('the kind %s', (_, option, { must, takes, refuses }) => {
  const one = optionTable('Owner', { value: option });

  it.each(takes.map((value) => [value]))('takes %o', (value) => {
    expect(one.resolve({ value }).value).toBe(value);
  });

  it.each(refuses.map((value) => [value]))('refuses %o', (value) => {
    expect(message(() => one.resolve({ value }))).toContain(`The \`value\` option of Owner must ${must}. Got `);
  });

  it('is required until it has a default', () => {
    expect(failure(() => one.resolve({})).code).toBe('missing_option');
    expect(optionTable('Owner', { value: option.optional() }).resolve({})).toEqual({ value: undefined });
  });
});

describe('isPlainObject', () => {
  it.each([[{}], [Object.create(null)], [{ a: 1 }]])('true for %o', (value) => {
    expect(isPlainObject(value)).toBe(true);
  });
  it.each([[[]], [null], [1], ['x'], [() => 1], [new Map()], [new Date()], [new (class Model {})()]])(
    'false for %o',
    (value) => {
      expect(isPlainObject(value)).toBe(false);
    },
  );
});

describe('a table beside another', () => {
  it('says whose an option is that the table beside it has', () => {
    const maker = optionTable('Maker', { nSplits: integer() });
    const table = optionTable('make', { epochs: integer().optional() }, maker);
    expect(() => table.resolve({ n_splits: 3 })).toThrow('make has no option `n_splits`. It is an option of Maker.');
    expect(() => table.resolve({ epoch: 3 })).toThrow('Did you mean `epochs`?');
  });
});
