import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { formatNumber } from '../core/format.js';
import { type InputOf, integer, optionTable, string } from '../core/options.js';
import type { FoldDetails } from '../runner/foldResult.js';
import type { FitHistory } from '../runner/frameworkAdapter.js';
import { curve, type LegendEntry, marks, type Point, series } from './plane.js';
import { planePicture } from './planePicture.js';
import { checkParts, pictureOptions } from './risks.js';
import type { Svg } from './svg.js';

export const plotHistoryOptions = optionTable('plotHistory', {
  log: string()
    .default('loss')
    .describe("The log of each epoch that is drawn; 'val_' before its name is the one of validation rows."),
  title: string().optional().describe('Heading; names the log when left out.'),
  width: pictureOptions.width,
  maxFolds: integer({ min: 1, max: 30 })
    .default(10)
    .describe('Folds that are drawn; the picture says how many there are.'),
});
export type PlotHistoryOptions = InputOf<typeof plotHistoryOptions>;

interface Trained {
  readonly histories: readonly FitHistory[];
  readonly foldDetails: readonly Pick<FoldDetails, 'fold' | 'keptEpoch'>[];
}

/**
 * The training of each fold: a log over the epochs, on training rows (thin) and on validation rows (thick), with a mark at the epoch whose
 * weights were kept. Test rows are in neither.
 *
 * @param results what `run` or `validate` gives, awaited
 * @throws {InvalidDataError} where no fold has that log
 * @example
 * const trained = await runner.run({ model: network, data: [X, y], preprocessing, ...training });
 * const picture = plotHistory(trained, { log: 'loss' });
 * await writeFile('training.svg', String(picture));
 * console.log(picture.description);
 */
export function plotHistory(results: Trained, input: PlotHistoryOptions = {}): Svg {
  const { log, title = `Training: ${log}`, width, maxFolds } = plotHistoryOptions.resolve(input);
  checkParts('plotHistory', results, 'histories', 'foldDetails');
  const folds = results.foldDetails.flatMap(({ fold, keptEpoch }, at) => {
    const epochs = results.histories[at]?.epochs ?? [];
    const linesOf = (name: string): Point[] =>
      epochs.flatMap((logs, epoch) => (typeof logs[name] === 'number' ? [[epoch + 1, logs[name]]] : []));
    const [train, validation] = [linesOf(log), linesOf(`val_${log}`)];
    return train.length + validation.length > 0 ? [{ fold, keptEpoch, train, validation }] : [];
  });
  if (folds.length === 0) {
    const known = [...new Set(results.histories.flatMap(({ epochs }) => Object.keys(epochs[0] ?? {})))];
    const got = known.length > 0 ? `logs named ${known.slice(0, 8).join(', ')}` : 'no epochs';
    throw new InvalidDataError(sentence('The results given to plotHistory', `have the log '${log}'`, phrase(got)), {
      code: 'no_history',
    });
  }
  const drawn = folds.slice(0, maxFolds);
  const all = drawn.flatMap(({ train, validation }) => [...train, ...validation]);
  const [low, high] = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))];
  const space = 0.04 * (high - low || Math.abs(high) || 1);
  const last = Math.max(...all.map(([x]) => x));
  const entries: LegendEntry[] = drawn.map(({ fold }, at) => ({ ...series(at), label: fold, as: 'line' }));
  if (drawn.some(({ keptEpoch }) => keptEpoch !== null))
    entries.push({ label: 'kept weights', as: 'mark', colour: '#333333', class: 'mean' });
  const hasBoth = drawn.some(({ train, validation }) => train.length > 0 && validation.length > 0);
  const kept = ({ keptEpoch, train, validation }: (typeof drawn)[number]): Point[] =>
    keptEpoch === null ? [] : (validation.length > 0 ? validation : train).filter(([epoch]) => epoch === keptEpoch + 1);
  return planePicture({
    ...{ title, width, ratio: 0.62, legend: entries },
    x: {
      label: 'epoch',
      domain: [1, Math.max(2, last)],
      ticks: last < 8 ? last : 6,
      format: (value) => (Number.isInteger(value) ? String(value) : ''),
    },
    y: { label: log, domain: [low - space, high + space] },
    draw: (on) =>
      drawn.flatMap((each, at) => [
        curve(on, each.train, series(at), each.validation.length > 0 ? THIN : {}),
        curve(on, each.validation, series(at)),
        marks(on, kept(each), { ...series(at), mark: series(0).mark }, 60),
      ]),
    note: [
      ...(hasBoth ? ['Thin: training rows; thick: validation rows.'] : []),
      ...(folds.length > drawn.length ? [`Shown: ${drawn.length} of ${folds.length} folds.`] : []),
    ].join(' '),
    description: `${log} over up to ${last} epochs in ${folds.length} folds.`,
    table: {
      header: ['fold', 'epochs', 'kept epoch', `last ${log}`, `last val_${log}`],
      rows: folds.map(({ fold, keptEpoch, train, validation }) => [
        ...[fold, String(Math.max(train.length, validation.length)), keptEpoch === null ? '-' : String(keptEpoch + 1)],
        ...[train, validation].map((line) => formatNumber(line.at(-1)?.[1] ?? null)),
      ]),
    },
  });
}

const THIN = { 'stroke-width': 1, 'stroke-opacity': 0.7 };
