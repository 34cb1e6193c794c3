/** What `recommendCv` does: reads the data, chooses a design that splits them, and says why. */

import { InfeasibleSplitError, InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { literalText, nameText } from '../core/foreignText.js';
import { counted, points, wholeNumber } from '../core/format.js';
import { classCounts } from '../data/classCounts.js';
import { classText, type Labels, type LabelsInput, labelsOf, rowNumbers } from '../data/labels.js';
import { groupsOf, hasPlace, knownGroups, patientsOf, timesWhereKnown } from '../data/sideData.js';
import { type Problem, readData, sameOrThrow } from '../runner/readData.js';
import type { IterableSplitter } from '../splitters/splitter.js';
import { adviceWarnings } from './adviceWarnings.js';
import {
  type ChosenDesign,
  chooseDesign,
  designFacts,
  mixedGroups,
  rowsPerPatient,
  siteLevel,
  unitsPerClass,
} from './chooseDesign.js';
import { type DesignRow, FEW_ROWS } from './designTable.js';
import { methodName } from './methods.js';
import { type RecommendCvOptions, recommendCvOptions } from './recommendCvOptions.js';

/** What `recommendCv` gives back. */
export interface Recommendation {
  /** The family of splitters. */
  readonly category: DesignRow['category'];
  /** The name that `method` of CVKitValidator takes. It makes the folds with the options of the validator; `splitter` has its own. */
  readonly method: string;
  /** Ready for `cv` of CVKitValidator and `cvSplitter` of UniversalCVRunner. It has split these data. */
  readonly splitter: IterableSplitter;
  /** What was seen, with its numbers, and why that asks for this design: a sentence each. */
  readonly rationale: readonly string[];
  /** What the folds cannot make good, and what else may be meant: a sentence each. */
  readonly warnings: readonly string[];
  /** JavaScript that makes the folds from variables named as the options: `X`, `y`, `groups`, ... */
  readonly code: string;
}

export async function advise(input: RecommendCvOptions): Promise<Recommendation> {
  const { options, written } = recommendCvOptions.parse(input);
  const {
    X,
    y: rawLabels,
    featureNames,
    groups,
    patientIds,
    task,
    positiveLabel,
    design,
    randomState,
    ...side
  } = options;
  if (design === 'prospective' && side.timestamps === undefined) {
    const subject = "The `design` option of recommendCv, where it is 'prospective',";
    const way = 'Pass the time of each row.';
    throw new InvalidOptionError(sentence(subject, 'be beside `timestamps`', phrase('none'), way));
  }
  const read = labelsOf(rawLabels, { task });
  const data = readData(
    { X, y: rawLabels, featureNames, groups: sameOrThrow(groups, patientIds, '`groups` and `patientIds`'), ...side },
    // Which class is the positive one does not matter to folds; it is named where it is known.
    { task, positiveLabel: positiveLabel ?? (read.task === 'binary' ? read.classes[1] : undefined) },
  );
  refuseTornPatients(data);
  refuseHopeless(data);
  const facts = designFacts(data, design);
  const { labels, text } = asSplittersReadThem(rawLabels as LabelsInput, data.y);
  const chosen = chooseDesign(data, { facts, randomState, labels });
  return {
    category: chosen.row.category,
    method: methodName(chosen.row.splitter),
    splitter: chosen.splitter,
    rationale: rationaleOf(data, chosen, positiveLabel !== undefined),
    warnings: [...adviceWarnings({ data, facts, design, chosen }), ...chosen.plan.warnings],
    code: codeOf(chosen, text, written),
  };
}

/** `groups` are what folds keep whole, so a patient of the hierarchy may not be in two of them. */
function refuseTornPatients({ X, data }: Problem): void {
  const { groups, hierarchy } = data;
  if (!groups || !hierarchy?.patient || groups === hierarchy.patient) return;
  const { codes } = groupsOf(groups, X.length);
  const [torn] = mixedGroups(knownGroups(hierarchy.patient, X.length).codes, (row) => codes[row]);
  if (!torn) return;
  const got = phrase(`two groups for one patient, in rows ${torn[0]} and ${torn[1]}`);
  const way = 'Leave `groups` (`patientIds`) out: the patients of the hierarchy are used.';
  throw new InvalidDataError(sentence('groups', 'keep each patient of `hierarchy.patient` in one group', got, way));
}

const LEAST_ROWS = 4;

function refuseHopeless({ X, y, data }: Problem): void {
  const patients = patientsOf(data, X.length);
  if (patients?.count === 1 && X.length > 1) {
    const way = 'Leave `groups` out if new rows of this patient are what counts.';
    throw new InfeasibleSplitError(sentence('groups', 'name two patients or more', phrase('one'), way));
  }
  if (X.length < LEAST_ROWS) {
    const must = 'have four rows or more, so that each of two folds can train on two and test two';
    throw new InfeasibleSplitError(sentence('X', must, X.length, 'Collect more rows.'));
  }
  const found = unitsPerClass({ X, y, data });
  if (!found) return;
  const { counts, units } = found;
  if (units.filter((count) => count >= 2).length >= 2) return;
  const at = units.findIndex((count) => count < 2);
  const subject = `Class ${classText(counts.classes, at)} of y`;
  const must = `be in two ${patients ? 'patients' : 'rows'} or more, so that one can be trained on and another one tested`;
  const way = 'Collect more: no cross-validation of these data can tell how well this class is recognised.';
  throw new InfeasibleSplitError(sentence(subject, must, units[at], way));
}

/** A splitter reads y afresh. Where `task` alone made classes of many integers, texts say the same. */
function asSplittersReadThem(input: LabelsInput, y: Labels): { labels: LabelsInput; text: string } {
  const isClasses = y.task === 'binary' || y.task === 'multiclass';
  if (!isClasses || labelsOf(input).task !== 'regression') return { labels: input, text: 'y' };
  return { labels: Array.from(input as ArrayLike<unknown>, String), text: 'Array.from(y, String)' };
}

function rationaleOf({ X, y, data, positive }: Problem, { row, plan }: ChosenDesign, isNamed: boolean): string[] {
  const n = X.length;
  const patients = patientsOf(data, n);
  const sites = siteLevel(data, n);
  const places = data.coordinates;
  return [
    patients === undefined
      ? `${counted(n, 'row')}; no patient ids were given, so each row counts as independent.`
      : patients.count === n
        ? `${counted(n, 'row')} of as many patients: each row is its own patient.`
        : `${counted(n, 'row')} of ${counted(patients.count, 'patient')}: ${rowsPerPatient(n, patients.count)} on average.`,
    labelText(y, isNamed ? positive : -1),
    ...(data.timestamps ? [`Times are given for ${counted(timed(data.timestamps, n), 'row')}.`] : []),
    ...(places ? [`Places are given for ${counted(Array.from(places).filter(hasPlace).length, 'row')}.`] : []),
    ...(sites
      ? [
          `The hierarchy has ${wholeNumber(sites.count)} units of the level '${nameText(sites.level)}' above the ${patients ? 'patients' : 'rows'}.`,
        ]
      : []),
    row.reason,
    foldText(plan),
    ...(n < FEW_ROWS && (row.category === 'iid' || row.category === 'multilabel') ? [LEAVE_ONE_OUT] : []),
    ...(row.splitter === 'RepeatedKFold' ? [REPEATS] : []),
  ];
}

const timed = (times: ArrayLike<unknown>, n: number) =>
  n - timesWhereKnown(times, n).values.filter(Number.isNaN).length;

/** Source: Kohavi 1995, IJCAI; Varoquaux 2018, NeuroImage 180:68. */
const LEAVE_ONE_OUT =
  'Leave-one-out is not advised: a test set of one row has no AUC and no spread, and its folds train on nearly the same rows, so that their mean varies no less (Kohavi 1995).';
const REPEATS = 'Repeats take away the luck of one draw of the folds, not that of few rows.';

function labelText(y: Labels, positive: number): string {
  const { task, why, length } = y;
  if (task === 'regression') return `y is continuous (${why}): there are no classes to keep in balance.`;
  const counts = classCounts(y);
  if (!counts) return `y is masks (${why}): there are no classes to keep in balance.`;
  const found = counts.of(rowNumbers(length));
  const several = task === 'multilabel';
  const rarest = found.reduce((least, count, at) => (count < found[least] ? at : least), 0);
  const at = positive >= 0 ? positive : rarest;
  const name = several ? `label ${at}` : `class ${classText(counts.classes, at)}`;
  const kind = positive >= 0 ? 'positive' : 'rarest';
  const noun = several ? 'label' : 'class';
  return `y has ${counted(counts.classes.length, noun, several ? 'labels' : 'classes')}; the ${kind} one, ${name}, has ${counted(found[at], 'row')} (${Number(points(found[at] / length))} %).`;
}

function foldText(plan: ChosenDesign['plan']): string {
  const sides = Array.from(plan.sides());
  const size = (side: 'train' | 'test') => {
    // Left out, the training rows are all others.
    const sizes = sides.map((each) => each[side]?.length ?? plan.n - each.test.length);
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
    return least === most ? counted(least, 'row') : `${wholeNumber(least)} to ${counted(most, 'row')}`;
  };
  const repeats = plan.repeats > 1 ? `, in ${plan.repeats} repeats` : '';
  return `These data were split to be sure: ${counted(plan.length, 'fold')}${repeats}, each training on ${size('train')} and testing ${size('test')}.`;
}

function codeOf({ row, options, inputs }: ChosenDesign, y: string, written: ReadonlySet<string>): string {
  const ids = ['groups', 'patientIds'].find((name) => written.has(name)) ?? 'hierarchy.patient';
  const settings = Object.entries(options).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? literalText(value) : value}`,
  );
  const named = inputs.map((name) => (name === 'groups' && ids !== 'groups' ? `groups: ${ids}` : name));
  const sideData = named.length > 0 ? `, { ${named.join(', ')} }` : '';
  const passed = ['model', 'X', 'y', ...SIDE_OPTIONS.filter((name) => written.has(name))];
  return [
    `import { foldsOf, ${row.splitter} } from 'cvkit';`,
    '',
    `const cv = new ${row.splitter}({ ${settings.join(', ')} });`,
    `const folds = foldsOf(cv, X, ${y}${sideData});`,
    'for (const { id, train, test } of folds) {',
    "  console.log(id, train.length, 'rows to train on,', test.length, 'to test');",
    '}',
    `// With a model: await new CVKitValidator({ cv }).validate({ ${passed.join(', ')} });`,
    '',
  ].join('\n');
}

const SIDE_OPTIONS = [
  'groups',
  'patientIds',
  'timestamps',
  'labelEndTimes',
  'coordinates',
  'hierarchy',
  'design',
  'task',
];
