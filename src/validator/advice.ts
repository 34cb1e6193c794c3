/** What `recommendCv` does: reads the data, chooses a design that splits them, and says why. */

import type { Design } from '../checkers/checkOptions.js';
import { nameWords, saysPatient, saysPlace, saysSite, saysTime } from '../checkers/features/nameWords.js';
import { saysId } from '../checkers/features/suspects.js';
import { InfeasibleSplitError, InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { literalText, nameText } from '../core/foreignText.js';
import { counted, points, wholeNumber, wholePercent } from '../core/format.js';
import { refuseKerasLabels } from '../data/asInKeras.js';
import { classCounts } from '../data/classCounts.js';
import { tally } from '../data/encode.js';
import { classText, type Labels, type LabelsInput, labelsOf, rowNumbers } from '../data/labels.js';
import { rowsOf } from '../data/rows.js';
import { groupsOf, hasPlace, knownGroups, patientsOf, timesWhereKnown } from '../data/sideData.js';
import { type Problem, readData, sameOrThrow } from '../runner/readData.js';
import { crossed } from '../splitters/spatial/blocks.js';
import { KdTree } from '../splitters/spatial/kdTree.js';
import { boundingBox, flatPlaces } from '../splitters/spatial/places.js';
import type { IterableSplitter } from '../splitters/splitter.js';
import {
  type ChosenDesign,
  chooseDesign,
  type DesignData,
  designFacts,
  mixedGroups,
  movingPatients,
  rowsPerPatient,
  siteLevel,
  unitsPerClass,
} from './chooseDesign.js';
import { type DesignFacts, type DesignRow, designText, FEW_ROWS } from './designTable.js';
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
  refuseKerasLabels(rawLabels, rowsOf(X, 'X', featureNames));
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
  const [torn] = mixedGroups(knownGroups(hierarchy.patient, X.length), (first, row) => codes[first] !== codes[row]);
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
  const places = data.coordinates && Array.from(data.coordinates).filter(hasPlace).length;
  const rows = counted(n, 'row');
  return present([
    patients === undefined
      ? `${rows}; no patient ids were given, so each row counts as independent.`
      : patients.count === n
        ? `${rows} of as many patients: each row is its own patient.`
        : `${rows} of ${counted(patients.count, 'patient')}: ${rowsPerPatient(n, patients.count)} on average.`,
    labelText(y, isNamed ? positive : -1),
    data.timestamps && `Times are given for ${counted(n - untimed({ X, data }), 'row')}.`,
    places !== undefined && `Places are given for ${counted(places, 'row')}.`,
    sites &&
      `The hierarchy has ${wholeNumber(sites.count)} units of the level '${nameText(sites.level)}' above the ${patients ? 'patients' : 'rows'}.`,
    row.reason,
    foldText(plan),
    n < FEW_ROWS && (row.category === 'iid' || row.category === 'multilabel') && LEAVE_ONE_OUT,
    row.splitter === 'RepeatedKFold' && REPEATS,
  ]);
}

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
  if (task === 'survival') {
    const each = counts.classes.map((name, at) => `${wholeNumber(found[at])} ${name}`);
    return `y has times and events (rows: ${each.join(', ')}).`;
  }
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

// What a statistician would say of the data before any split: one full sentence each.

interface AdviceInput {
  readonly data: DesignData;
  readonly facts: DesignFacts;
  readonly design: Design | undefined;
  readonly chosen: ChosenDesign;
}

const FEW_UNITS = 100;
/** A patient, or a class, that is this much of the rows dominates folds. */
const LARGE = 1 / 3;
const Z95 = 1.959964;
/** So many places may lie in clumps by chance. */
const FEW_PLACES = 10;

function adviceWarnings(input: AdviceInput): string[] {
  const { data, chosen } = input;
  return [
    ...fewUnits(data),
    ...passedOver(input),
    ...patientWarnings(data),
    ...classWarnings(data.y, chosen),
    ...fewEvents(input),
    ...guessedClasses(data.y),
    ...timeWarnings(input),
    ...placeWarnings(input),
    ...(input.design === 'deployment' && input.facts.site === null && data.data.coordinates === undefined
      ? [NO_SITES]
      : []),
    ...columnWarnings(data),
  ];
}

