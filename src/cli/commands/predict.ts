/** `cvkit predict`: new rows by a saved model, and its scores there where outcomes are known. */
import { InvalidDataError, InvalidOptionError, phrase, sentence, suggestion } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import type { Label } from '../../data/labels.js';
import { loadModel } from '../../runner/loadModel.js';
import { evaluate } from '../../validator/evaluate.js';
import type { EvaluateOptions } from '../../validator/evaluateOptions.js';
import { definedOf, type Flags } from '../flags.js';
import type { Work } from '../program.js';
import { tableWithoutTarget, tableWithTarget } from '../table.js';
import { inFlags } from '../words.js';
import { showResult } from './run.js';

export const predictCommand: Work = async ([place, file], flags, output) => {
  await output.checkPlaces([place, file]);
  const model = await loadModel(place);
  const { featureNames } = model.describe();
  // The columns that the model was trained on, in their order; others are no features here.
  const columns = flags.columns ?? featureNames ?? undefined;
  const read = <T>(table: Promise<T>) =>
    table.catch(async (error) => {
      if (!flags.columns && featureNames && error?.code === 'unknown_column')
        await refuseMissing(file, flags, featureNames);
      throw error;
    });
  if (flags.target !== undefined) {
    const options = { ...flags, ...definedOf({ columns }), positiveLabel: undefined };
    const table = await read(tableWithTarget('predict', file, options));
    output.say(`${inFlags(table.summary())}\n`);
    const { X, y: yTrue, groups, sampleWeight } = table;
    const result = await evaluate({ model, X, yTrue, ...definedOf({ groups, sampleWeight }) } as EvaluateOptions);
    return showResult(result, { file, lineOf: table.lineOf }, flags, output);
  }
  if (flags.report !== undefined) {
    const must = 'come with --target: predictions without outcomes have no report';
    throw new InvalidOptionError(sentence('--report of `cvkit predict`', must, phrase('none')), {
      code: 'idle_option',
    });
  }
  const table = await read(tableWithoutTarget(file, { ...flags, ...definedOf({ columns }) }));
  output.say(`${inFlags(table.summary())}\n`);
  const { predictions, probabilities } = await model.predict(table.X);
  const { classes } = model.describe();
  const rows = probabilities && classes.length > 0 ? await model.predictProba(table.X) : undefined;
  const labels = Array.from(predictions as ArrayLike<Label>);
  await output.result(
    flags.reporter === 'json'
      ? JSON.stringify({ classes, predictions: labels, probabilities: rows ?? null })
      : csvOf(labels, classes, rows, table.lineOf),
  );
  return 0;
};

/** @throws {InvalidDataError} for a column of the model that the file does not have */
async function refuseMissing(file: string, flags: Flags, wanted: readonly string[]): Promise<void> {
  const { info } = await tableWithoutTarget(file, { ...flags, columns: undefined, positiveLabel: undefined });
  const names = info.columns.map(({ name }) => name);
  const missing = wanted.find((name) => !names.includes(name));
  if (missing === undefined) return;
  const must = `have the column '${nameText(missing)}', which the model was trained on`;
  throw new InvalidDataError(
    sentence(`The file ${file}`, must, phrase('none of that name'), suggestion(missing, names)),
    {
      code: 'unknown_column',
    },
  );
}

/** A line for each row, which is named by its place in the file; ids are not printed. */
function csvOf(
  labels: readonly Label[],
  classes: readonly Label[],
  probabilities: readonly (readonly number[])[] | undefined,
  lineOf: (row: number) => number,
): string {
  const hasLines = !Number.isNaN(lineOf(0));
  const header = [
    hasLines ? 'line' : 'row',
    'prediction',
    ...(probabilities ? classes.map((each) => `p_${each}`) : []),
  ];
  const rows = labels.map((label, row) => [hasLines ? lineOf(row) : row, label, ...(probabilities?.[row] ?? [])]);
  return [header, ...rows].map((cells) => cells.map((cell) => cellOf(String(cell))).join(',')).join('\n');
}

const cellOf = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
