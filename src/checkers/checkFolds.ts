import type { Severity } from '../core/checkOutcome.js';
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import {
  anything,
  arrayLike,
  type InputOf,
  integer,
  type OptionsOf,
  optionTable,
  rejectUnusedOption,
} from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { refuseKerasLabels } from '../data/asInKeras.js';
import { featureNamesOption } from '../data/featureNames.js';
import { joinRows } from '../data/joinRows.js';
import { type Label, type LabelsInput, labelsOf, taskOption } from '../data/labels.js';
import { type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength, checkSideData, patientIdsOf, type SideData } from '../data/sideData.js';
import { provenanceShape } from '../runner/dataOptions.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { bothOrNeither, joinedLabels, joinedLists, labelsOfSets, refuseUnseen, TwoSets } from '../runner/twoSets.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { KFold } from '../splitters/iid/kFold.js';
import { labelsAndOptions, seeded, splitDataOptions } from '../splitters/splitter.js';
import { allLeakageChecks } from './builtInChecks.js';
import { type NearDuplicates, nearDuplicates, nearDuplicatesOf } from './CVL003-near-duplicate/nearDuplicates.js';
import { hierarchicalOf, hierarchyOverlap } from './CVL008-hierarchical/hierarchyOverlap.js';
import type { HierarchicalLeakage } from './CVL008-hierarchical/idsOnBothSides.js';
import {
  assessFeatureTarget,
  type FeatureTargetDetails,
  type FeatureTargetLeakage,
  featureTarget,
  featureTargetOf,
  type TargetFeature,
} from './CVL009-feature-target/featureTarget.js';
import { type Check, type CheckResult, resultOf, runChecks } from './check.js';
import { checkDeclared } from './checkDeclared.js';
import type { CheckerSettings } from './checkerSettings.js';
import { type CheckInput, type CheckParts, checkInput, embeddingsOf } from './checkInput.js';
import { checkShape, declaredShape, featureThresholdOption, seedOption } from './checkOptions.js';
import { levelTexts } from './features/levelTexts.js';
import { LeakageReport } from './leakageReport.js';
import { patientCodes } from './patientCodes.js';
import { acknowledgedIn, namedChecks, onlyOption, RAISING, raiseOnOption } from './raiseOn.js';

const { revealIds: _ofTheChecker, ...foldCheckShape } = checkShape;
const randomState = seedOption.describe('Seed of permutations, and of the folds where `cv` makes none.');
const task = taskOption();

const foldShape = {
  featureNames: featureNamesOption,
  ...splitDataOptions.shape,
  cv: runnerOptions.shape.cvSplitter.optional().describe('Makes the folds to assess; left out, plain shuffled ones.'),
  nSplits: integer({ min: 2 }).default(5).describe('Number of plain folds where `cv` makes none.'),
  randomState,
  task,
  repeatedIds: provenanceShape.repeatedIds,
  ...foldCheckShape,
};

export const checkOptions = optionTable('check', { ...foldShape, only: onlyOption, raiseOn: raiseOnOption });
export type CheckOptions = InputOf<typeof checkOptions>;

export const comprehensiveCheckOptions = optionTable('comprehensiveCheck', {
  ...foldShape,
  featureThreshold: featureThresholdOption,
  raiseOn: raiseOnOption,
});
export type ComprehensiveCheckOptions = InputOf<typeof comprehensiveCheckOptions>;

const NOBODY_NAMED = 'nobody named folds, so these plain shuffled ones were judged, which most people would have used';

export async function check(
  settings: CheckerSettings,
  X: RowsInput,
  y: LabelsInput | CheckOptions | null | undefined,
  input: CheckOptions | undefined,
): Promise<LeakageReport> {
  const [labels, written] = labelsAndOptions<CheckOptions>(y, input);
  return assessed(settings, X, labels, 'check', checkOptions.parse(written));
}

type FoldOptions = Omit<OptionsOf<typeof checkOptions>, 'only'> &
  Partial<Pick<OptionsOf<typeof checkOptions>, 'only'> & Pick<CheckParts, 'featureThreshold'>>;