const NO_SITES =
  "The design is 'deployment', but nothing tells the places of the rows apart: pass `hierarchy: { site }` or `coordinates`. These folds test rows from the same places.";

/** Source: the binomial standard error at one half; Varoquaux 2018, NeuroImage 180:68. */
function fewUnits({ X, data }: DesignData): string[] {
  const patients = patientsOf(data, X.length);
  const [units, noun] = patients ? [patients.count, 'patient'] : [X.length, 'row'];
  if (units >= FEW_UNITS) return [];
  const half = Math.round((100 * Z95) / 2 / Math.sqrt(units));
  const way = units < 20 ? ' Take the scores as a rehearsal, not as an estimate.' : '';
  return [
    `There ${units === 1 ? 'is' : 'are'} ${counted(units, noun)}: a share measured on them may be off by ${half} points either way (95 %), and no choice or repetition of folds changes that.${way}`,
  ];
}

const passedOver = ({ chosen: { passedOver: rows, row }, facts, data }: AdviceInput): string[] =>
  rows
    // Times that are missing have a sentence of their own.
    .filter(({ row: better }) => !(better.category === 'temporal' && untimed(data) > 0))
    .map(({ row: better, because, feasible: possible }) => {
      const but = possible ? 'leaves too little to train on' : 'cannot be made of these data';
      return `${designText(better, facts)} would fit better (${better.when}), but ${but}: ${because}. ${designText(row, facts)} is the next best.`;
    });

const untimed = ({ X, data: { timestamps } }: Pick<DesignData, 'X' | 'data'>): number =>
  timestamps ? timesWhereKnown(timestamps, X.length).values.filter(Number.isNaN).length : 0;

function patientWarnings({ X, y, data }: DesignData): string[] {
  const patients = patientsOf(data, X.length);
  if (!patients || patients.count === X.length) return [];
  const largest = tally(patients.codes, patients.count).reduce((most, rows) => Math.max(most, rows)) / X.length;
  const classes = y.task === 'binary' || y.task === 'multiclass' ? y.codes : undefined;
  const mixed = classes ? mixedGroups(patients, (first, row) => classes[first] !== classes[row]).length : 0;
  return present([
    largest >= LARGE &&
      `One patient has ${wholePercent(largest)} of the rows: the fold that tests this patient is that large, and its score is about this patient.`,
    mixed > 0 &&
      `${wholeNumber(mixed)} of ${counted(patients.count, 'patient')} ${mixed === 1 ? 'has' : 'have'} rows of several classes: make sure that y is about the row and not about the patient.`,
  ]);
}

const present = (texts: readonly (string | false | undefined)[]) => texts.filter((text) => !!text) as string[];

function classWarnings(y: Labels, { plan, oneClass, row }: ChosenDesign): string[] {
  const counts = classCounts(y);
  if (!counts) return [];
  const found = counts.of(rowNumbers(y.length));
  const perRepeat = plan.length / plan.repeats;
  const several = y.task === 'multilabel';
  // Splitters of several labels say it themselves.
  const isReported = row.category === 'multilabel';
  const rare = isReported ? [] : [...counts.classes.keys()].filter((at) => found[at] < perRepeat);
  const name = (at: number) =>
    `${several ? `label ${at}` : classText(counts.classes, at)} (${counted(found[at], 'row')})`;
  return present([
    rare.length > 0 &&
      `Fewer rows than folds (${perRepeat}): ${firstOf(rare.map(name))}. Some folds do not test ${rare.length === 1 ? 'it' : 'them'}${row.category === 'iid' ? ', and one row alone is never both trained on and tested' : ''}: merge rare ${several ? 'labels' : 'classes'}, leave them out, or read pooled scores.`,
    oneClass > 0 &&
      `${oneClass} of ${counted(plan.length, 'fold')} ${oneClass === 1 ? 'has' : 'have'} rows of one class alone on a side: metrics of such a fold are undefined, so read scores that are pooled over folds.`,
  ]);
}

