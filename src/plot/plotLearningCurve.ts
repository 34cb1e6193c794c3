import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { headText, nameText } from '../core/foreignText.js';
import { formatNumber, percentOf } from '../core/format.js';
import { type InputOf, optionTable } from '../core/options.js';
import type { Interval } from '../intervals/interval.js';
import type { Score } from '../metrics/metric.js';
import { curve, marks, type Plane, type Point, series } from './plane.js';
import { planePicture } from './planePicture.js';
import { checkSource, pictureOptions } from './risks.js';
import { element, round, type Svg } from './svg.js';

export const plotLearningCurveOptions = optionTable('plotLearningCurve', pictureOptions);
export type PlotLearningCurveOptions = InputOf<typeof plotLearningCurveOptions>;

type Test = Pick<Interval, 'estimate' | 'lower' | 'upper' | 'reason'> & { readonly level?: number };

interface Learned {
  readonly metric: string;
  readonly unit: string;
  readonly points: readonly { readonly nTrain: number; readonly test: Test; readonly train: Pick<Score, 'value'> }[];
}

const isNumber = (value: unknown) => value === null || Number.isFinite(value);

/**
 * A learning curve: the score on test rows with its interval, and on the training rows themselves, over the number of training patients
 * (rows without groups). A gap between the two lines that stays says that the model overfits, lines that still rise that more patients
 * would help. Source: Viering & Loog 2023, IEEE Transactions on Pattern Analysis and Machine Intelligence 45:7799.
 *
 * @param source what `learningCurve` gives, awaited
 * @throws {InvalidDataError} for anything else, and where no point has a score
 * @example
 * const curve = await learningCurve({ model, X, y, groups, cv });
 * const picture = plotLearningCurve(curve);
 * await writeFile('learning.svg', String(picture));
 * console.log(picture.description);
 */
export function plotLearningCurve(source: Learned, input: PlotLearningCurveOptions = {}): Svg {
  const { title, width } = plotLearningCurveOptions.resolve(input);
  const { metric, unit, points } = Object(source) as Learned;
  const isPoint = ({ nTrain, test, train } = Object() as Learned['points'][number]) =>
    Number.isFinite(nTrain) && [test?.estimate, test?.lower, test?.upper, train?.value].every(isNumber);
  const fits = typeof metric === 'string' && typeof unit === 'string' && Array.isArray(points);
  checkSource('plotLearningCurve', 'be what `learningCurve` gives, awaited', source, fits && points.every(isPoint));
  const [name, units] = [headText(metric), `${nameText(unit)}s`];
  const all = points.flatMap(({ test, train }) => [test.estimate, test.lower, test.upper, train.value]);
  const numbers = all.filter((value) => value !== null);
  if (numbers.length === 0) {
    throw new InvalidDataError(sentence('The points of plotLearningCurve', 'have a score', phrase('none')));
  }
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const space = 0.06 * (high - low || Math.abs(high) || 1);
  const line = (of: (point: Learned['points'][number]) => number | null) =>
    points.map((point): Point => [point.nTrain, of(point) ?? Number.NaN]);
  const [tested, trained] = [line(({ test }) => test.estimate), line(({ train }) => train.value)];
  const barsOn = ({ x, y }: Plane) =>
    points.flatMap(({ nTrain, test: { lower, upper } }) => {
      const at = round(x(nTrain));
      return lower === null || upper === null
        ? []
        : [`M${at},${round(y(lower))}V${round(y(upper))}m-4,0h8M${at},${round(y(lower))}m-4,0h8`];
    });
  const [first, second] = [series(0), series(1)];
  const level = points.find(({ test }) => test.level)?.test.level;
  const reasons = new Set(points.flatMap(({ test: { lower, reason } }) => (lower === null && reason ? [reason] : [])));
  return planePicture({
    ...{ title: title ?? `Learning curve: ${name}`, width, ratio: 0.62 },
    x: { label: `training ${units}`, domain: [0, 1.03 * Math.max(1, ...points.map(({ nTrain }) => nTrain))] },
    y: { label: name, domain: [low - space, high + space] },
    draw: (on) => [
      element('path', {
        ...{ d: barsOn(on).join(''), fill: 'none', stroke: first.colour, 'stroke-width': 1.5, class: 'line s0' },
      }),
      curve(on, trained, second),
      marks(on, trained, second),
      curve(on, tested, first),
      marks(on, tested, first),
    ],
    legend: [
      { ...first, label: `test rows, with ${level ? `${percentOf(level)} ` : ''}intervals`, as: 'line' },
      { ...second, label: `training rows`, as: 'line' },
    ],
    note: `Points share rows: read the shape, not the overlap of intervals. ${[...reasons].slice(0, 3).join('; ')}`.trim(),
    description: `${name} on test and on training rows at ${points.length} numbers of training ${units}.`,
    table: {
      header: [`training ${units}`, 'test', 'lower', 'upper', 'training rows'],
      rows: points.map(({ nTrain, test, train }) => [
        String(Math.round(nTrain)),
        ...[test.estimate, test.lower, test.upper, train.value].map(formatNumber),
      ]),
    },
  });
}
