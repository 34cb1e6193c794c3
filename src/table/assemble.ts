import { invalidData, show, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, wholeNumber } from '../core/format.js';
import { mean } from '../core/numbers.js';
import { presentIn } from '../core/numbersWhere.js';
import type { OptionsOf } from '../core/options.js';
import { factLines, textTable, wrapText } from '../core/summaryText.js';
import { countValues } from '../core/tally.js';
import { type Label, labelsOf, listed, printable } from '../data/labels.js';
import { positiveCode } from '../data/positiveCode.js';
import { isId } from '../data/sideData.js';
import { asCodes } from '../data/tableColumns.js';
import { writtenNumbers } from '../data/writtenNumbers.js';
import { spellingNotes } from './cellColumn.js';
import { isNearNumber, mayHoldIds, millisecondsOf, type TypedColumn, textsOf } from './columnTypes.js';
import { missingIn, ofColumn, type RawColumn, type RawTable } from './rawTable.js';
import type { readTableOptions } from './readTableOptions.js';

type Options = OptionsOf<typeof readTableOptions>;
type Found = Pick<TableInfo, 'rows' | 'rowsDropped' | 'columns' | 'notes'>;

const FEATURES: readonly TypedColumn['type'][] = ['numeric', 'categorical', 'boolean'];

export function assemble(
  table: RawTable,
  columns: readonly TypedColumn[],
  roles: ReadonlyMap<string, string>,
  options: Options,
): Found & { fields: Record<string, unknown> } {
  const { rowsDropped } = table;
  const named = new Map(columns.map((column) => [column.name, column]));
  const requested = options.columns?.map((name) => named.get(name) as TypedColumn);
  const features = someOf(requested ?? columns.filter(({ name, type }) => !roles.has(name) && FEATURES.includes(type)));
  const isFeature = new Set(features.map(({ name }) => name));
  const fields: Record<string, unknown> = {
    X: Object.fromEntries(features.map((column) => [column.name, cellsOfX(column, table, options)])),
  };
  const y = named.get(options.target as string);
  const time = named.get(options.time as string);
  if (y) {
    refuseIds(y, options);
    fields.y = time ? timedTarget(time, y, table, options) : targetOf(y, options);
  }
  const places: Float64Array[] = [];
  const hierarchy: Record<string, unknown> = {};
  for (const [name, role] of roles) {
    const column = named.get(name);
    if (!column || role === 'y' || role === 'time' || role === 'dropped') continue;
    const [field, level] = [role.split('.')[0], role.slice(role.indexOf('.') + 1)];
    if (field === 'groups') fields.groups = complete(column, role, table, textsOf(column));
    else if (field === 'hierarchy') hierarchy[level] = textsOf(column);
    else if (field === 'sampleWeight') fields.sampleWeight = complete(column, role, table, numbersOf(column, role));
    else if (field === 'coordinates') places.push(complete(column, role, table, numbersOf(column, role)));
    else fields[field] = timesOf(column, table, options);
  }
  if (Object.keys(hierarchy).length > 0) fields.hierarchy = hierarchy;
  if (places.length > 0) fields.coordinates = Array.from(places[0], (x, row) => [x, places[1][row]]);

  const roleOf = ({ name }: TypedColumn) =>
    [roles.get(name), isFeature.has(name) ? 'X' : undefined].filter(Boolean).join(', ') || 'left out';
  const kept = columns.filter(({ name }) => roles.get(name) !== 'dropped');
  const facts = kept.map((column): TableColumnInfo => {
    const { name, type, missing, distinct } = column;
    return { name, type, role: roleOf(column), missing, distinct };
  });
  const out = columns.filter((column) => ['left out', 'dropped'].includes(roleOf(column)));
  const repeated = fields.groups ? [] : out.flatMap(repeatedIds);
  const idsOf = (role: string) => (role === 'groups' ? fields.groups : hierarchy[role.slice('hierarchy.'.length)]);
  const labels = Array.isArray(fields.y) ? fields.y.filter((label) => typeof label === 'string') : [];
  const notes = [
    ...table.notes,
    ...(y ? [] : ['No target: `target` names no column, so that there is no `y`.']),
    ...(rowsDropped > 0 ? [`${counted(rowsDropped, 'row')} left out: no target (\`missingTarget\`).`] : []),
    ...kept.flatMap(({ raw }) => raw.notes),
    ...[...roles].flatMap(([name, role]) =>
      isIdRole(role)
        ? spellingNotes(`Column ${show(name)}: `, (idsOf(role) as (string | null)[]).filter(isId) as string[], 'id')
        : [],
    ),
    ...spellingNotes(`Target ${show(options.target)}: `, labels, 'class'),
    ...kept
      .filter(({ name }) => ofColumn(options.types, name) === undefined && !isIdRole(roles.get(name)))
      .flatMap((column) => doubtsOf(column, table.placeOf)),
    ...omittedColumnNotes(facts, options),
    ...repeated.map(([name, values]) => {
      const text = `${show(name)} has ${wholeNumber(values)} values in ${counted(table.length, 'row')}`;
      return `${text}: pass \`groups: ${show(name)}\` if these are patients.`;
    }),
  ];
  if (repeated.length > 0) fields.repeatedIds = Object.fromEntries(repeated);
  if (rowsDropped > 0) {
    const all = wholeNumber(table.length + rowsDropped);
    fields.warnings = [
      `Rows without a value of the outcome ${show(options.target)} were left out: ${wholeNumber(rowsDropped)} of ${all}.`,
    ];
  }
  return { fields, rows: table.length, rowsDropped, columns: facts, notes };
}

