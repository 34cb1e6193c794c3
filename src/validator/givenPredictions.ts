/** Reads what `evaluate` is given: predictions beside the truth, as a score table, and what counts as independent. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { type OptionsOf, rejectUnusedOption } from '../core/options.js';
import { classText, type Label, type Labels, labelsOf, listed } from '../data/labels.js';
import { labelValues } from '../data/labelValues.js';
import { positiveCode } from '../data/positiveCode.js';
import { checkLength, checkSideData, patientIdsOf, type SideData } from '../data/sideData.js';
import { checkOrder } from '../metrics/columnOrder.js';
import { checkedProbabilities, type ScoreTable, type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';
import { oneOfTwo } from '../runner/readData.js';
import type { evaluateOptions } from './evaluateOptions.js';

type Given = OptionsOf<typeof evaluateOptions>;

export interface GivenPredictions {
  /** The truth as it was read: its task, and why. */
  readonly y: Labels;
  readonly table: ScoreTable;
  /** Patients and levels above them. */
  readonly data: SideData;
}

/** Throws {@link InvalidDataError} for lengths that differ, NaN, labels that are no classes, and what is no probability. */
export function givenPredictions(given: Given): GivenPredictions {
  const { yTrue, yPred, classes, task, positiveLabel, sampleWeight } = given;
  const y = labelsOf(yTrue, { task, name: 'yTrue' });
  const known = classes && y.codes.length > 0 ? checkedClasses(classes, y) : undefined;
  if (classes && !known) rejectUnusedOption('evaluate', 'classes', `the task is ${y.task}`);
  const predicted = yPred === undefined ? undefined : labelsOf(yPred, { task: taskOfLabels(y), name: 'yPred' });
  const proba = given.yProba === undefined ? undefined : columnsOf(given.yProba, y.length);
  const all = known ?? (y.task === 'multiclass' ? y.classes : undefined);
  const table = scoreTable({
    yTrue: y as unknown as ScoreTableInput['yTrue'],
    ...(y.task === 'binary' && !(known && known.length > 2) ? { task: 'binary' } : {}),
    ...(predicted ? { yPred: predicted as unknown as NonNullable<ScoreTableInput['yPred']> } : {}),
    ...(proba ? { yProba: inOrder(proba, { y, known, positiveLabel }) } : {}),
    ...(all ? { classes: all } : {}),
    ...(positiveLabel === undefined ? {} : { positiveLabel }),
    ...(sampleWeight ? { sampleWeight } : {}),
  });
  if (!known && predicted && proba && y.codes.length > 0) checkOrder(table, proba.width === 1);
  return { y, table, data: sideDataOf(given, y.length) };
}

const taskOfLabels = ({ task }: Labels) => (task === 'binary' || task === 'multiclass' ? 'classification' : task);

/** The classes as the caller orders them. */
function checkedClasses(given: ArrayLike<Label>, y: Labels): readonly Label[] {
  const classes = Array.from(given);
  const twice = classes.findIndex((each, at) => classes.indexOf(each) !== at);
  if (twice >= 0) {
    const got = phrase(`${classText(classes, twice)} twice`);
    throw new InvalidDataError(sentence('classes', 'be all different', got));
  }
  const missing = y.classes.find((each) => !classes.includes(each));
  if (missing === undefined) return classes;
  throw new InvalidDataError(
    sentence('classes', `hold every class of yTrue (${listed(y.classes)})`, phrase(`${listed(classes)}`)),
    { code: 'unknown_class' },
  );
}

function sideDataOf({ groups, patientIds, hierarchy }: Given, n: number): SideData {
  const ids = oneOfTwo(groups, patientIds, '`groups` and `patientIds`');
  if (ids) checkLength(ids, n, groups ? 'groups' : 'patientIds', 'yTrue');
  for (const [level, each] of Object.entries(hierarchy ?? {})) checkLength(each, n, `hierarchy.${level}`, 'yTrue');
  const data: SideData = { ...(ids ? { groups: ids } : {}), ...(hierarchy ? { hierarchy } : {}) };
  checkSideData(data, n);
  const patients = patientIdsOf(data);
  return patients ? { ...data, groups: patients } : data;
}

// ---- columns of probabilities -----------------------------------------------------------------------------------

/** Numbers of any kind as rows of `width` columns. */
interface Columns {
  readonly values: ArrayLike<number>;
  readonly width: number;
}

function columnsOf(yProba: unknown, n: number): Columns {
  const { values, shape } = labelValues(yProba, 'yProba');
  const width = shape.reduce((columns, size) => columns * size, 1);
  if (values.length === n * width) return { values: values as ArrayLike<number>, width };
  throw new InvalidDataError(
    sentence('yProba', `have ${n} rows, as yTrue has`, phrase(String(values.length / width))),
    { code: 'length_mismatch' },
  );
}

interface Expected {
  readonly y: Labels;
  readonly known: readonly Label[] | undefined;
  readonly positiveLabel: Label | undefined;
}

/** The columns as a score table has them: P(positive) of a binary task, else one per class in ascending order. */
function inOrder({ values, width }: Columns, { y, known, positiveLabel }: Expected) {
  const { task, length: n } = y;
  const rows = (columns: readonly number[]): ScoreTableInput['yProba'] =>
    Array.from({ length: n }, (_, row) => columns.map((column) => values[row * width + column]));
  const everyColumn = Array.from({ length: width }, (_, column) => column);
  if (y.codes.length === 0 || (task === 'binary' && width === 1)) {
    return width === 1 ? (values as ArrayLike<number>) : rows(everyColumn);
  }
  const order = known ?? y.classes;
  if (width !== order.length) {
    const must = `have one column of P(positive)${task === 'binary' ? '' : ' for two classes'}, or one for each class (${listed(order)})`;
    throw new InvalidDataError(
      sentence('yProba', must, phrase(`${width} columns`), known ? undefined : 'Name all in `classes`.'),
      { code: 'column_mismatch' },
    );
  }
  checkedProbabilities(values, width, 'yProba', InvalidDataError, true);
  const ascending = [...order].sort((a, b) => (a < b ? -1 : 1));
  if (order.length > 2) return rows(ascending.map((each) => order.indexOf(each)));
  const column = order.indexOf(ascending[positiveCode(ascending, positiveLabel)]);
  return Array.from({ length: n }, (_, row) => values[row * width + column]);
}
