import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import type { OptionsOf } from '../core/options.js';
import { refuseKerasLabels } from '../data/asInKeras.js';
import { joinRows } from '../data/joinRows.js';
import { type Label, type Labels, labelsOf } from '../data/labels.js';
import { rowsOf } from '../data/rows.js';
import { type Groups, groupsOf, weightsOf } from '../data/sideData.js';
import type { DataRecord } from '../runner/dataOptions.js';
import { type Problem, sameOrThrow } from '../runner/readData.js';
import type { TaskReading } from '../runner/session.js';
import { checkSize, joinedLabels, joinedLists, labelsOfSets, refuseUnseen, TwoSets } from '../runner/twoSets.js';
import type { Splitter } from '../splitters/splitter.js';
import { LOADED } from './evaluateOptions.js';
import { fitValidateOptions } from './validateOptions.js';

/** Rows, labels, groups and weights of both sets one after the other, and the splitter that keeps them apart. */
export function testSetProblem(
  options: OptionsOf<typeof fitValidateOptions>,
  reading: TaskReading = {},
): { data: DataRecord & { y: Labels }; splitter: Splitter; trainRows: number; unnamed: Problem['unnamed'] } {
  const o = { ...options, XTrain: needed(options, 'XTrain'), yTrain: needed(options, 'yTrain') };
  const [trainX, testX] = [rowsOf(o.XTrain, 'XTrain', o.featureNames), rowsOf(o.XTest, 'XTest', o.featureNames)];
  const sizes = { train: trainX.length, test: testX.length };
  refuseKerasLabels(o.yTrain, trainX, ['yTrain', 'XTrain']);
  refuseKerasLabels(o.yTest, testX, ['yTest', 'XTest']);
  const y = labelsOfSets(o, o.task, sizes, reading);
  const check = () => refuseUnseen(y);
  // Integers that were guessed to be classes may be numbers: the model is asked when there can be no fold.
  if (!y.train.guessed || typeof y.test.classes[0] !== 'number') check();
  const ids = {
    train: sameOrThrow(o.groups, o.patientIds, '`groups` and `patientIds`'),
    test: sameOrThrow(o.testGroups, o.testPatientIds, '`testGroups` and `testPatientIds`'),
  };
  const unnamed = onlyMissing(ids);
  const known = {
    train: ids.train && groupsOf(ids.train, ids.train.length, 'groups'),
    test: ids.test && groupsOf(ids.test, ids.test.length, 'testGroups'),
  };
  const singles = unnamed && singleIds((known.train ?? known.test) as Groups, sizes[unnamed]);
  const groups = joinedLists<Label>(
    'fitValidate',
    { groups: ids.train ?? singles },
    { testGroups: ids.test ?? singles },
    sizes,
  );
  const { sampleWeight: trainWeight, sampleWeightTest: testWeight } = o;
  if (trainWeight) weightsOf(trainWeight, trainWeight.length, 'sampleWeight');
  if (testWeight) weightsOf(testWeight, testWeight.length, 'sampleWeightTest');
  const unweighted = onlyMissing({ train: trainWeight, test: testWeight });
  const ones = unweighted && new Float64Array(sizes[unweighted]).fill(1);
  const sampleWeight = joinedLists<number>(
    'fitValidate',
    { sampleWeight: trainWeight ?? ones },
    { sampleWeightTest: testWeight ?? ones },
    sizes,
  );
  return {
    data: {
      X: joinRows(trainX, testX),
      y: joinedLabels(y),
      ...(o.auxiliary ? { auxiliary: auxiliaryForAll(o.auxiliary, sizes) } : {}),
      ...(groups ? { groups } : {}),
      ...(sampleWeight ? { sampleWeight } : {}),
    },
    splitter: new TwoSets(sizes, check),
    trainRows: sizes.train,
    unnamed,
  };
}

/** The set without a list, where the other set has one. */
function onlyMissing({ train, test }: Readonly<Record<'train' | 'test', unknown>>): Problem['unnamed'] {
  if (!train === !test) return undefined;
  return train ? 'test' : 'train';
}

/** Ids for rows whose patients are not known: each a patient of its own, and none of the other set. */
function singleIds({ ids }: Groups, n: number): Label[] {
  const [first, last] = [ids[0], ids[ids.length - 1]];
  return Array.from({ length: n }, (_, row) => (typeof first === 'number' ? first - 1 - row : `${last} ${row}`));
}

/** Rows to train on may be left out with a saved model alone. */
function needed<K extends 'XTrain' | 'yTrain'>(options: OptionsOf<typeof fitValidateOptions>, name: K) {
  const value = options[name];
  if (value !== undefined) return value;
  const must = `${fitValidateOptions.shape[name].must}, unless \`model\` is what \`loadModel\` gave`;
  const message = sentence(`The \`${name}\` option of fitValidate`, must, phrase('nothing'), LOADED);
  throw new InvalidOptionError(message, { code: 'missing_option' });
}

/** Targets as long as the data. Nothing reads those of the test rows, in whose place is that of the first row. */
const auxiliaryForAll = (
  auxiliary: Readonly<Record<string, unknown>>,
  { train, test }: { train: number; test: number },
) =>
  Object.fromEntries(
    Object.entries(auxiliary).map(([output, values]) => {
      const name = `auxiliary.${output}`;
      const labels = labelsOf(values, { name });
      checkSize(labels, train, name, 'XTrain');
      return [output, labels.take(Int32Array.from({ length: train + test }, (_, row) => (row < train ? row : 0)))];
    }),
  );