const OF_PLACES = /site|cent(re|er)|hospital|clinic|ward|scanner|device/i;

/** A column of ids that is in no role, and whose ids stand in several rows each: patients, mostly. */
function repeatedIds({ name, type, raw, missing }: TypedColumn): [name: string, values: number][] {
  if ((type !== 'id' && type !== 'text') || OF_PLACES.test(name)) return [];
  const { values, counts } = countValues<unknown>(Array.from(raw.cells as ArrayLike<unknown>).filter(isId));
  const repeat = values.length > 1 && values.length < raw.cells.length - missing;
  return repeat && (type === 'id' || areLikeIds(values as string[], counts)) ? [[name, values.length]] : [];
}

/** Ids repeat about equally often, as visits do; the counts of random texts vary twice as much (Poisson), of diagnoses far more. */
function areLikeIds(texts: readonly string[], counts: readonly number[]): boolean {
  const average = mean(counts);
  const variance = mean(counts.map((count) => (count - average) ** 2));
  const isOther = (text: string) => /\p{L}{2}\s+\p{L}/u.test(text) || text.length > 40;
  const others = texts.filter(isOther).length + writtenNumbers(texts).values.size;
  return average >= 1.5 && variance <= (average - 1) / 2 && 2 * others < texts.length;
}

/** Ids, which are read as they are written. */
export const isIdRole = (role = '') => role === 'groups' || role.startsWith('hierarchy');

function someOf(features: readonly TypedColumn[]) {
  if (features.length > 0) return features;
  const way = 'Name some in `columns`.';
  throw invalidData('no_features', 'X', 'have a column', 'no column of numbers, categories or booleans', way);
}

function cellsOfX(column: TypedColumn, table: RawTable, { dateFormat, types }: Options) {
  if (column.type === 'date') return millisecondsOf(column, dateFormat, table);
  if (ofColumn(types, column.name) === 'categorical') return asCodes(textsOf(column));
  if (column.type === 'categorical' || column.type === 'text') return textsOf(column);
  return column.raw.cells;
}

/** Labels are printed, and ids are not: a column of ids is no outcome, unless `types` says what it is. */
function refuseIds({ name, type, raw }: TypedColumn, { types }: Options): void {
  const areIds = type === 'id' || (mayHoldIds(name) && mayBeIds(raw));
  if (!areIds || ofColumn(types, name) !== undefined) return;
  const way = `Name patients in \`groups\`. If these are classes, pass \`types: { ${show(name)}: 'categorical' }\`.`;
  throw invalidData('id_target', `The target ${show(name)}`, 'be an outcome', 'ids, by its name or values', way);
}

/** Words without digits, and numbers of two kinds, may say who is a patient, and who a control. */
function mayBeIds({ stored, cells }: RawColumn): boolean {
  if (stored !== 'text') return new Set(cells as Float64Array).size > 2;
  return (cells as (string | null)[]).every((cell) => cell === null || /\d/.test(cell));
}

