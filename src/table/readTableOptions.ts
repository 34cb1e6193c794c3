/** The options of `readTable`; in a file of their own, which needs no Node. */
import { custom, type InputOf, integer, isPlainObject, listOf, oneOf, optionTable, string } from '../core/options.js';
import { limitOptions } from '../core/unpackLimits.js';
import type { Label } from '../data/labels.js';
import { MISSING_MARKS } from '../data/missingMarks.js';

const COLUMN_TYPES = ['numeric', 'categorical', 'text', 'boolean', 'date', 'id'] as const;

/** What the cells of a column are, as `types` may say it. */
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Delimiters that are known, with their names. */
export const DELIMITERS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe', ' ': 'blank' } as const;
export type Delimiter = keyof typeof DELIMITERS;

/** Orders of day, month and year that `dateFormat` may name. */
const DATE_FORMATS = ['yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

const names = (must: string) => listOf<string>('string', must, (each) => typeof each === 'string' && each !== '');
const isMark = (each: unknown) => typeof each === 'string' || typeof each === 'number';
const column = (text: string) => string().optional().describe(text);

export const readTableOptions = optionTable('readTable', {
  target: column('Column that becomes `y`. Left out, there is no `y`: rows that a model shall predict.'),
  groups: column('Column of patient ids; it becomes `groups`, as text.').alias('patientIds'),
  timestamps: column('Column of times; numbers stay numbers, dates become `Date`s.'),
  labelEndTimes: column('Column that says when each label was known.'),
  sampleWeight: column('Column of weights.').alias('weights'),
  sites: column('Column of the site of each row; it becomes `hierarchy.site`.'),
  hierarchy: custom<Readonly<Record<string, string>>>(
    'record of level -> column',
    'be a record of level to the name of its column',
    (v) => isPlainObject(v) && Object.values(v).every((each) => typeof each === 'string'),
  )
    .optional()
    .describe('Columns of further levels of ids, as `{ ward: "ward_id" }`.'),
  time: string()
    .optional()
    .describe('Column of the follow-up of each row, above 0; with `event`, in the place of `target`.'),
  event: string()
    .optional()
    .describe(
      'Column of what happened then: 0 censored, 1 the event, other whole numbers competing events; or true, or two texts (`positiveLabel` names the event).',
    ),
  coordinates: custom<readonly [string, string]>(
    '[string, string]',
    'be the names of two columns',
    (v) => Array.isArray(v) && v.length === 2 && v.every((each) => typeof each === 'string'),
  )
    .optional()
    .describe('Two columns of places, `[x, y]` or `[lat, lon]`.'),
  columns: names('be names of columns')
    .optional()
    .describe('Columns of X, in this order. Left out: all numbers, categories and booleans; no ids, dates, texts.'),
  drop: listOf<string>('string', 'be names of columns', (each) => typeof each === 'string')
    .optional()
    .describe("Columns that X shall not have; '' is every column without a name in the header, as R writes row names."),
  columnNames: names('be names of columns')
    .optional()
    .describe('Names of the columns of a file that has no header (CSV), or no names (`.npy`).'),
  types: custom<Readonly<Record<string, ColumnType>>>(
    'record of column -> type',
    `be a record of column to one of ${COLUMN_TYPES.map((type) => `'${type}'`).join(', ')}`,
    (v) => isPlainObject(v) && Object.values(v).every((each) => COLUMN_TYPES.includes(each as ColumnType)),
  )
    .optional()
    .describe('What columns are, where the cells do not say it: `{ stage: "categorical" }`.'),
  missing: listOf<string>('string', 'be a list of texts', (each) => typeof each === 'string')
    .default(MISSING_MARKS)
    .describe('Texts that mean "missing", in place of the usual ones; the empty cell always does.'),
  alsoMissing: custom<readonly string[] | Readonly<Record<string, string | number | readonly (string | number)[]>>>(
    'list of texts, or record of column -> text, number or list',
    'be a list of texts, or a record of column to a text, a number or a list of them',
    (v) =>
      Array.isArray(v)
        ? v.every((each) => typeof each === 'string')
        : isPlainObject(v) && Object.values(v).every((each) => [each].flat().every(isMark)),
  )
    .default([])
    .describe('Further marks of "missing", of all columns (`[\'-999\']`) or of some (`{ weight: [99, 999] }`).'),
  detectionLimit: oneOf('limit', 'half', 'missing')
    .optional()
    .describe(
      'What `<0.5` and `>100` among numbers of X become: the limit, half of it (`>`: the limit), or missing; left out, text.',
    ),
  missingTarget: oneOf('refuse', 'drop')
    .default('refuse')
    .describe('What becomes of rows without a target: an error with their number, or they are left out and counted.'),
  positiveLabel: custom<Label>('label', 'be a string, a number or a boolean', (v) =>
    ['string', 'number', 'boolean'].includes(typeof v),
  )
    .optional()
    .describe('The positive class; handed on after a check that the target holds it.'),
  format: oneOf('csv', 'jsonl', 'parquet', 'npy', 'xlsx')
    .optional()
    .describe('What the file is; left out, the first bytes and the ending of its name say it.'),
  delimiter: oneOf(...(Object.keys(DELIMITERS) as Delimiter[]))
    .optional()
    .describe('What stands between cells of a CSV file; left out, the first lines say it.'),
  decimal: oneOf('.', ',').optional().describe('Decimal mark of a CSV file; left out, the first lines say it.'),
  dateFormat: oneOf(...DATE_FORMATS)
    .optional()
    .describe('Order of day, month and year; left out, dates that could be read in two ways are refused.'),
  skip: integer({ min: 0 })
    .optional()
    .describe(
      'Lines before the header of a CSV file or a sheet; left out, titles and comments are found, with a note.',
    ),
  sheet: string().optional().describe('Sheet of an `.xlsx` file; left out, the first.'),
  encoding: oneOf('utf-8', 'windows-1252', 'utf-16le')
    .default('utf-8')
    .describe(
      'Encoding of a text file. UTF-16 with its mark at the beginning is found; what else is not valid UTF-8 is refused, not guessed.',
    ),
  ...limitOptions,
});
export type ReadTableOptions = InputOf<typeof readTableOptions>;
