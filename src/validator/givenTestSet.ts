/** A training and a test set as one data set with one fold. */
import { InvalidDataError, sentence } from '../core/errors.js';
import type { Label, Labels } from '../core/labels.js';
import type { Rows } from '../core/rows.js';
import { checkLength, weightsOf } from '../core/sideData.js';
import type { DataRecord } from '../runner/runOptions.js';
import type { Fold, Splitter } from '../splitters/splitter.js';

interface Part {
  readonly X: Rows;
  readonly y: Labels;
  readonly groups: ArrayLike<Label> | undefined;
  readonly weight: ArrayLike<number> | undefined;
}

/** Labels, groups and weights of both sets one after the other, and the splitter that keeps them apart. */
export function givenTestSet(train: Part, test: Part): { data: Omit<DataRecord, 'X'>; splitter: Splitter } {
  checkLength(train.y, train.X.length, 'yTrain');
  checkLength(test.y, test.X.length, 'yTest');
  const groups = joined(train, test, 'groups', 'testGroups', 'groups', (part) => part.groups);
  const sampleWeight = joined(train, test, 'sampleWeight', 'sampleWeightTest', 'weights', (part) => part.weight);
  if (sampleWeight) weightsOf(sampleWeight, sampleWeight.length);
  const all = Int32Array.from({ length: train.X.length + test.X.length }, (_, row) => row);
  const fold = { id: 'test', train: all.subarray(0, train.X.length), test: all.subarray(train.X.length) };
  return {
    data: {
      y: [...train.y.toArray(), ...test.y.toArray()],
      ...(groups ? { groups } : {}),
      ...(sampleWeight ? { sampleWeight } : {}),
    },
    splitter: new GivenTestSet(fold),
  };
}

class GivenTestSet implements Splitter {
  readonly #fold: Fold;

  constructor(fold: Fold) {
    this.#fold = fold;
  }

  split(): Fold[] {
    return [this.#fold];
  }

  getNSplits(): number {
    return 1;
  }
}

function joined<T>(
  train: Part,
  test: Part,
  trainName: string,
  testName: string,
  what: string,
  read: (part: Part) => ArrayLike<T> | undefined,
): T[] | undefined {
  const [first, second] = [read(train), read(test)];
  if (first === undefined && second === undefined) return undefined;
  if (first === undefined || second === undefined) {
    throw new InvalidDataError(
      sentence('fitValidate', `be given ${what} of both sets or of neither`, {
        text: `only \`${first ? trainName : testName}\``,
      }),
    );
  }
  checkLength(first, train.X.length, trainName);
  checkLength(second, test.X.length, testName);
  return [...Array.from(first), ...Array.from(second)];
}
