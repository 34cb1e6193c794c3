/** The table that a command is about: options of `readTable` from those of the command line. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { namesShown } from '../table/rawTable.js';
import { readTable, type TableData, type TableWithoutTarget, type TimedTableData } from '../table/readTable.js';
import { DELIMITERS, type Delimiter, type ReadTableOptions } from '../table/readTableOptions.js';
import { definedOf, type StudyFlags, type TableFlags } from './flags.js';

/** Flags that are called as options of `readTable` are. */
const ALIKE = [
  ...(['target', 'time', 'event', 'groups', 'timestamps', 'sites', 'coordinates', 'columns', 'drop', 'types'] as const),
  ...(['missingTarget', 'detectionLimit', 'decimal', 'encoding', 'dateFormat', 'format', 'skip', 'sheet'] as const),
];

/** Options of `readTable`; what was not written is not there. */
export function tableOptions(flags: TableFlags): ReadTableOptions {
  const { delimiter, missing, weights, positiveLabel } = flags;
  const options = {
    ...Object.fromEntries(ALIKE.map((name) => [name, flags[name]])),
    ...{ sampleWeight: weights, alsoMissing: missing },
    delimiter: delimiter && delimiterOf(delimiter),
    positiveLabel: positiveLabel === undefined ? undefined : labelOf(positiveLabel),
  };
  return definedOf(options) as ReadTableOptions;
}

const delimiterOf = (name: string) => Object.entries(DELIMITERS).find(([, each]) => each === name)?.[0] as Delimiter;

/** A number is one in a table, too. */
export const labelOf = (text: string): string | number =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

/** A table with an outcome. */
export type OutcomeTable = TableData | TimedTableData;

/** @throws {InvalidOptionError} without `--target`, or `--time` and `--event` */
export async function tableWithTarget(command: string, file: string, flags: TableFlags): Promise<OutcomeTable> {
  const { target, time, event, method = '', timestamps } = flags as StudyFlags;
  if (/temporal|time|window|purged/.test(method) && timestamps === undefined) {
    const got = phrase('none, so that the order of the rows would be taken for time');
    throw new InvalidOptionError(sentence(`--method ${method}`, 'come with --timestamps COLUMN', got));
  }
  if (target !== undefined || time !== undefined || event !== undefined) {
    return readTable(file, tableOptions(flags)) as Promise<OutcomeTable>;
  }
  const names = (
    await readTable(file, tableOptions({ ...flags, positiveLabel: undefined, missingTarget: undefined }))
  ).info.columns
    .map(({ name }) => name)
    .slice(0, 30);
  const shown = namesShown(names);
  const way = shown.length > 0 ? `The columns are ${shown.join(', ')}.` : undefined;
  const message = sentence(
    `\`cvkit ${command}\` of a table`,
    'be called with --target COLUMN, or --time and --event',
    phrase('none'),
    way,
  );
  throw new InvalidOptionError(message, { code: 'missing_option' });
}

export const tableWithoutTarget = (file: string, flags: TableFlags): Promise<TableWithoutTarget> =>
  readTable(file, { ...tableOptions(flags), target: undefined }) as Promise<TableWithoutTarget>;
