/** A training and a test set as one data set with one fold. */
import { InvalidDataError, sentence } from '../core/errors.js';
import { joinRows } from '../core/joinRows.js';
import { type Label, type Labels, labelsOf, type Task } from '../core/labels.js';
import type { OptionsOf } from '../core/options.js';
import { rowsOf } from '../core/rows.js';
import { checkLength, weightsOf } from '../core/sideData.js';
import { auxiliaryLabels, oneOfTwo } from '../runner/readData.js';
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
  checkLength(trainY, sizes.train, 'yTrain');
  checkLength(testY, sizes.test, 'yTest');
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
  const all = Int32Array.from({ length: sizes.train + sizes.test }, (_, row) => row);
  const auxiliary = o.auxiliary && auxiliaryLabels(o.auxiliary, sizes.train);
  return {
    data: {
      X: joinRows(trainX, testX),
      y: [...trainY.toArray(), ...testY.toArray()],
      ...(auxiliary ? { auxiliary: forAllRows(auxiliary, all) } : {}),
      ...(groups ? { groups } : {}),
      ...(sampleWeight ? { sampleWeight } : {}),
    },
    splitter: new GivenTestSet({ id: 'test', train: all.subarray(0, sizes.train), test: all.subarray(sizes.train) }),
    task: trainY.task,
    masks: trainY.shape !== undefined,
  };
}

/** The labels of the test set, read as those of the training set are. A class that training never saw is refused. */
function testLabels(yTest: unknown, { task, classes, shape }: Labels): Labels {
  const labels = labelsOf(yTest, {
    task: task === 'binary' || task === 'multiclass' ? 'classification' : task,
    name: 'yTest',
  });
  if (shape?.join() !== labels.shape?.join()) {
    const written = (of = shape) => (of ? `masks of ${of.join(' x ')}` : 'one list of 0 and 1 per row');
    throw new InvalidDataError(sentence('yTest', `be ${written()}, as yTrain is`, { text: written(labels.shape) }));
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
const forAllRows = (auxiliary: Readonly<Record<string, Labels>>, all: Int32Array): Record<string, Labels> =>
  Object.fromEntries(
    Object.entries(auxiliary).map(([output, labels]) => [
      output,
      labels.take(all.map((row) => (row < labels.length ? row : 0))),
    ]),
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
  checkLength(first, sizes.train, trainName);
  checkLength(second, sizes.test, testName);
  return [...Array.from(first), ...Array.from(second)];
}
