/** `cvkit evaluate`: predictions that are there already. */
import { InvalidDataError, InvalidOptionError, phrase, sentence, suggestion } from '../../core/errors.js';
import { type Label, labelsOf } from '../../data/labels.js';
import { readTable, type TableData } from '../../table/readTable.js';
import { evaluate } from '../../validator/evaluate.js';
import type { EvaluateOptions } from '../../validator/evaluateOptions.js';
import { definedOf, type Flags } from '../flags.js';
import type { Work } from '../program.js';
import { labelOf, tableOptions } from '../table.js';
import { showResult } from './run.js';

/** The usual name of a column of patients is taken where nothing is said. */
const PATIENT = /^patient(_?id)?$/i;

export const evaluateCommand: Work = async ([file], flags, output) => {
  await output.checkPlaces([file]);
  const { probability, prediction, fold, metrics, threshold } = flags as Flags & EvaluateFlags;
  if (probability && prediction) {
    const must = 'be called with --probability or with --prediction';
    throw new InvalidOptionError(sentence('`cvkit evaluate`', must, phrase('both')), { code: 'duplicate_option' });
  }
  const names = (await readTable(file, tableOptions({ ...flags, ...NOTHING }))).info.columns.map(({ name }) => name);
  const scores = prediction ? [prediction] : (probability ?? ['p']);
  const groups = flags.groups ?? names.find((name) => PATIENT.test(name));
  const { target = 'y' } = flags;
  const columns = [...scores, ...(fold ? [fold] : [])];
  for (const [option, named] of Object.entries({
    [prediction ? 'prediction' : 'probability']: scores,
    fold: fold ? [fold] : [],
  })) {
    const missing = named.find((name) => !names.includes(name));
    if (missing === undefined) continue;
    const must = `name ${named.length > 1 ? 'columns' : 'a column'} of the file`;
    throw new InvalidOptionError(sentence(`--${option}`, must, missing, suggestion(missing, names)), {
      code: 'unknown_column',
    });
  }
  const types = fold ? { [fold]: 'categorical' } : undefined;
  const options = tableOptions({ ...flags, ...definedOf({ groups, types }), columns });
  const table = await readTable(file, { ...options, target });
  const { y, positiveLabel } = table;
  const classes = classesOf(flags, scores, table);
  const result = await evaluate({
    yTrue: y,
    ...(prediction ? { yPred: table.X[prediction] } : { yProba: probabilitiesOf(table, scores) }),
    ...definedOf({ groups: table.groups, positiveLabel, metrics, fold: fold && table.X[fold] }),
    ...definedOf({ classes }),
    ...(threshold === undefined ? {} : { yPred: labelsAt(threshold, table, prediction ? [] : scores) }),
  } as EvaluateOptions);
  const isBinary = result.manifest.task === 'binary';
  return showResult(
    result,
    { file, lineOf: table.lineOf },
    flags,
    output,
    isBinary ? `\n\n${result.clinical().text}` : '',
  );
};

interface EvaluateFlags {
  readonly probability?: string[];
  readonly prediction?: string;
  readonly classes?: string[];
  readonly fold?: string;
  readonly threshold?: number;
}

const NOTHING = { target: undefined, groups: undefined, positiveLabel: undefined, missingTarget: undefined } as const;

/** In the order of the columns: as `--classes` says, or as columns are called that have the names of the classes. */
function classesOf(flags: Flags & EvaluateFlags, columns: readonly string[], { y }: TableData): Label[] | undefined {
  if (flags.classes) return flags.classes.map(labelOf);
  if (columns.length === 1) return undefined;
  const { classes } = labelsOf(y);
  const named = columns.flatMap((name) => classes.filter((each) => String(each) === name));
  if (named.length === columns.length && named.length === classes.length) return named;
  const got = phrase('columns that are not called as the classes are');
  const way = 'For example --classes low,mid,high.';
  throw new InvalidOptionError(
    sentence('Several columns of --probability', 'come with --classes, in their order', got, way),
  );
}

/** The positive class from the threshold on. */
function labelsAt(threshold: number, table: TableData, columns: readonly string[]): Label[] {
  const { classes } = labelsOf(table.y);
  if (columns.length !== 1 || classes.length !== 2) {
    const got = columns.length === 0 ? '--prediction' : `${columns.length} of them, and ${classes.length} classes`;
    const must = 'come with one column of probabilities, of two classes';
    throw new InvalidOptionError(sentence('--threshold', must, phrase(got)));
  }
  const { positiveLabel: positive = classes[1] } = table;
  const negative = classes.find((each) => each !== positive) as Label;
  return Array.from(probabilitiesOf(table, columns) as ArrayLike<number>, (p) =>
    p >= threshold ? positive : negative,
  );
}

function probabilitiesOf({ X, y }: TableData, names: readonly string[]): ArrayLike<number> | number[][] {
  const columns = names.map((name) => {
    const column = X[name];
    if (column instanceof Float64Array) return column;
    throw new InvalidDataError(sentence(`The column '${name}'`, 'hold probabilities', phrase('texts')));
  });
  if (columns.length === 1) return columns[0];
  return Array.from({ length: y.length }, (_, row) => columns.map((column) => column[row]));
}
