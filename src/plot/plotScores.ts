import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { headText } from '../core/foreignText.js';
import { type InputOf, listOf, optionTable, string } from '../core/options.js';
import type { Interval } from '../intervals/interval.js';
import type { Score } from '../metrics/metric.js';
import { metricRegistry } from '../metrics/registry.js';
import { forestOf } from './plotForest.js';
import { checkParts, pictureOptions } from './risks.js';
import type { Svg } from './svg.js';

export const plotScoresOptions = optionTable('plotScores', {
  metrics: listOf<string>('string', 'be a list of names of scores', (v) => typeof v === 'string')
    .optional()
    .describe('Which scores; by default all that lie in [0, 1].'),
  title: string().default('Scores').describe('Heading.'),
  width: pictureOptions.width,
});
export type PlotScoresOptions = InputOf<typeof plotScoresOptions>;

interface Scored {
  readonly scores: Readonly<Record<string, readonly Score[]>>;
  readonly estimates: Readonly<Record<string, number | null>>;
  readonly confidenceIntervals?: Readonly<Record<string, Pick<Interval, 'estimate' | 'lower' | 'upper' | 'reason'>>>;
}

/**
 * Each score: its estimate and interval, and a dot for each fold. Dots spread more than an interval says: a fold is tested on fewer rows,
 * and the interval is about the whole.
 *
 * @param results what `run` or `validate` gives, awaited
 * @throws {InvalidDataError} where no score has a value
 * @example
 * const picture = plotScores(result);
 * await writeFile('scores.svg', String(picture));
 * console.log(picture.description);
 */
export function plotScores(results: Scored, input: PlotScoresOptions = {}): Svg {
  const { metrics, title, width } = plotScoresOptions.resolve(input);
  checkParts('plotScores', results, 'scores', 'estimates');
  const names = metrics ?? Object.keys(results.scores).filter((name) => isShare(results, name));
  const unknown = names.find((name) => !results.scores[name]);
  if (unknown !== undefined || names.length === 0) {
    const known = Object.keys(results.scores).slice(0, 12).join(', ');
    const got = unknown === undefined ? phrase('none in [0, 1]') : unknown;
    throw new InvalidDataError(sentence('The `metrics` of plotScores', `be scores of these results: ${known}`, got), {
      code: 'no_scores',
    });
  }
  const rows = names.map((name) => {
    const interval = results.confidenceIntervals?.[name];
    const values = results.scores[name].map(({ value }) => value);
    const defined = values.filter((value) => value !== null).length;
    return {
      label: headText(name),
      estimate: interval?.estimate ?? results.estimates[name],
      ...{ lower: interval?.lower ?? null, upper: interval?.upper ?? null },
      points: values,
      ...(defined < values.length ? { size: `${defined} of ${values.length} folds` } : {}),
    };
  });
  return forestOf('The scores of plotScores', rows, { title, label: 'estimate', note: 'A dot for each fold.', width });
}

/** Of a metric of cvkit its range tells; of one of the caller's own, its values. */
export function isShare({ scores, estimates }: Pick<Scored, 'scores' | 'estimates'>, name: string): boolean {
  if (metricRegistry.has(name)) {
    const [low, high] = metricRegistry.get(name).range;
    if (low < 0 || high > 1) return false;
  }
  return [estimates[name], ...scores[name].map(({ value }) => value)].every(
    (value) => value === null || (value >= 0 && value <= 1),
  );
}
