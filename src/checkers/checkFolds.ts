/** Every check on the folds of data: what `check`, `comprehensiveCheck` and `checkCvSplits` of `DataLeakageChecker` do. */

import type { Severity } from '../core/checkOutcome.js';
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { type InputOf, integer, type OptionsOf, optionTable, rejectUnusedOption } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { featureNamesOption } from '../data/featureNames.js';
import { type LabelsInput, labelsOf, taskOption } from '../data/labels.js';
import { type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength, checkSideData, patientIdsOf, patientsOf, type SideData } from '../data/sideData.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { KFold } from '../splitters/iid/kFold.js';
import { labelsAndOptions, seeded, splitDataOptions } from '../splitters/splitter.js';
import { runChecks } from './assessFolds.js';
import { allLeakageChecks } from './builtInChecks.js';
import { type NearDuplicates, nearDuplicates, nearDuplicatesOf } from './CVL003-near-duplicate/nearDuplicates.js';
import { type HierarchicalLeakage, hierarchicalOf, hierarchyOverlap } from './CVL008-hierarchical/hierarchyOverlap.js';
import {
  assessFeatureTarget,
  type FeatureTargetLeakage,
  featureTarget,
  featureTargetOf,
} from './CVL009-feature-target/featureTarget.js';
import { type CheckResult, resultOf } from './check.js';
import type { CheckerSettings } from './checkerSettings.js';
import { type CheckInput, type CheckParts, checkInput, embeddingsOf } from './checkInput.js';
import {
  checkDeclared,
  checkShape,
  featureThresholdOption,
  rejectUnusedThreshold,
  seedOption,
} from './checkOptions.js';
import { LeakageReport } from './leakageReport.js';
import { acknowledgedIn, namedChecks, onlyOption, RAISING, raiseOnOption } from './raiseOn.js';

const { revealIds: _ofTheChecker, ...toldShape } = checkShape;
const randomState = seedOption.describe('Seed of permutations, and of the folds where `cv` makes none.');
const task = taskOption();

