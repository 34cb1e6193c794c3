/** What the methods of `DataLeakageChecker` do: options in, folds made or taken, checks run. Loaded on first use. */

import { type OptionsOf, refuseIdle } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { joinRows } from '../data/joinRows.js';
import { type Label, type LabelsInput, labelsOf } from '../data/labels.js';
import { type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength, checkSideData, patientIdsOf, patientsOf, type SideData } from '../data/sideData.js';
import { bothOrNeither, joinedLabels, joinedLists, labelsOfSets, refuseUnseen, TwoSets } from '../runner/twoSets.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { KFold } from '../splitters/iid/kFold.js';
import { labelsAndOptions, seeded } from '../splitters/splitter.js';
import { refuseIdleThreshold } from './askedOptions.js';
import { featureTargetOf, hierarchicalOf, nearDuplicatesOf } from './asSingleCheck.js';
import { runChecks } from './assessFolds.js';
import { judgeFeatureTarget } from './CVL009-feature-target/featureTarget.js';
import type { CheckResult, Severity } from './check.js';
import { type CheckInput, type CheckParts, checkInput, embeddingsOf } from './checkInput.js';
import { checkDeclared } from './checkOptions.js';
import type { CheckerSettings } from './dataLeakageChecker.js';
import {
  type CheckCvSplitsOptions,
  type CheckOptions,
  type ComprehensiveCheckOptions,
  checkCvSplitsOptions,
  checkOptions,
  comprehensiveCheckOptions,
} from './leakageOptions.js';
import { LeakageReport } from './leakageReport.js';
import { leakageChecks } from './registry.js';
import type { FeatureTargetLeakage, HierarchicalLeakage, NearDuplicates } from './singleChecks.js';

const NOBODY_NAMED = 'nobody named folds, so these plain shuffled ones were judged, which most people would have used';

/** See {@link DataLeakageChecker.check}. */
export async function check(
  settings: CheckerSettings,
  X: RowsInput,
  y: LabelsInput | CheckOptions | null | undefined,
  input: CheckOptions | undefined,
): Promise<LeakageReport> {
  const [given, written] = labelsAndOptions<CheckOptions>(y, input);
  const parsed = checkOptions.parse(written);
  return (await judgedReport(settings, X, given, parsed, { owner: 'check', only: parsed.options.only })).report;
}

interface Parsed {
  readonly options: Omit<OptionsOf<typeof checkOptions>, 'only'>;
  readonly changed: ReadonlySet<string>;
}

async function judgedReport(
  settings: CheckerSettings,
  X: RowsInput,
  y: LabelsInput | undefined,
  { options, changed }: Parsed,
  asked: Asked,
): Promise<Judged> {
  const { cv, nSplits, randomState, task, design, spatialThreshold, embeddings } = options;
  const { notApplicable, independentRows, preparedInside } = options;
  const { featureNames, groups, timestamps, labelEndTimes, coordinates, hierarchy, environment } = options;
  if (cv && changed.has('nSplits')) refuseIdle(asked.owner, 'nSplits', '`cv` makes the folds');
  const rows = rowsOf(X, 'X', featureNames);
  const found = y === undefined ? undefined : labelsOf(y, { task });
  if (found) checkLength(found, rows.length, 'y');
  const data = sideDataOf({ groups, timestamps, labelEndTimes, coordinates, hierarchy, environment }, rows.length);
  const from = randomState ?? freshSeed();
  const folds = foldsOf(seeded(cv ?? new KFold({ nSplits, shuffle: true }), from), rows.length, found, data);
  const declared = { notApplicable, independentRows, preparedInside };
  const about = { X: rows, y: found, data, folds, randomState: from, design, spatialThreshold, ...declared };
  return reportOf(
    settings,
    { ...about, embeddings: embeddingsOf(embeddings, rows.length) },
    asked,
    cv ? null : NOBODY_NAMED,
  );
}

/** What `comprehensiveCheck` gives: the report, and three of its checks by name with the keys of the single checks. */
export interface ComprehensiveCheck {
  readonly report: LeakageReport;
  readonly featureTarget: CheckResult & FeatureTargetLeakage;
  /** `pairs` are the first five. */
  readonly nearDuplicates: CheckResult & NearDuplicates;
  /** `overlapping` names the first five ids of the outermost level that is torn. */
  readonly hierarchical: CheckResult & HierarchicalLeakage;
  /** The worst severity of the checks that failed. */
  readonly overallSeverity: Severity;
  readonly recommendations: readonly string[];
}

/** See {@link DataLeakageChecker.comprehensiveCheck}. */
export async function comprehensiveCheck(
  settings: CheckerSettings,
  X: RowsInput,
  y: LabelsInput | ComprehensiveCheckOptions | null | undefined,
  input: ComprehensiveCheckOptions | undefined,
): Promise<ComprehensiveCheck> {
  const [given, written] = labelsAndOptions<ComprehensiveCheckOptions>(y, input);
  const parsed = comprehensiveCheckOptions.parse(written);
  const { featureThreshold } = parsed.options;
  const asked = { owner: 'comprehensiveCheck', featureThreshold };
  const { report, input: judged } = await judgedReport(settings, X, given, parsed, asked);
  const of = (type: string) => report.checks.find((each) => each.type === type) as CheckResult;
  const featureTarget = of('feature_target');
  // The evidence shows some features; a second look costs little, for their ranks are known.
  const { features } = 'found' in featureTarget.evidence ? await judgeFeatureTarget(judged) : { features: [] };
  return {
    report,
    featureTarget: featureTargetOf(featureTarget, features, featureThreshold),
    nearDuplicates: nearDuplicatesOf(of('near_duplicate')),
    hierarchical: hierarchicalOf(of('hierarchical')),
    overallSeverity: report.severity,
    recommendations: report.recommendations,
  };
}

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
      embeddings: vectors && joinRows(rowsOf(vectors[0], 'embeddingsTrain'), rowsOf(vectors[1], 'embeddingsTest')),
    },
    { owner: 'checkCvSplits', only: o.only },
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

/** What is there beside the rows, checked; patients who are named in the hierarchy alone are patients all the same. */
function sideDataOf(given: { readonly [K in keyof SideData]: SideData[K] | undefined }, n: number): SideData {
  const data: SideData = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  checkSideData(data, n);
  patientsOf(data, n);
  const groups = patientIdsOf(data);
  return groups ? { ...data, groups } : data;
}

/** What a method was asked for, beside its data. */
interface Asked {
  /** The method, for errors. */
  readonly owner: string;
  readonly only?: readonly string[] | undefined;
  readonly featureThreshold?: number;
}

interface Judged {
  readonly report: LeakageReport;
  readonly input: CheckInput;
}

async function reportOf(
  { revealIds, verbose }: CheckerSettings,
  parts: CheckParts,
  { owner, only, featureThreshold }: Asked,
  note: string | null,
): Promise<Judged> {
  refuseIdleThreshold(owner, parts);
  const input = checkInput({ ...parts, revealIds, ...(featureThreshold === undefined ? {} : { featureThreshold }) });
  checkDeclared(owner, input);
  const wanted = leakageChecks.filter(({ type, code }) => !only || only.includes(type) || only.includes(code));
  return { report: new LeakageReport(await runChecks(wanted, input), input, { all: verbose, note }), input };
}

/** See {@link DataLeakageChecker.judge}. */
export const judge = ({ revealIds }: CheckerSettings, input: CheckInput): Promise<CheckResult[]> =>
  runChecks(leakageChecks, revealIds ? { ...input, revealIds, nameOf: String } : input);
