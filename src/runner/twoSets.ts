/** A training and a test set as one data set with one fold: the rows of the one, then those of the other. */
import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import {
  type Label,
  type Labels,
  type LabelsInput,
  labelsOf,
  rowNumbers,
  type TaskOption,
  writtenShape,
} from '../data/labels.js';
import type { Fold, Splitter } from '../splitters/splitter.js';
import type { TaskReading } from './session.js';

export interface Sizes {
  readonly train: number;
  readonly test: number;
}

/** One argument by the name that the caller gave it. */
type Named<T> = Readonly<Record<string, T | null | undefined>>;

/** One array for both sets, or undefined when neither has it. One set alone is refused. */
export function joinedLists<T>(
  owner: string,
  train: Named<ArrayLike<T>>,
  test: Named<ArrayLike<T>>,
  sizes: Sizes,
): T[] | undefined {
  const [first, second] = bothOrNeither(owner, train, test) ?? [];
  if (!first || !second) return undefined;
  checkSize(first, sizes.train, Object.keys(train)[0], 'XTrain');
  checkSize(second, sizes.test, Object.keys(test)[0], 'XTest');
  return [...Array.from(first), ...Array.from(second)];
}

/** Both values, undefined when neither was given; one without the other is refused. */
export function bothOrNeither<T>(owner: string, train: Named<T>, test: Named<T>): [T, T] | undefined {
  const [[trainName, first]] = Object.entries(train);
  const [[testName, second]] = Object.entries(test);
  if (first == null && second == null) return undefined;
  if (first != null && second != null) return [first, second];
  const must = `be given both \`${trainName}\` and \`${testName}\`, or neither`;
  throw new InvalidDataError(sentence(owner, must, phrase(`only \`${first == null ? testName : trainName}\``)));
}

interface LabelsOfSets {
  readonly train: Labels;
  readonly test: Labels;
}

export function joinedLabels({ train, test }: LabelsOfSets): Labels {
  const all = labelsOf(joinedValues(train, test), { task: taskOfLabels(train) });
  return { ...all, guessed: train.guessed, why: train.why };
}

/** Masks stay bytes with a shape: as nested lists they would take many times the memory. */
function joinedValues(train: Labels, test: Labels): LabelsInput {
  if (!train.shape) return [...train.toArray(), ...test.toArray()];
  const data = new Uint8Array(train.indicators.length + test.indicators.length);
  data.set(train.indicators);
  data.set(test.indicators, train.indicators.length);
  return { data, shape: [train.length + test.length, ...train.shape] };
}

export function labelsOfSets(
  { yTrain, yTest }: { readonly yTrain: LabelsInput; readonly yTest: LabelsInput },
  task: TaskOption | undefined,
  sizes: Sizes,
  reading: TaskReading = {},
): LabelsOfSets {
  const read = labelsOf(yTrain, { task: reading.task ?? task, name: 'yTrain' });
  const train = { ...read, why: reading.taskWhy ?? read.why };
  const { shape } = train;
  const test = labelsOf(yTest, { task: taskOfLabels(train), name: 'yTest' });
  if (shape?.join() !== test.shape?.join()) {
    const must = `be ${writtenShape(shape)}, as yTrain is`;
    throw new InvalidDataError(sentence('yTest', must, phrase(writtenShape(test.shape))));
  }
  checkSize(train, sizes.train, 'yTrain', 'XTrain');
  checkSize(test, sizes.test, 'yTest', 'XTest');
  return { train, test };
}

export const refuseUnseen = ({ train, test }: LabelsOfSets): void =>
  refuseOtherClasses(test, train.classes, 'be a class that yTrain has', 'yTest');

/** Outcomes by time have events, not classes. */
export function refuseOtherClasses(y: Labels, classes: readonly Label[], must: string, name: string): void {
  const row = y.task === 'survival' ? -1 : y.codes.findIndex((code) => !classes.includes(y.classes[code]));
  if (row < 0) return;
  const got = kindOf(y.classes[y.codes[row]]);
  throw new InvalidDataError(sentence(`${name} row ${row}`, must, got), { code: 'unseen_class' });
}

const taskOfLabels = ({ task }: Labels): TaskOption =>
  task === 'binary' || task === 'multiclass' ? 'classification' : task;

/** The one fold of two sets that stand one after the other. */
export class TwoSets implements Splitter {
  readonly repeatable = true;
  readonly facts = { name: 'two given sets' };
  readonly #fold: Fold;
  readonly #check: (() => void) | undefined;

  /** @param check what is to be refused when the fold is asked for, and not before */
  constructor({ train, test }: Sizes, check?: () => void) {
    this.#check = check;
    const all = rowNumbers(train + test);
    this.#fold = { id: 'test', train: all.subarray(0, train), test: all.subarray(train) };
  }

  split(): Fold[] {
    this.#check?.();
    return [this.#fold];
  }

  getNSplits(): number {
    return 1;
  }
}

/** Every row of the set named `rows` has its value: `X` alone would not say which set. */
export function checkSize({ length }: { readonly length: number }, n: number, name: string, rows: 'XTrain' | 'XTest') {
  if (length === n) return;
  const must = `have as many values as ${rows} has rows, ${n}`;
  throw new InvalidDataError(sentence(name, must, phrase(String(length))), { code: 'length_mismatch' });
}