const firstOf = (names: readonly string[]) =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;

/** With fewer cases than this a share of them (a sensitivity) is uncertain by more than 20 points. */
const FEW_EVENTS = 20;

/** With fewer than {@link FEW_EVENTS} units in all {@link fewUnits} has said so. */
function fewEvents({ data, chosen }: AdviceInput): string[] {
  const found = unitsPerClass(data);
  if (!found) return [];
  const { counts, noun, units } = found;
  const name = (at: number) => `Class ${classText(counts.classes, at)}`;
  // Of rows that count as independent, the sentence about rare classes says it.
  const isUnreported = noun === 'patient' || chosen.row.category !== 'iid';
  const few = (patientsOf(data.data, data.X.length)?.count ?? data.X.length) < FEW_EVENTS;
  const rarest = [...units.keys()].sort((a, b) => units[a] - units[b]).slice(0, 3);
  return rarest.flatMap((at) => {
    if (units[at] === 1 && isUnreported) {
      return [
        `${name(at)} is in one ${noun}: no fold both trains on it and tests it. Merge it with another class, leave it out, or collect more.`,
      ];
    }
    if (few || units[at] < 2 || units[at] >= FEW_EVENTS) return [];
    const half = Math.round((100 * Z95) / 2 / Math.sqrt(units[at]));
    return [
      `${name(at)} is in ${counted(units[at], noun)}: its sensitivity and the AUC rest on these, and may be off by ${half} points either way (95 %), whatever the folds.`,
    ];
  });
}

const guessedClasses = ({ guessed, classes }: Labels): string[] =>
  guessed
    ? [`y holds integers, read as ${classes.length} classes. If they measure something, pass \`task: 'regression'\`.`]
    : [];

function timeWarnings({ data: { X, data }, facts, design, chosen }: AdviceInput): string[] {
  const { timestamps, labelEndTimes } = data;
  if (timestamps === undefined) {
    return labelEndTimes ? ['`labelEndTimes` are of use only together with `timestamps`: pass both.'] : [];
  }
  const inTime = chosen.row.category === 'temporal';
  const times = timesWhereKnown(timestamps, X.length).values.filter((time) => !Number.isNaN(time));
  const distinct = new Set(times).size;
  const missing = X.length - times.length;
  const [have, them] = missing === 1 ? ['has', 'it'] : ['have', 'them'];
  return present([
    !facts.ordered &&
      `Times are given, but the design is '${design}': the answer is about rows of the same period, and says nothing of how the model ages. Pass \`design: 'prospective'\` for that.`,
    facts.ordered &&
      design === undefined &&
      inTime &&
      "Times are taken to mean that the model will predict later rows. If the question is about the same period, pass `design: 'iid'`.",
    facts.ordered && missing === X.length && 'No row has a time, so these folds do not follow the order of time.',
    facts.ordered &&
      missing > 0 &&
      missing < X.length &&
      `${wholeNumber(missing)} of ${counted(X.length, 'row')} ${have} no time, so these folds do not follow the order of time: leave ${them} out for folds that do.`,
    facts.ordered &&
      inTime &&
      distinct < times.length / 2 &&
      `${counted(times.length, 'row')} share ${counted(distinct, 'time')}: rows of one time stay together, so that folds differ in size.`,
  ]);
}