async function assessed(
  settings: CheckerSettings,
  X: RowsInput,
  y: LabelsInput | undefined,
  owner: string,
  { options, changed }: { readonly options: FoldOptions; readonly changed: ReadonlySet<string> },
  leakage?: readonly Check[],
): Promise<LeakageReport> {
  const { cv, nSplits, task, featureNames, only, raiseOn, embeddings, ...rest } = options;
  const { groups, timestamps, labelEndTimes, coordinates, hierarchy, environment, ...declared } = rest;
  const randomState = rest.randomState ?? freshSeed();
  if (cv && changed.has('nSplits')) rejectUnusedOption(owner, 'nSplits', '`cv` makes the folds');
  const rows = rowsOf(X, 'X', featureNames);
  refuseKerasLabels(y, rows);
  const found = y === undefined ? undefined : labelsOf(y, { task });
  if (found) checkLength(found, rows.length, 'y');
  const data = sideDataOf({ groups, timestamps, labelEndTimes, coordinates, hierarchy, environment }, rows.length);
  if (!cv && rows.length < nSplits) {
    const isOne = rows.length < 2;
    const must = `have at least ${isOne ? 2 : nSplits} rows, of which ${isOne ? '' : `${nSplits} `}folds can be made`;
    const fix = isOne ? '' : 'Set `nSplits` lower, or pass the splitter as `cv`.';
    throw new InvalidDataError(sentence('X', must, phrase(`${rows.length}`), fix));
  }
  const splitter = seeded(cv ?? new KFold({ nSplits, shuffle: true }), randomState);
  const folds = foldsOf(splitter, rows.length, found, data);
  const vectors = embeddingsOf(embeddings, rows.length);
  const parts = { ...declared, X: rows, y: found, data, folds, randomState, embeddings: vectors };
  return reportOf(settings, parts, { owner, only, raiseOn, note: cv ? null : NOBODY_NAMED, leakage });
}

/** What `comprehensiveCheck` gives: the report, and three of its checks by name with the keys of the single checks. */
export interface ComprehensiveCheck {
  readonly report: LeakageReport;
  readonly featureTarget: CheckResult & FeatureTargetLeakage;
  /** `pairs` are the first five. */
  readonly nearDuplicates: CheckResult & NearDuplicates;
  /** `overlapping` names the first five ids of the outermost level that is on both sides. */
  readonly hierarchical: CheckResult & HierarchicalLeakage;
  /** The worst severity of the checks that failed. */
  readonly overallSeverity: Severity;
  readonly recommendations: readonly string[];
}

export async function comprehensiveCheck(
  settings: CheckerSettings,
  X: RowsInput,
  y: LabelsInput | ComprehensiveCheckOptions | null | undefined,
  input: ComprehensiveCheckOptions | undefined,
): Promise<ComprehensiveCheck> {
  const [labels, written] = labelsAndOptions<ComprehensiveCheckOptions>(y, input);
  const parsed = comprehensiveCheckOptions.parse(written);
  let features: readonly TargetFeature[] = [];
  // The evidence shows some features of those that were screened.
  const keeping: Check<FeatureTargetDetails> = {
    ...featureTarget,
    async assess(input) {
      const found = await assessFeatureTarget(input, () => levelTexts(input));
      features = found.features;
      return found.finding;
    },
  };
  const leakage = allLeakageChecks().map((each) => (each.code === keeping.code ? keeping : each));
  const report = await assessed(settings, X, labels, 'comprehensiveCheck', parsed, leakage);
  const { featureThreshold } = parsed.options;
  return {
    report,
    featureTarget: featureTargetOf(resultOf(featureTarget, report.checks), features, featureThreshold),
    nearDuplicates: nearDuplicatesOf(resultOf(nearDuplicates, report.checks)),
    hierarchical: hierarchicalOf(resultOf(hierarchyOverlap, report.checks)),
    overallSeverity: report.severity,
    recommendations: report.recommendations,
  };
}

/** What is there beside the rows, checked; patients who are named in the hierarchy alone are patients all the same. */
export function sideDataOf(sides: { readonly [K in keyof SideData]: SideData[K] | undefined }, n: number): SideData {
  const data: SideData = Object.fromEntries(Object.entries(sides).filter(([, value]) => value !== undefined));
  checkSideData(data, n);
  const ids = patientIdsOf(data);
  if (!ids) return data;
  // A copy that nobody can change is coded once for all checks.
  const groups = Array.isArray(ids) ? Object.freeze(ids.slice()) : ids;
  patientCodes(groups, n, data.groups ? 'groups' : 'hierarchy.patient');
  return { ...data, groups };
}

interface CheckRequest {
  readonly owner: string;
  readonly only: readonly string[] | undefined;
  readonly raiseOn: readonly string[] | undefined;
  readonly note: string | null;
  /** In the place of all. */
  readonly leakage?: readonly Check[] | undefined;
}

