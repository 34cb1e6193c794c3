import { describe, expect, it } from 'vitest';
import { CVKitError, InvalidDataError } from '../../src/core/errors.js';
import {
  checkedProbabilities,
  labelsFromProbabilities,
  type ScoreTableInput,
  scoreTable,
} from '../../src/metrics/scoreTable.js';
import { failure } from '../helpers/failure.js';

describe('scoreTable', () => {
  it('codes labels and takes predictions from probabilities', () => {
    const table = scoreTable({ yTrue: ['benign', 'malignant', 'benign'], yProba: [0.2, 0.7, 0.5] });
    expect(table).toMatchObject({ task: 'binary', length: 3, classes: ['benign', 'malignant'], positive: 1 });
    expect(Array.from(table.yPred)).toEqual([0, 1, 0]);
  });

  it('knows the other class of 0/1 and false/true when only one occurs', () => {
    expect(scoreTable({ yTrue: [0, 0], yPred: [0, 0] })).toMatchObject({ classes: [0, 1], positive: 1 });
    expect(scoreTable({ yTrue: [false], yPred: [false] })).toMatchObject({ classes: [false, true], positive: 1 });
  });

  it('takes the other class from the positive label', () => {
    expect(scoreTable({ yTrue: ['b'], yPred: ['b'], positiveLabel: 'a' })).toMatchObject({
      classes: ['a', 'b'],
      positive: 0,
    });
  });

  it('takes the most probable of several classes', () => {
    const yProba = [
      [0.2, 0.5, 0.3],
      [0.6, 0.3, 0.1],
    ];
    const table = scoreTable({ yTrue: [1, 2], classes: [0, 1, 2], yProba });
    expect(table.task).toBe('multiclass');
    expect(Array.from(table.yPred)).toEqual([1, 0]);
  });

  it('clips rounding of probabilities without touching the input', () => {
    const yProba = Float64Array.of(1 + 1e-7, -1e-7);
    expect(Array.from(scoreTable({ yTrue: [1, 0], yProba }).yProba ?? [])).toEqual([1, 0]);
    expect(yProba[0]).toBe(1 + 1e-7);
  });

  const yTrue = [0, 1, 1];
  const bad: [what: string, input: ScoreTableInput][] = [
    ['a probability above 1', { yTrue, yProba: [0.1, 1.2, 0.3] }],
    ['a probability that is NaN', { yTrue, yProba: [0.1, 0.2, Number.NaN] }],
    ['too few predictions', { yTrue, yPred: [0, 1] }],
    ['too few probabilities', { yTrue, yProba: [0.5, 0.5] }],
    ['too few weights', { yTrue, yPred: [0, 1, 1], sampleWeight: [1, 2] }],
    ['a negative weight', { yTrue, yPred: [0, 1, 1], sampleWeight: [1, 2, -1] }],
    [
      'two columns for two classes',
      {
        yTrue,
        yProba: [
          [0.5, 0.5],
          [0.5, 0.5],
          [0.5, 0.5],
        ],
      },
    ],
    [
      'ragged probabilities',
      {
        yTrue: [0, 1, 2],
        yProba: [
          [1, 0, 0],
          [0, 1],
          [0, 0, 1],
        ],
      },
    ],
    [
      'probabilities that do not sum to 1',
      {
        yTrue: [0, 1, 2],
        yProba: [
          [1, 0, 0],
          [0.5, 0.9, 0.1],
          [0, 0, 1],
        ],
      },
    ],
    ['NaN in the truth', { yTrue: [0, Number.NaN, 1], yPred: yTrue }],
    ['NaN in the predictions', { yTrue: [0.5, 1.5], yPred: [0.5, Number.NaN], task: 'regression' }],
    ['an unknown positive label', { yTrue, yPred: yTrue, positiveLabel: 2 }],
    ['a positive label among three classes', { yTrue: [0, 1, 2], yPred: [0, 1, 2], positiveLabel: 2 }],
    ['two strings without a positive label', { yTrue: ['left', 'right'], yPred: ['left', 'left'] }],
    ['a lone class that names no other', { yTrue: ['left', 'left'], yPred: ['left', 'left'] }],
    ['labels of another kind', { yTrue, yPred: ['0', '1', '1'] }],
    ['a label outside the classes', { yTrue, yPred: [0, 1, 2], classes: [0, 1] }],
    ['three classes in a binary task', { yTrue, yPred: [0, 1, 2], task: 'binary' }],
    ['probabilities of a regression', { yTrue: [0.5, 1.5], yProba: [0.5, 0.5] }],
    ['no predictions', { yTrue }],
    ['no rows', { yTrue: [], yPred: [] }],
  ];
  const messageOf = (input: ScoreTableInput) => {
    try {
      scoreTable(input);
      return 'nothing thrown';
    } catch (error) {
      return error instanceof CVKitError ? `${error.code}: ${error.message}` : `not ours: ${error}`;
    }
  };

  it('refuses bad input in one sentence', () => {
    expect(bad.map(([what, input]) => `${what} -> ${messageOf(input)}`).join('\n')).toMatchInlineSnapshot(`
      "a probability above 1 -> invalid_probabilities: yProba row 1 must be a probability from 0 to 1. Got a number above 1.
      a probability that is NaN -> invalid_probabilities: yProba row 2 must be a probability from 0 to 1. Got NaN.
      too few predictions -> length_mismatch: yPred must have 3 rows, as yTrue has. Got 2.
      too few probabilities -> length_mismatch: yProba must have 3 rows, as yTrue has. Got 2.
      too few weights -> length_mismatch: sampleWeight must have as many values as yTrue, 3. Got 2.
      a negative weight -> invalid_data: sampleWeight row 2 must be a finite number >= 0. Got a number below 0.
      two columns for two classes -> invalid_data: yProba row 0 must be one probability of the positive class. Got an array of length 2.
      ragged probabilities -> invalid_data: yProba row 1 must be 3 probabilities, one per class. Got an array of length 2.
      probabilities that do not sum to 1 -> invalid_probabilities: yProba row 1 must have probabilities that sum to 1. Got a number above 1.
      NaN in the truth -> not_finite: yTrue row 1 must be a finite number. Got NaN. Leave that row out.
      NaN in the predictions -> not_finite: yPred row 1 must be a finite number. Got NaN. Leave that row out.
      an unknown positive label -> invalid_option: The \`positiveLabel\` option must be one of the classes 0, 1. Got 2.
      a positive label among three classes -> idle_option: The \`positiveLabel\` option of scoreTable has no effect: the task is multiclass. Leave it out.
      two strings without a positive label -> positive_label: The \`positiveLabel\` option must say which of the classes 'left', 'right' is the positive one. Got nothing.
      a lone class that names no other -> one_class: yTrue must hold two classes or more. Got 'left' alone. Name all of them in \`classes\`.
      labels of another kind -> invalid_data: Predictions and classes must be numbers, as yTrue is. Got a string.
      a label outside the classes -> invalid_data: yPred row 2 must be one of the classes 0, 1. Got a number above 0.
      three classes in a binary task -> invalid_data: The classes of a binary task must be two. Got 3 in yTrue, yPred and \`classes\`.
      probabilities of a regression -> invalid_data: A regression has no \`yProba\`. Use \`yPred\` for its predictions.
      no predictions -> invalid_data: A score needs \`yPred\` or \`yProba\`. Got neither.
      no rows -> invalid_data: yTrue must have at least one value. Got none."
    `);
  });
});

