/** A training and a test set as one data set with one fold. */
import { InvalidDataError, sentence } from '../core/errors.js';
import { joinRows } from '../core/joinRows.js';
import { type Label, type Labels, labelsOf, rowNumbers, type Task, writtenShape } from '../core/labels.js';
import type { OptionsOf } from '../core/options.js';
import { rowsOf } from '../core/rows.js';
import { weightsOf } from '../core/sideData.js';
import { oneOfTwo } from '../runner/readData.js';
import type { DataRecord } from '../runner/runOptions.js';
import type { Fold, Splitter } from '../splitters/splitter.js';
import type { fitValidateOptions } from './validateOptions.js';

/** Rows, labels, groups and weights of both sets one after the other, and the splitter that keeps them apart. */
export function givenTestSet(o: OptionsOf<typeof fitValidateOptions>): {
  data: DataRecord;
  splitter: Splitter;
  task: Task;
  masks: boolean;
} {
  const [trainX, testX] = [rowsOf(o.XTrain, 'XTrain'), rowsOf(o.XTest, 'XTest')];
  const trainY = labelsOf(o.yTrain, { task: o.task, name: 'yTrain' });
  const testY = testLabels(o.yTest, trainY);
  const sizes = { train: trainX.length, test: testX.length };
  checkSize(trainY, sizes.train, 'yTrain', 'XTrain');
  checkSize(testY, sizes.test, 'yTest', 'XTest');
  const groups = joined<Label>(
    { groups: oneOfTwo(o.groups, o.patientIds, '`groups` and `patientIds`') },
    { testGroups: oneOfTwo(o.testGroups, o.testPatientIds, '`testGroups` and `testPatientIds`') },
    sizes,
  );
  const sampleWeight = joined<number>(
    { sampleWeight: o.sampleWeight },
    { sampleWeightTest: o.sampleWeightTest },
    sizes,
  );
  if (sampleWeight) weightsOf(sampleWeight, sampleWeight.length);
  const all = rowNumbers(sizes.train + sizes.test);
  return {
    data: {
      X: joinRows(trainX, testX),
      y: joinedLabels(trainY, testY),
      ...(o.auxiliary ? { auxiliary: auxiliaryForAll(o.auxiliary, sizes.train, all) } : {}),
      ...(groups ? { groups } : {}),
      ...(sampleWeight ? { sampleWeight } : {}),
    },
    splitter: new GivenTestSet({ id: 'test', train: all.subarray(0, sizes.train), test: all.subarray(sizes.train) }),
    task: trainY.task,
    masks: trainY.shape !== undefined,
  };
}

/** The labels of both sets. Masks stay bytes with a shape: as nested lists they would take many times the memory. */
function joinedLabels(train: Labels, test: Labels): DataRecord['y'] {
  if (!train.shape) return [...train.toArray(), ...test.toArray()];
  const data = new Uint8Array(train.indicators.length + test.indicators.length);
  data.set(train.indicators);
  data.set(test.indicators, train.indicators.length);
  return { data, shape: [train.length + test.length, ...train.shape] };
}

/** The labels of the test set, read as those of the training set are. A class that training never saw is refused. */
function testLabels(yTest: unknown, { task, classes, shape }: Labels): Labels {
  const labels = labelsOf(yTest, {
    task: task === 'binary' || task === 'multiclass' ? 'classification' : task,
    name: 'yTest',
  });
  if (shape?.join() !== labels.shape?.join()) {
    throw new InvalidDataError(
      sentence('yTest', `be ${writtenShape(shape)}, as yTrain is`, { text: writtenShape(labels.shape) }),
    );
  }
  if (task === 'regression' || task === 'multilabel') return labels;
  const unseen = labels.codes.findIndex((code) => !classes.includes(labels.classes[code]));
  if (unseen < 0) return labels;
  throw new InvalidDataError(
    sentence(`yTest row ${unseen}`, 'be a class that yTrain has', labels.classes[labels.codes[unseen]]),
    { code: 'unseen_class' },
  );
}

/** Targets as long as the data. Nothing reads those of the test rows, in whose place is that of the first row. */
const auxiliaryForAll = (auxiliary: Readonly<Record<string, unknown>>, n: number, all: Int32Array) =>
  Object.fromEntries(
    Object.entries(auxiliary).map(([output, given]) => {
      const name = `auxiliary.${output}`;
      const labels = labelsOf(given, { name });
      checkSize(labels, n, name, 'XTrain');
      return [output, labels.take(all.map((row) => (row < n ? row : 0)))];
    }),
  );

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

/** Every row of the set named `rows` has its value: `X` alone would not say which set. */
function checkSize({ length }: { readonly length: number }, n: number, name: string, rows: 'XTrain' | 'XTest'): void {
  if (length === n) return;
  throw new InvalidDataError(
    sentence(name, `have as many values as ${rows} has rows, ${n}`, { text: String(length) }),
    { code: 'length_mismatch' },
  );
}

type Named<T> = Readonly<Record<string, ArrayLike<T> | undefined>>;

/** One array for both sets, or undefined when neither has it. */
function joined<T>(train: Named<T>, test: Named<T>, sizes: { train: number; test: number }): T[] | undefined {
  const [[trainName, first]] = Object.entries(train);
  const [[testName, second]] = Object.entries(test);
  if (first === undefined && second === undefined) return undefined;
  if (first === undefined || second === undefined) {
    throw new InvalidDataError(
      sentence('fitValidate', `be given both \`${trainName}\` and \`${testName}\`, or neither`, {
        text: `only \`${first ? trainName : testName}\``,
      }),
    );
  }
  checkSize(first, sizes.train, trainName, 'XTrain');
  checkSize(second, sizes.test, testName, 'XTest');
  return [...Array.from(first), ...Array.from(second)];
}