const foldShape = {
  featureNames: featureNamesOption,
  ...splitDataOptions.shape,
  cv: runnerOptions.shape.cvSplitter.optional().describe('Makes the folds to assess; left out, plain shuffled ones.'),
  nSplits: integer({ min: 2 }).default(5).describe('Number of plain folds where `cv` makes none.'),
  randomState,
  task,
  ...toldShape,
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

/** See {@link DataLeakageChecker.check}. */
export async function check(
  settings: CheckerSettings,
  X: RowsInput,
  y: LabelsInput | CheckOptions | null | undefined,
  input: CheckOptions | undefined,
): Promise<LeakageReport> {
  const [given, written] = labelsAndOptions<CheckOptions>(y, input);
  const parsed = checkOptions.parse(written);
  const { only, raiseOn } = parsed.options;
  return (await assessedReport(settings, X, given, parsed, { owner: 'check', only, raiseOn })).report;
}

interface Parsed {
  readonly options: Omit<OptionsOf<typeof checkOptions>, 'only' | 'raiseOn'>;
  readonly changed: ReadonlySet<string>;
}

async function assessedReport(
  settings: CheckerSettings,
  X: RowsInput,
  y: LabelsInput | undefined,
  { options, changed }: Parsed,
  asked: Asked,
): Promise<Assessed> {
  const { cv, nSplits, randomState, task, design, spatialThreshold, embeddings } = options;
  const { notApplicable, independentRows, preparedInside, acknowledged } = options;
  const { featureNames, groups, timestamps, labelEndTimes, coordinates, hierarchy, environment } = options;
  if (cv && changed.has('nSplits')) rejectUnusedOption(asked.owner, 'nSplits', '`cv` makes the folds');
  const rows = rowsOf(X, 'X', featureNames);
  const found = y === undefined ? undefined : labelsOf(y, { task });
  if (found) checkLength(found, rows.length, 'y');
  const data = sideDataOf({ groups, timestamps, labelEndTimes, coordinates, hierarchy, environment }, rows.length);
  const from = randomState ?? freshSeed();
  if (!cv && rows.length < nSplits) {
    const isOne = rows.length < 2;
    const must = `have at least ${isOne ? 2 : nSplits} rows, of which ${isOne ? '' : `${nSplits} `}folds can be made`;
    const fix = isOne ? '' : 'Set `nSplits` lower, or pass the splitter as `cv`.';
    throw new InvalidDataError(sentence('X', must, phrase(`${rows.length}`), fix));
  }
  const folds = foldsOf(seeded(cv ?? new KFold({ nSplits, shuffle: true }), from), rows.length, found, data);
  const declared = { notApplicable, independentRows, preparedInside, acknowledged };
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
  /** `overlapping` names the first five ids of the outermost level that is on both sides. */
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
  const { featureThreshold, raiseOn } = parsed.options;
  const asked = { owner: 'comprehensiveCheck', featureThreshold, raiseOn };
  const { report, input: assessed } = await assessedReport(settings, X, given, parsed, asked);
  const target = resultOf(featureTarget, report.checks);
  // The evidence shows some features of those that were screened.
  const { features } = target.evidence.found ? await assessFeatureTarget(assessed) : { features: [] };
  return {
    report,
    featureTarget: featureTargetOf(target, features, featureThreshold),
    nearDuplicates: nearDuplicatesOf(resultOf(nearDuplicates, report.checks)),
    hierarchical: hierarchicalOf(resultOf(hierarchyOverlap, report.checks)),
    overallSeverity: report.severity,
    recommendations: report.recommendations,
  };
}

/** What is there beside the rows, checked; patients who are named in the hierarchy alone are patients all the same. */
export function sideDataOf(given: { readonly [K in keyof SideData]: SideData[K] | undefined }, n: number): SideData {
  const data: SideData = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  checkSideData(data, n);
  patientsOf(data, n);
  const groups = patientIdsOf(data);
  return groups ? { ...data, groups } : data;
}

/** What a method was asked for, beside its data. */
export interface Asked {
  /** The method, for errors. */
  readonly owner: string;
  readonly only?: readonly string[] | undefined;
  readonly raiseOn?: readonly string[] | undefined;
  readonly featureThreshold?: number;
}

interface Assessed {
  readonly report: LeakageReport;
  readonly input: CheckInput;
}

/** The report of the checks that are wanted, on folds that are made. */
export async function reportOf(
  { revealIds, verbose, checks }: CheckerSettings,
  parts: CheckParts,
  { owner, only, raiseOn, featureThreshold }: Asked,
  note: string | null,
): Promise<Assessed> {
  rejectUnusedThreshold(owner, parts);
  const input = checkInput({ ...parts, revealIds, ...(featureThreshold === undefined ? {} : { featureThreshold }) });
  checkDeclared(owner, input);
  const all = [...allLeakageChecks(), ...checks];
  const subject = (name: string) => `The \`${name}\` option of ${owner}`;
  const wanted = only ? namedChecks({ subject: subject('only'), names: only }, all) : all;
  // A name that is none is refused before the checks are made.
  if (raiseOn) namedChecks({ subject: subject('raiseOn'), names: raiseOn, others: RAISING }, wanted);
  const subjects = Object.keys(input.acknowledged);
  namedChecks({ subject: subject('acknowledged'), names: subjects }, wanted);
  const { results, unused } = acknowledgedIn(owner, input.acknowledged, await runChecks(wanted, input));
  const notes = [...(note === null ? [] : [note]), ...unused];
  const report = new LeakageReport(results, input, { all: verbose, note: notes.length > 0 ? notes.join('; ') : null });
  if (raiseOn) report.refuse(raiseOn);
  return { report, input };
}

/** See {@link DataLeakageChecker.assess}. Throws {@link InvalidDataError} for another input than that of a run. */
export async function assess({ revealIds, checks }: CheckerSettings, input: CheckInput): Promise<CheckResult[]> {
  if (typeof input?.features !== 'function') {
    throw new InvalidDataError(sentence('The input of `assess`', 'be what `validate` hands to its checker', input));
  }
  return runChecks([...allLeakageChecks(), ...checks], revealIds ? { ...input, revealIds, nameOf: String } : input);
}