function targetOf(column: TypedColumn, { positiveLabel }: Options): Float64Array | string[] | boolean[] {
  const { raw, type } = column;
  const y =
    raw.stored === 'boolean' && type === 'boolean'
      ? Array.from(raw.cells as Float64Array, (cell) => cell === 1)
      : raw.stored === 'numeric' && type !== 'categorical'
        ? (raw.cells as Float64Array)
        : (textsOf(column) as string[]);
  if (positiveLabel === undefined) return y;
  for (const label of y) if (label === positiveLabel) return y;
  const classes = new Set<string>();
  for (const label of y) if (typeof label === 'string') classes.add(label);
  const few = classes.size > 0 && classes.size <= 20 && typeof positiveLabel === 'string';
  const must = `be a value of the target ${show(column.name)}, which holds ${typeof y[0]}s`;
  const way = few ? classSuggestion(positiveLabel, labelsOf(y).classes) : undefined;
  throw invalidData('unknown_class', 'The `positiveLabel` option of readTable', must, show(positiveLabel), way);
}

/** Follow-up and what happened then; of two texts the event is the one that `positiveLabel` names, or that is known to be. */
function timedTarget(time: TypedColumn, event: TypedColumn, table: RawTable, options: Options) {
  const { positiveLabel } = options;
  const cells = targetOf(event, options);
  const isText = typeof cells[0] === 'string';
  const { classes } = isText ? labelsOf(cells) : { classes: [] };
  const several = isText
    ? classes.length > 2
    : positiveLabel !== undefined && new Set<unknown>(cells as ArrayLike<unknown> & Iterable<unknown>).size > 2;
  if (several) {
    const must = isText
      ? 'hold two texts, one of them for the event'
      : 'hold two numbers, where `positiveLabel` names one';
    const got = isText ? listed(classes) : 'more';
    const way = 'Write 0 for censored and 1, 2, ... for events, and name the one of interest by `causeOfInterest`.';
    throw invalidData('several_events', `The column ${show(event.name)} (event)`, must, got, way);
  }
  const what = isText ? classes[positiveCode(classes, positiveLabel)] : positiveLabel;
  return {
    time: complete<Float64Array>(time, 'time', table, numbersOf(time, 'time')),
    event: Float64Array.from(cells as ArrayLike<unknown>, (cell) => Number(what === undefined ? cell : cell === what)),
  };
}

function complete<T>({ name, raw, missing }: TypedColumn, role: string, table: RawTable, cells: unknown): T {
  if (missing === 0) return cells as T;
  const place = table.placeOf(missingIn(raw).first).toLowerCase();
  const subject = `The column ${show(name)} (${role})`;
  const got = `${counted(missing, 'row')} of ${table.length} without, first in ${place}`;
  throw invalidData(isIdRole(role) ? 'missing_group' : 'missing_value', subject, 'have a value in every row', got);
}

function numbersOf({ name, raw }: TypedColumn, role: string): Float64Array {
  if (raw.stored === 'numeric' || raw.stored === 'boolean') return raw.cells as Float64Array;
  throw invalidData('not_numeric', `The column ${show(name)} (${role})`, 'hold numbers', 'texts');
}

/** Numbers as they are; dates as `Date`s, equal ones as one object, '' where missing. */
function timesOf(column: TypedColumn, table: RawTable, { dateFormat }: Options): Float64Array | (Date | string)[] {
  if (column.raw.stored === 'numeric') return column.raw.cells as Float64Array;
  const known = new Map<number, Date>();
  return Array.from(millisecondsOf(column, dateFormat, table), (time) => {
    if (Number.isNaN(time)) return '';
    const date = known.get(time) ?? new Date(time);
    known.set(time, date);
    return date;
  });
}

const WHY: Partial<Record<TypedColumn['type'], string>> = {
  id: 'ids',
  date: 'dates',
  text: 'free text',
  empty: 'no values',
};

function omittedColumnNotes(columns: readonly TableColumnInfo[], { columns: requested }: Options): string[] {
  const out = columns.filter(({ role }) => role === 'left out');
  if (requested) return out.length > 0 ? [`Left out, since \`columns\` does not name them: ${listOfNames(out)}.`] : [];
  return Object.entries(WHY).flatMap(([type, why]) => {
    const some = out.filter((column) => column.type === type);
    if (some.length === 0) return [];
    return [`Left out of X (${why}): ${listOfNames(some)}. \`columns\` or \`types\` can change that.`];
  });
}

function listOfNames(columns: readonly TableColumnInfo[]): string {
  const names = columns.slice(0, 12).map(({ name }) => show(name));
  return names.join(', ') + (columns.length > 12 ? ` and ${columns.length - 12} more` : '');
}