async function reportOf(
  { revealIds, verbose, checks }: CheckerSettings,
  parts: CheckParts,
  { owner, only, raiseOn, note, leakage = allLeakageChecks() }: CheckRequest,
): Promise<LeakageReport> {
  const input = checkInput({ ...parts, revealIds });
  checkDeclared(owner, input);
  const all = [...leakage, ...checks];
  const subject = (name: string) => `The \`${name}\` option of ${owner}`;
  const wanted = only ? namedChecks({ subject: subject('only'), names: only }, all) : all;
  // A name that is none is refused before the checks are made.
  if (raiseOn) namedChecks({ subject: subject('raiseOn'), names: raiseOn, others: RAISING }, wanted);
  namedChecks({ subject: subject('acknowledged'), names: Object.keys(input.acknowledged) }, wanted);
  const { results, unused } = acknowledgedIn(owner, input.acknowledged, await runChecks(wanted, input));
  const notes = [...(note === null ? [] : [note]), ...unused].join('; ');
  const report = new LeakageReport(results, input, { all: verbose, note: notes || null });
  if (raiseOn) report.refuse(raiseOn);
  return report;
}

/** See {@link DataLeakageChecker.assess}. Throws {@link InvalidDataError} for another input than that of a run. */
export async function assess({ revealIds, checks }: CheckerSettings, input: CheckInput): Promise<CheckResult[]> {
  if (typeof input?.features !== 'function') {
    throw new InvalidDataError(sentence('The input of `assess`', 'be what `validate` hands to its checker', input));
  }
  return runChecks([...allLeakageChecks(), ...checks], revealIds ? { ...input, revealIds, nameOf: String } : input);
}

export { assessRun, warnAboutFindings } from './assessRun.js';
// Loaded with the checks above: a lazy entry for each would make the first load of a page larger (test/meta/root.test.ts).
export { checkNearDuplicates } from './CVL003-near-duplicate/checkNearDuplicates.js';
export { checkHierarchicalLeakage } from './CVL008-hierarchical/idsOnBothSides.js';
export { checkFeatureTargetLeakage } from './CVL009-feature-target/featureTarget.js';
export { checkPreprocessing, checkPreprocessingLeakage } from './CVL010-preprocessing/assessPreprocessing.js';

// Every check on one training and one test set: what `checkCvSplits` of `DataLeakageChecker` does.

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

export async function checkCvSplits(
  settings: CheckerSettings,
  XTrain: RowsInput,
  XTest: RowsInput,
  input: CheckCvSplitsOptions,
): Promise<LeakageReport> {
  const o = checkCvSplitsOptions.resolve(input);
  const { owner } = checkCvSplitsOptions;
  const [train, test] = [rowsOf(XTrain, 'XTrain', o.featureNames), rowsOf(XTest, 'XTest', o.featureNames)];
  const sizes = { train: train.length, test: test.length };
  const lists = <T>(name: string) => {
    const [first, second] = [`${name}Train`, `${name}Test`] as const;
    const parts = o as unknown as Readonly<Record<string, ArrayLike<T> | undefined>>;
    return joinedLists<T>(owner, { [first]: parts[first] }, { [second]: parts[second] }, sizes);
  };
  const both = bothOrNeither(owner, { yTrain: o.yTrain }, { yTest: o.yTest });
  const y = both && labelsOfSets({ yTrain: both[0], yTest: both[1] }, o.task, sizes);
  const sides = {
    groups: lists<Label>('patientIds'),
    timestamps: lists<number | Date | string>('timestamps'),
    labelEndTimes: lists<number | Date | string>('labelEndTimes'),
    coordinates: lists<ArrayLike<number>>('coordinates'),
    hierarchy: joinedHierarchy(o, sizes),
  };
  const data = sideDataOf(sides, sizes.train + sizes.test);
  const { embeddingsTrain, embeddingsTest } = o;
  const vectors = bothOrNeither(owner, { embeddingsTrain }, { embeddingsTest });
  const X = joinRows(train, test);
  if (y) refuseUnseen(y);
  const labels = y && joinedLabels(y);
  const { design, spatialThreshold, notApplicable, independentRows, preparedInside, acknowledged } = o;
  const parts = {
    ...{ design, spatialThreshold, notApplicable, independentRows, preparedInside, acknowledged },
    X,
    y: labels,
    data,
    folds: foldsOf(new TwoSets(sizes), X.length, labels, data),
    trainRows: sizes.train,
    randomState: o.randomState ?? freshSeed(),
    drawnAlike: design === 'iid',
    embeddings: vectors && joinRows(rowsOf(vectors[0], 'embeddingsTrain'), rowsOf(vectors[1], 'embeddingsTest')),
  };
  const note = 'one training and one test set';
  return reportOf(settings, parts, { owner, only: o.only, raiseOn: o.raiseOn, note });
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
      joinedLists<Label | null>(
        'checkCvSplits',
        { [`hierarchyTrain.${level}`]: both[0][level] },
        { [`hierarchyTest.${level}`]: both[1][level] },
        sizes,
      ) as Label[],
    ]),
  );
}
