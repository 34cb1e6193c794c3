/** Every check on one training and one test set: what `checkCvSplits` of `DataLeakageChecker` does. */
import { anything, arrayLike, type InputOf, type OptionsOf, optionTable } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { featureNamesOption } from '../data/featureNames.js';
import { joinRows } from '../data/joinRows.js';
import type { Label, LabelsInput } from '../data/labels.js';
import { taskOption } from '../data/labels.js';
import { type RowsInput, rowsOf } from '../data/rows.js';
import type { SideData } from '../data/sideData.js';
import { bothOrNeither, joinedLabels, joinedLists, labelsOfSets, refuseUnseen, TwoSets } from '../runner/twoSets.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { splitDataOptions } from '../splitters/splitter.js';
import type { CheckerSettings } from './checkerSettings.js';
import { reportOf, sideDataOf } from './checkFolds.js';
import { checkShape, declaredShape, seedOption } from './checkOptions.js';
import type { LeakageReport } from './leakageReport.js';
import { onlyOption, raiseOnOption } from './raiseOn.js';

const ids = (text: string) => arrayLike<Label>('id[]').optional().describe(text);
const { timestamps, labelEndTimes, coordinates, hierarchy } = splitDataOptions.shape;
const labels = anything<LabelsInput>('labels', 'be labels').optional();

export const checkCvSplitsOptions = optionTable('checkCvSplits', {
  featureNames: featureNamesOption,
  yTrain: labels.describe('Labels of the training rows.'),
  yTest: labels.describe('Labels of the test rows.'),
  patientIdsTrain: ids('Patient of each training row.').alias('groupsTrain'),
  patientIdsTest: ids('Patient of each test row.').alias('groupsTest'),
  timestampsTrain: timestamps.describe('Time of each training row.'),
  timestampsTest: timestamps.describe('Time of each test row.'),
  labelEndTimesTrain: labelEndTimes.describe('When the label of each training row is known.'),
  labelEndTimesTest: labelEndTimes.describe('When the label of each test row is known.'),
  coordinatesTrain: coordinates.describe('[x, y] or [lat, lon] of each training row.'),
  coordinatesTest: coordinates.describe('[x, y] or [lat, lon] of each test row.'),
  hierarchyTrain: hierarchy.describe('Ids of each training row per level, outermost first.'),
  hierarchyTest: hierarchy.describe('Ids of each test row per level, outermost first.'),
  task: taskOption(),
  randomState: seedOption,
  only: onlyOption,
  raiseOn: raiseOnOption,
  ...declaredShape,
  design: checkShape.design,
  spatialThreshold: checkShape.spatialThreshold,
  embeddingsTrain: checkShape.embeddings.describe("A model's vectors of the training rows."),
  embeddingsTest: checkShape.embeddings.describe("A model's vectors of the test rows."),
});
export type CheckCvSplitsOptions = InputOf<typeof checkCvSplitsOptions>;

/** See {@link DataLeakageChecker.checkCvSplits}. */
export async function checkCvSplits(
  settings: CheckerSettings,
  XTrain: RowsInput,
  XTest: RowsInput,
  input: CheckCvSplitsOptions,
): Promise<LeakageReport> {
  const o = checkCvSplitsOptions.resolve(input);
  const [train, test] = [rowsOf(XTrain, 'XTrain', o.featureNames), rowsOf(XTest, 'XTest', o.featureNames)];
  const sizes = { train: train.length, test: test.length };
  const lists = <T>(name: string) => {
    const [first, second] = [`${name}Train`, `${name}Test`] as const;
    const given = o as unknown as Readonly<Record<string, ArrayLike<T> | undefined>>;
    return joinedLists<T>('checkCvSplits', { [first]: given[first] }, { [second]: given[second] }, sizes);
  };
  const both = bothOrNeither('checkCvSplits', { yTrain: o.yTrain }, { yTest: o.yTest });
  const y = both && labelsOfSets({ yTrain: both[0], yTest: both[1] }, o.task, sizes);
  const data = sideDataOf(
    {
      groups: lists<Label>('patientIds'),
      timestamps: lists<number | Date | string>('timestamps'),
      labelEndTimes: lists<number | Date | string>('labelEndTimes'),
      coordinates: lists<ArrayLike<number>>('coordinates'),
      hierarchy: joinedHierarchy(o, sizes),
    },
    sizes.train + sizes.test,
  );
  const vectors = bothOrNeither(
    'checkCvSplits',
    { embeddingsTrain: o.embeddingsTrain },
    { embeddingsTest: o.embeddingsTest },
  );
  const X = joinRows(train, test);
  if (y) refuseUnseen(y);
  const labels = y && joinedLabels(y);
  const { report } = await reportOf(
    settings,
    {
      X,
      y: labels,
      data,
      folds: foldsOf(new TwoSets(sizes), X.length, labels, data),
      trainRows: sizes.train,
      randomState: o.randomState ?? freshSeed(),
      design: o.design,
      drawnAlike: o.design === 'iid',
      spatialThreshold: o.spatialThreshold,
      notApplicable: o.notApplicable,
      independentRows: o.independentRows,
      preparedInside: o.preparedInside,
      acknowledged: o.acknowledged,
      embeddings: vectors && joinRows(rowsOf(vectors[0], 'embeddingsTrain'), rowsOf(vectors[1], 'embeddingsTest')),
    },
    { owner: 'checkCvSplits', only: o.only, raiseOn: o.raiseOn },
    'one training and one test set',
  );
  return report;
}

function joinedHierarchy(
  { hierarchyTrain, hierarchyTest }: OptionsOf<typeof checkCvSplitsOptions>,
  sizes: { train: number; test: number },
): SideData['hierarchy'] {
  const both = bothOrNeither('checkCvSplits', { hierarchyTrain }, { hierarchyTest });
  if (!both) return undefined;
  const levels = new Set(both.flatMap((each) => Object.keys(each)));
  return Object.fromEntries(
    [...levels].map((level) => [
      level,
      joinedLists<Label>(
        'checkCvSplits',
        { [`hierarchyTrain.${level}`]: both[0][level] },
        { [`hierarchyTest.${level}`]: both[1][level] },
        sizes,
      ) as Label[],
    ]),
  );
}