// Notes on what a column may be besides what it was read as.

/** Numbers that often stand for "missing". */
const BELOW = [-9, -99, -999, -9999, -99999];
const ABOVE = [9, 99, 999, 9999, 99999, 999999];
/** As a share of such a number: the others are at most so large, as the answers 1 to 5 beside 9. */
const FAR = 5 / 9;
/** Or none is between: ages of 20 to 89 and 99. */
const GAP = 0.9;
/** So often a number stands there that may also be a count or a measurement. */
const OFTEN = 3;

/** What is above 0 in the living. */
const POSITIVE =
  /glucose|insulin|^bmi$|body.?mass|pressure|systol|diastol|^(sys|dia|resting|rest)?_?bp|trestbps|chol|triceps|skin.?thick|heart.?rate|h(a)?emoglobin|platelet|^(body)?_?(height|weight)/i;
const CHANGES = /loss|gain|change|delta|diff|dose|drug|med(s|ic)|ratio|score|class|group|cat/i;
/** The smallest of the others is at least this share of their median, and so many of their smallest steps: a gap, which counts do not have. */
const LEAST_GAP = 0.05;
const STEPS = 5;
const MANY = 10;

function doubtsOf(column: TypedColumn, placeOf: (row: number) => string): string[] {
  const { raw, type } = column;
  if (raw.stored === 'numeric' && type === 'numeric') return aboutNumbers(raw.name, raw.cells as Float64Array);
  const isText = raw.stored === 'text' && (type === 'categorical' || type === 'text');
  // A column of numbers and texts has its note already.
  if (!isText || raw.notes.some((note) => note.includes('text'))) return [];
  const texts = raw.cells as (string | null)[];
  const count = texts.filter(isNearNumber).length;
  if (count === 0 || 2 * count < texts.length - column.missing) return [];
  const place = placeOf(texts.findIndex(isNearNumber)).toLowerCase();
  return [
    `Column ${show(raw.name)} holds texts that look like numbers (first in ${place}), as with quotes, a mark of thousands, a percent sign or a unit. They stay text.`,
  ];
}

function aboutNumbers(name: string, cells: Float64Array): string[] {
  const present = presentIn(cells);
  const notes: string[] = [];
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const cell of present) {
    if (cell < lowest) lowest = cell;
    if (cell > highest) highest = cell;
  }
  const marks = [...BELOW.filter((each) => each === lowest), ...ABOVE.filter((each) => each === highest)];
  const mark = marks.find((each) => isOutlier(present, each));
  const ask = (code: number, why: string) => {
    const rows = counted(present.filter((cell) => cell === code).length, 'row');
    const way = `pass \`alsoMissing: { ${show(name)}: [${code}] }\``;
    notes.push(`Column ${show(name)} holds ${code} in ${rows} and ${why}. If it means missing, ${way}.`);
  };
  if (mark !== undefined) ask(mark, mark < 0 ? 'no other number below 0' : 'else much smaller numbers');
  if (POSITIVE.test(name) && !CHANGES.test(name) && hasGapAboveZero(present)) ask(0, 'else numbers well above 0');
  if (present.length > 1 && present.every(isCompactDate)) {
    notes.push(
      `Column ${show(name)} holds numbers that look like dates (yyyymmdd), and is read as numbers: their differences are no days. Write them as yyyy-mm-dd.`,
    );
  }
  return notes;
}

function isOutlier(cells: Float64Array, mark: number): boolean {
  let [count, highest] = [0, Number.NEGATIVE_INFINITY];
  for (const cell of cells) {
    if (cell === mark) count++;
    else if (mark < 0 ? cell < 0 : cell > GAP * mark) return false;
    else if (cell > highest) highest = cell;
  }
  if (highest === Number.NEGATIVE_INFINITY || count < (Math.abs(mark) < 100 ? OFTEN : 2)) return false;
  if (mark < 0 || highest <= FAR * mark) return true;
  // 33, 66 and 99 are steps of one scale.
  const step = cells.reduce((most, cell) => (cell === mark ? most : divisor(most, cell)), 0);
  return mark > 9 && count >= OFTEN && (step === 1 || mark % step !== 0);
}

function divisor(a: number, b: number): number {
  return Number.isInteger(b) ? (b === 0 ? Math.abs(a) : divisor(b, a % b)) : 1;
}

