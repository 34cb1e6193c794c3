import { headText } from '../core/foreignText.js';
import { wholeNumber } from '../core/format.js';
import { type InputOf, integer, optionTable } from '../core/options.js';
import type { Interval } from '../intervals/interval.js';
import { forestOf, isForestRow } from './plotForest.js';
import { checkSource, pictureOptions } from './risks.js';
import type { Svg } from './svg.js';

export const plotImportanceOptions = optionTable('plotImportance', {
  ...pictureOptions,
  maxFeatures: integer({ min: 1, max: 200 })
    .default(20)
    .describe('Features to draw, the largest drops first; the picture says how many there are.'),
});
export type PlotImportanceOptions = InputOf<typeof plotImportanceOptions>;

interface Importance {
  readonly metric: string;
  readonly unit: string;
  readonly features: readonly {
    readonly feature: string;
    /** Of the drop. */
    readonly interval: Pick<Interval, 'estimate' | 'lower' | 'upper' | 'reason'>;
    /** Drop in each fold. */
    readonly values: readonly (number | null)[];
  }[];
}

/**
 * Permutation importance as a forest: how much worse the score on test rows becomes when a feature is permuted among them, with its
 * interval and a dot for each fold, the largest drop first. It is about this model: of two features that say the same, each can have a
 * drop near 0. Source: Fisher, Rudin & Dominici 2019, Journal of Machine Learning Research 20:177.
 *
 * @param source permutation importance, or a result that has it as `importance`
 * @throws {InvalidDataError} for anything else, and where no feature has a drop
 * @example
 * const weighed = await runner.run({ model, data: [X, y], preprocessing, metrics: ['roc_auc'], importance: true });
 * const picture = plotImportance(weighed, { maxFeatures: 10 });
 * await writeFile('importance.svg', String(picture));
 * console.log(picture.description);
 */
export function plotImportance(
  source: Importance | { readonly importance: Importance },
  input: PlotImportanceOptions = {},
): Svg {
  const { title, width, maxFeatures } = plotImportanceOptions.resolve(input);
  const { importance = source } = Object(source) as { readonly importance?: unknown };
  const { metric, unit, features } = Object(importance) as Importance;
  const rows = Array.isArray(features)
    ? features.map((each) => {
        const { feature, interval, values } = Object(each) as Importance['features'][number];
        const label = typeof feature === 'string' ? headText(feature) : feature;
        return { ...interval, label, points: values };
      })
    : [];
  const fits = typeof metric === 'string' && Array.isArray(features) && rows.every(isForestRow);
  const must = 'be permutation importance, { metric, unit, features }, or a result that has it as `importance`';
  checkSource('plotImportance', must, source, fits);
  const drop = ({ estimate }: (typeof rows)[number]) => estimate ?? Number.NEGATIVE_INFINITY;
  const sorted = rows.sort((a, b) => Math.sign(drop(b) - drop(a)) || 0).slice(0, maxFeatures);
  const name = headText(metric);
  const omitted = features.length - sorted.length;
  const whole = `${unit === 'row' ? '' : 'Whole patients are permuted. '}Dots: folds.`;
  const shown = `Shown: ${sorted.length} of ${wholeNumber(features.length)} features, the largest drops.`;
  return forestOf('The features of plotImportance', sorted, {
    ...{ title: title ?? `Importance: ${name}`, label: `${name} is worse by, when permuted`, reference: 0, width },
    note: omitted > 0 ? `${whole} ${shown}` : whole,
  });
}
