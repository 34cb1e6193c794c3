import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { wholeNumber, wholePercent } from '../core/format.js';
import { labelsBehind } from '../core/labelsBehind.js';
import { type InputOf, integer, optionTable, string } from '../core/options.js';
import { classText, type Label, labelsOf } from '../data/labels.js';
import { type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import { SMALL } from './plane.js';
import { type PlottedResults, taskOf } from './plottedResults.js';
import { isResults, pictureOptions } from './risks.js';
import { element, heading, paragraph, Svg, short, words } from './svg.js';

export const plotConfusionOptions = optionTable('plotConfusion', {
  title: string().default('Confusion matrix').describe('Heading.'),
  width: pictureOptions.width,
  maxClasses: integer({ min: 2, max: 30 })
    .default(10)
    .describe('Classes with a row of their own: the most frequent; others stand together.'),
});
export type PlotConfusionOptions = InputOf<typeof plotConfusionOptions>;

interface Predicted {
  readonly yTrue: ArrayLike<Label>;
  readonly yPred: ArrayLike<Label>;
  readonly sampleWeight?: ArrayLike<number>;
}

const OTHERS = 'others';

/**
 * How rows of each class (lines) were predicted (columns): counts of all tested rows, and colours for the share of the line.
 * Repeats of a run count each row once per repeat; weights count as weights.
 *
 * @param source what `run`, `validate` or `evaluate` gives, awaited, or plain labels
 * @throws {InvalidDataError} for a task without classes
 * @example
 * const picture = plotConfusion(result);
 * await writeFile('confusion.svg', String(picture));
 * console.log(picture.description);
 */
export function plotConfusion(
  source: (PlottedResults & { readonly outOfFold: Pick<OutOfFold, 'yPred'> }) | Predicted,
  input: PlotConfusionOptions = {},
): Svg {
  const { title, width, maxClasses } = plotConfusionOptions.resolve(input);
  const { names, counts } = countsOf(source, maxClasses);
  const k = names.length;
  const [left, top] = [Math.min(110, 0.28 * width), 52];
  const wide = (width - left - 14) / k;
  // Names of narrow columns are turned, and reach beyond the last one.
  const isTurned = wide < 46;
  const side = Math.min(64, isTurned ? (width - left - 34) / k : wide);
  const high = Math.max(side, 13);
  const longest = Math.max(...counts.flat().map((count) => wholeNumber(Math.round(count)).length));
  const size = side < 30 || longest > side / 8 ? 9 : 12;
  const fits = 0.6 * size * longest < side;
  // So many columns apart, turned names do not cover each other.
  const every = isTurned ? Math.ceil(18 / side) : 1;
  const head = heading(title, 14, width);
  const y0 = head.height + top;
  const cells = counts.flatMap((row, truth) => {
    const total = row.reduce((sum, each) => sum + each, 0);
    return row.map((count, predicted) => {
      const share = total === 0 ? 0 : count / total;
      const [x, y] = [left + predicted * side, y0 + truth * high];
      const attributes = {
        x,
        y,
        width: side - 1,
        height: high - 1,
        fill: '#0072b2',
        'fill-opacity': 0.06 + 0.8 * share,
      };
      const number = words(wholeNumber(Math.round(count)), {
        ...{ x: x + side / 2, y: y + high / 2 + 4, 'text-anchor': 'middle', 'font-size': size },
        ...(share > 0.55 ? { fill: 'white', class: 'on' } : {}),
      });
      return element('rect', { ...attributes, class: 'cell' }) + (fits ? number : '');
    });
  });
  const labels = names.flatMap((name, at) => {
    const [x, y] = [left + (at + 0.5) * side, y0 - 8];
    const turned = isTurned
      ? { transform: `rotate(-40,${Math.round(x)},${Math.round(y)})`, 'text-anchor': 'start' }
      : { 'text-anchor': 'middle' };
    return [
      words(short(name, Math.floor((left - 8) / SMALL), 4), {
        ...{ x: left - 8, y: y0 + (at + 0.5) * high + 4, 'text-anchor': 'end', 'font-size': 11 },
      }),
      at % every === 0
        ? words(short(name, isTurned ? 7 : Math.floor(side / 7), 2), { x, y, 'font-size': 11, ...turned })
        : '',
    ];
  });
  const bottom = y0 + k * high;
  const text = `Lines: the truth. Columns: the prediction${every > 1 ? ', in the order of the lines' : ''}.`;
  const note = paragraph(fits ? text : `${text} Counts are in the table.`, width - 28, { x: 14, y: bottom + 20 });
  return new Svg(
    {
      ...{ title, width, height: bottom + note.height + 12 },
      description: `Counts of ${k} classes by truth and prediction.`,
      table: {
        header: ['truth', ...names, 'predicted right'],
        rows: counts.map((row, truth) => {
          const total = row.reduce((sum, each) => sum + each, 0);
          return [
            names[truth],
            ...row.map((each) => wholeNumber(Math.round(each))),
            total === 0 ? 'none' : wholePercent(row[truth] / total),
          ];
        }),
      },
    },
    head.markup,
    ...cells,
    ...labels,
    note.markup,
  );
}

function countsOf(source: Parameters<typeof plotConfusion>[0], most: number) {
  const table = isResults(source) ? tableOfResults(source) : scoreTable(withoutPositive(source as Predicted));
  if (table.task !== 'binary' && table.task !== 'multiclass') {
    const got = phrase(`a ${table.task} task`);
    throw new InvalidDataError(sentence('The labels of plotConfusion', 'be of a task with classes', got), {
      code: 'no_classes',
    });
  }
  const { classes, yTrue, yPred, weight, length } = table;
  const frequency = new Float64Array(classes.length);
  for (let row = 0; row < length; row++) frequency[yTrue[row]]++;
  const kept = Array.from(classes.keys())
    .sort((a, b) => frequency[b] - frequency[a] || a - b)
    .slice(0, classes.length > most ? most - 1 : most)
    .sort((a, b) => a - b);
  const place = new Map(kept.map((code, at) => [code, at]));
  const names = kept.map((code) => nameText(classText(classes, code)));
  if (kept.length < classes.length) names.push(`${classes.length - kept.length} ${OTHERS}`);
  const counts = names.map(() => new Array<number>(names.length).fill(0));
  const at = (code: number) => place.get(code) ?? names.length - 1;
  for (let row = 0; row < length; row++) counts[at(yTrue[row])][at(yPred[row])] += weight ? weight[row] : 1;
  return { names, counts };
}

/** Counts need no positive class. */
function withoutPositive(source: Predicted): ScoreTableInput {
  const { yTrue } = Object(source) as Predicted;
  const isBinary = labelsOf(yTrue, { name: 'yTrue' }).task === 'binary';
  return { ...source, ...(isBinary ? { task: 'multiclass' } : {}) } as ScoreTableInput;
}

function tableOfResults(results: PlottedResults & { readonly outOfFold: Pick<OutOfFold, 'yPred'> }) {
  const { outOfFold } = results;
  const { task, classes } = taskOf(results);
  const labels = labelsBehind(classes, [...outOfFold.yTrue, ...outOfFold.yPred] as Label[]) ?? classes;
  const codes = new Map(labels.map((label, code) => [String(label), code]));
  const code = (labels: readonly unknown[]) => Int32Array.from(labels, (label) => codes.get(String(label)) as number);
  return {
    ...{ task, classes, length: outOfFold.yTrue.length, weight: outOfFold.weight ?? undefined },
    ...{ yTrue: code(outOfFold.yTrue), yPred: code(outOfFold.yPred) },
  };
}