function hasGapAboveZero(cells: Float64Array): boolean {
  const others = cells.filter((cell) => cell !== 0).sort();
  const distinct = Array.from(new Set(others));
  if (distinct.length < MANY || others.length === cells.length) return false;
  const step = distinct
    .slice(1)
    .reduce((least, each, at) => Math.min(least, each - distinct[at]), Number.POSITIVE_INFINITY);
  return others[0] >= Math.max(LEAST_GAP * others[others.length >> 1], STEPS * step);
}

function isCompactDate(cell: number): boolean {
  const [year, month, day] = [Math.floor(cell / 10000), Math.floor(cell / 100) % 100, cell % 100];
  return Number.isInteger(cell) && year >= 1900 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** A column of a table, as `info.columns` has it. */
export interface TableColumnInfo {
  readonly name: string;
  /** What its cells are; `empty`: all are missing. */
  readonly type: TypedColumn['type'];
  /** What it became: `X`, `y`, `groups`, `timestamps`, ..., or `left out`. */
  readonly role: string;
  /** Missing cells. */
  readonly missing: number;
  /** Different texts; null for numbers and dates. */
  readonly distinct: number | null;
}

/** What `readTable` found out. Holds names of columns and counts, no cells. */
export interface TableInfo {
  /** Name of the file, without folders. */
  readonly file: string;
  readonly format: RawTable['format'];
  /** How the text was read, for example `['semicolon', 'decimal comma']`. */
  readonly dialect: readonly string[];
  /** Rows of X and y. */
  readonly rows: number;
  /** Rows left out because they had no target. */
  readonly rowsDropped: number;
  readonly columns: readonly TableColumnInfo[];
  /** Texts that were read as missing, with counts; '' is the empty cell. */
  readonly missingMarks: Readonly<Record<string, number>>;
  /** What the user should know: columns left out, mixed columns, codes, ... */
  readonly notes: readonly string[];
}

/** Columns without a role of their own that a summary lists. */
const MOST_SHOWN = 40;

export function tableSummary(info: TableInfo): string {
  const { file, format, dialect, rows, rowsDropped, columns, missingMarks, notes } = info;
  const features = columns.filter(({ role }) => role === 'X');
  const dropped = rowsDropped > 0 ? ` (${counted(rowsDropped, 'row')} without a target left out)` : '';
  const marks = Object.entries(missingMarks).map(
    ([mark, count]) => `${mark === '' ? 'empty' : `'${nameText(mark)}'`} ${wholeNumber(count)}`,
  );
  const facts: [string, string][] = [
    ['File', `${file}: ${[format, ...dialect].join(', ')}`],
    ['Rows', `${wholeNumber(rows)}${dropped}`],
    ['X', `${counted(features.length, 'column')}: ${kindsOf(features)}`],
    ['Missing', marks.length > 0 ? marks.join(', ') : 'none'],
  ];
  // Columns with a role are shown all; of many others the first.
  const others = columns.filter(({ role }) => !isRole(role));
  const hidden = new Set(others.slice(MOST_SHOWN));
  const shown = columns.filter((column) => !hidden.has(column));
  const table = shown.map(({ name, role, type, distinct, missing }) => [
    nameText(name, 40),
    role,
    type,
    distinct === null ? '' : counted(distinct, 'value'),
    missing === 0 ? '' : `${wholeNumber(missing)} missing`,
  ]);
  return [
    `Table ${nameText(file)}`,
    ...factLines(facts),
    '',
    textTable(table),
    ...(hidden.size > 0 ? [wrapText(`... and ${counted(hidden.size, 'more column', 'more columns')}.`)] : []),
    ...(notes.length > 0 ? ['', ...notes.map((note) => wrapText(note, '  - '))] : []),
  ].join('\n');
}

const isRole = (role: string) => role !== 'X' && role !== 'left out';

function kindsOf(columns: readonly TableColumnInfo[]): string {
  const { values, counts } = countValues(columns.map(({ type }) => type));
  return values.map((type, at) => `${counts[at]} ${type}`).join(', ');
}

/** What to say where `name` is no class: the nearest one, or what is known, of those that may be printed. */
const classSuggestion = (name: string, classes: readonly Label[]): string => {
  const isMeant = (label: Label) => String(label).toLowerCase() === name.toLowerCase();
  const shown = printable(classes).map((each, code) => String(isMeant(classes[code]) ? classes[code] : each));
  return suggestion(name, shown);
};
