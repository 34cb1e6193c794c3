/** Arguments by place and by name. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindArguments } from '../../src/snake/arguments.js';
import * as snake from '../../src/snake/index.js';

const check = { first: ['X', 'y'], options: ['groups', 'timestamps', 'n_splits'] };
const run = { first: [], options: ['model', 'data', 'epochs'] };
const X = [[1], [2]];

describe('arguments', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['required ones alone', [X, [0, 1]], [X, [0, 1]]],
    ['null for all options', [X, [0, 1], null], [X, [0, 1]]],
    ['options by name', [X, [0, 1], { groups: [1, 1] }], [X, [0, 1], { groups: [1, 1] }]],
    ['options by place', [X, [0, 1], [1, 1], [2, 3]], [X, [0, 1], { groups: [1, 1], timestamps: [2, 3] }]],
    [
      'options by place, then by name',
      [X, [0, 1], [1, 1], { n_splits: 3 }],
      [X, [0, 1], { groups: [1, 1], n_splits: 3 }],
    ],
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
      'The arguments of validate must be given by name, in one object. Got 2 by place.',
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