describe('a table of masks', () => {
  it('refuses predictions of another shape with as many pixels', () => {
    const of = (...shape: number[]) => ({ data: new Uint8Array(16), shape }) as never;
    const got = (yPred: never) => failure(() => scoreTable({ yTrue: of(1, 4, 4), yPred }));
    expect([got(of(1, 2, 8)), got(of(1, 16))]).toEqual([
      'invalid_data: yPred must be masks of 4 x 4, as yTrue is. Got masks of 2 x 8.',
      'invalid_data: yPred must be masks of 4 x 4, as yTrue is. Got one list of 0 and 1 per row.',
    ]);
  });
});

describe('checkedProbabilities', () => {
  it('allows rounding, and rows that do not sum to 1 unless asked', () => {
    expect(() => checkedProbabilities([1 + 1e-7, 0.9], 2, 'p', InvalidDataError)).not.toThrow();
    expect(() => checkedProbabilities([0.7, 0.9], 2, 'p', InvalidDataError, true)).toThrow('sum to 1');
    expect(() => checkedProbabilities([0.33333, 0.66666], 2, 'p', InvalidDataError, true)).not.toThrow();
  });
});

describe('labelsFromProbabilities', () => {
  it('needs more than .5 for the positive class and for each of several labels', () => {
    const p = Float64Array.of(0.5, 0.51);
    expect(Array.from(labelsFromProbabilities(p, { task: 'binary', classes: ['x', 'y'], positive: 0 }))).toEqual([
      1, 0,
    ]);
    expect(Array.from(labelsFromProbabilities(p, { task: 'multilabel', classes: [0, 1], positive: -1 }))).toEqual([
      0, 1,
    ]);
  });
});
