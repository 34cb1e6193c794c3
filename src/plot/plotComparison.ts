import { headText } from '../core/foreignText.js';
import { percentOf } from '../core/format.js';
import { type InputOf, optionTable } from '../core/options.js';
import type { Interval } from '../intervals/interval.js';
import type { Score } from '../metrics/metric.js';
import { type ForestRow, forestOf, isForestRow } from './plotForest.js';
import { checkSource, pictureOptions } from './risks.js';
import type { Svg } from './svg.js';

export const plotComparisonOptions = optionTable('plotComparison', pictureOptions);
export type PlotComparisonOptions = InputOf<typeof plotComparisonOptions>;

interface Difference {
  readonly difference: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly reason?: string;
}

type Compared = { readonly metric: string; readonly level: number } & (
  | {
      /** Differences up to this are of no practical importance. */
      readonly rope: number;
      readonly correctedT: Difference;
      readonly halfContrasts: Difference;
      readonly paired: Difference & { readonly method: string };
    }
  | {
      readonly rows: readonly {
        readonly name: string;
        readonly interval: Pick<Interval, 'estimate' | 'lower' | 'upper' | 'reason'> | null;
        readonly scores: readonly Score[];
        readonly reason: string | null;
      }[];
    }
);

/**
 * A comparison of models on the same folds as a forest. Of two models: the difference A - B by each test, the line of no difference, and
 * the region of practical equivalence in grey; tests about the procedures speak of training on other patients, those about the
 * predictions of these fitted models. Of several: each model's score with its interval and a dot for each fold.
 * Overlap of two models' intervals says little about their difference, which is paired.
 * Source: Nadeau & Bengio 2003, Machine Learning 52:239; see `compareModels`, whose numbers these are.
 *
 * @param source what `compareModels` gives, awaited
 * @throws {InvalidDataError} for anything else, and where nothing has an estimate
 * @example
 * const picture = plotComparison(compareModels(logistic, ridge, { metric: 'roc_auc' }));
 * await writeFile('comparison.svg', String(picture));
 * console.log(picture.description);
 */
export function plotComparison(source: Compared, input: PlotComparisonOptions = {}): Svg {
  const { title, width } = plotComparisonOptions.resolve(input);
  const { metric, level } = Object(source) as Compared;
  const rows = rowsOf(source);
  const fits = typeof metric === 'string' && Number.isFinite(level) && rows?.every(isForestRow) === true;
  checkSource('plotComparison', 'be what `compareModels` gives, awaited', source, fits);
  const [name, of] = [headText(metric), 'What is given to plotComparison'];
  if ('rows' in source) {
    const note = `Each ${percentOf(level)} interval stands alone; a dot for each fold.`;
    return forestOf(of, rows as ForestRow[], { title: title ?? `Models: ${name}`, label: name, width, note });
  }
  const { rope } = source;
  const grey = rope > 0 ? `Grey: differences of no practical importance, up to ${rope}. ` : '';
  return forestOf(of, rows as ForestRow[], {
    ...{ title: title ?? `Difference A - B in ${name}`, label: `A - B in ${name}`, width, reference: 0 },
    ...{ range: rope > 0 ? [-rope, rope] : undefined, note: `${grey}${percentOf(level)} intervals.` },
  });
}

/** Undefined for what has no such rows. */
function rowsOf(source: Compared): ForestRow[] | undefined {
  const asRow = (label: string, answer: Difference): ForestRow => {
    const { difference: estimate, ...limits } = Object(answer) as Difference;
    return { ...limits, label, estimate };
  };
  if ('correctedT' in Object(source)) {
    const { correctedT, halfContrasts, paired } = source as Extract<Compared, { readonly rope: number }>;
    const name = Object(paired).method === 'delong' ? 'paired DeLong' : 'paired';
    return [
      asRow('procedures: corrected t', correctedT),
      // Without `ciFits` there is none, which is no news.
      ...(Object(halfContrasts).lower === null ? [] : [asRow('procedures: half contrasts', halfContrasts)]),
      asRow(`predictions: ${name}`, paired),
    ];
  }
  const { rows } = Object(source) as Extract<Compared, { readonly rows: unknown }>;
  if (!Array.isArray(rows)) return undefined;
  return rows.map((row) => {
    const { name, interval, scores, reason } = Object(row) as (typeof rows)[number];
    return {
      ...{ estimate: null, lower: null, upper: null, ...(reason ? { reason } : {}), ...interval },
      label: headText(String(name)),
      points: Array.isArray(scores) ? scores.map((score: unknown) => (Object(score) as Score).value) : [],
    };
  });
}