function placeWarnings({ data: { X, data }, facts, design, chosen }: AdviceInput): string[] {
  const { coordinates } = data;
  if (coordinates === undefined) return [];
  if (chosen.row.category !== 'spatial') {
    const patients = facts.repeated && patientsOf(data, X.length);
    const moving = patients ? movingPatients(patients, coordinates) : 0;
    if (facts.ordered) {
      const places = chosen.row.category === 'temporal' ? 'Order in time decides these folds; places' : 'Places';
      return [`${places} are not kept apart. If the model will predict other places, pass \`design: 'deployment'\`.`];
    }
    return present([
      design === 'iid' &&
        `Coordinates are given, but the design is 'iid': the answer is about rows from among these places (Wadoux et al. 2021: right for a map of the area that was sampled evenly).`,
      design !== 'iid' &&
        moving > 0 &&
        `${counted(moving, 'patient')} ${moving === 1 ? 'has' : 'have'} rows at several places: whole patients and whole blocks of the map exclude each other, and patients come first.`,
    ]);
  }
  const { distinct, ratio } = clarkEvans(coordinates);
  const inDegrees = Array.from(coordinates).every(({ 0: lat, 1: lon }) => Math.abs(lat) <= 90 && Math.abs(lon) <= 180);
  return present([
    "Blocks test how the model predicts other places; inside an area that was sampled evenly the scores are too low (Wadoux et al. 2021). If the question is about these places, pass `design: 'iid'`.",
    distinct < X.length / 2 &&
      `${counted(X.length, 'row')} lie at ${counted(distinct, 'place')}: rows of one place stay together.`,
    distinct >= FEW_PLACES &&
      ratio < 0.5 &&
      'The places lie in clumps. If the model is to predict places between them, KNNDM makes folds at the distances that it will meet (Linnenbrink et al. 2024).',
    inDegrees &&
      "If the coordinates are degrees of latitude and longitude, use BufferedSpatialCV with `distanceMetric: 'haversine'`: these blocks are squares of a plane.",
  ]);
}

/** Names alone are read, which costs nothing; the checks of a validation look at the values. */
function columnWarnings({ X, data }: DesignData): string[] {
  const names = Object.entries(X.parts ?? { '': X }).flatMap(([, part]) => part.featureNames ?? []);
  const words = names.map((name) => nameWords(name).join(' '));
  const pair = words.includes('lat') && words.some((each) => /^(lon|lng|long)$/.test(each));
  const warningOf = (of: (name: string) => boolean, what: string, input: string, isPassed: boolean): string[] => {
    const found = names.filter(of);
    if (found.length === 0) return [];
    const shown = firstOf(found.map((name) => nameText(name)));
    const [verb, them] = found.length === 1 ? ['looks', 'it'] : ['look', 'them'];
    const where = found.length === 1 ? 'it is' : 'they are';
    const pass = isPassed ? '' : `, and pass ${them} as \`${input}\` where ${where} that`;
    return [
      `The column${found.length === 1 ? '' : 's'} ${shown} of X ${verb} like ${what}: leave ${them} out of the features${pass}.`,
    ];
  };
  const isId = (name: string) => saysPatient(name) || saysId(name);
  const isPlace = (name: string) => saysPlace(name) || (pair && /^(lat|lon|lng|long)$/.test(nameWords(name).join(' ')));
  return [
    ...warningOf(isId, 'an id', 'patientIds', patientsOf(data, X.length) !== undefined),
    ...warningOf((name) => saysTime(name) && !isId(name), 'a time', 'timestamps', data.timestamps !== undefined),
    ...warningOf((name) => isPlace(name) && !isId(name), 'a place', 'coordinates', data.coordinates !== undefined),
    ...warningOf((name) => saysSite(name) && !isId(name), 'a site', 'hierarchy', data.hierarchy !== undefined),
  ];
}

/**
 * The mean distance to the nearest other place, over what places at random in the box around all of them would have,
 * .5 √(area / places): 1 is chance, less is clumps. NaN where the box has no area.
 *
 * Source: Clark & Evans 1954, Ecology 35:445 (R, without a correction for the edge).
 */
function clarkEvans(coordinates: ArrayLike<ArrayLike<number>>) {
  const { map } = flatPlaces(coordinates);
  const [x, y] = [0, 1].map((axis) => map.filter((_, at) => at % 2 === axis));
  const { pairs } = crossed(x, y);
  const [width, height] = boundingBox(map).sides;
  const area = width * height;
  if (area === 0) return { distinct: pairs.length, ratio: Number.NaN };
  const places = Float64Array.from(pairs.flat());
  const tree = new KdTree(places, 2);
  const sum = pairs.reduce((total, _, row) => total + tree.nearest(places, row, row), 0);
  return { distinct: pairs.length, ratio: sum / pairs.length / (0.5 * Math.sqrt(area / pairs.length)) };
}
