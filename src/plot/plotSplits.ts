import { type InputOf, integer, oneOf, optionTable, string } from '../core/options.js';
import type { LabelsInput } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import type { SideData } from '../data/sideData.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { labelsAndOptions, type Splitter, splitDataOptions } from '../splitters/splitter.js';
import { drawnFolds } from './figure.js';
import { mapsOfFolds } from './mapsOfFolds.js';
import { stripsOfFolds } from './stripsOfFolds.js';

export const plotSplitsOptions = optionTable('plotSplits', {
  ...splitDataOptions.shape,
  axes: oneOf('xy', 'latlon').default('xy').describe("What coordinates are: [x, y], or [lat, lon] as for 'haversine'."),
  title: string().optional().describe('Heading; the splitter with its options when left out.'),
  width: integer({ min: 300, max: 4000 }).default(720).describe('Width in pixels.'),
  maxFolds: integer({ min: 1, max: 100 })
    .default(10)
    .describe('Folds to draw, inner ones included; the picture says how many there are.'),
  maxRows: integer({ min: 20, max: 5000 })
    .default(300)
    .describe('Rows to draw, evenly spaced over all; the picture says so when it leaves rows out.'),
});

export type PlotSplitsOptions = InputOf<typeof plotSplitsOptions>;

/**
 * The folds of a splitter as one SVG picture (a string; no DOM, no script). One line per fold over the rows, which are
 * put in the order of time when timestamps are given, else of groups when groups are; below them a line for the classes
 * of y, for the groups and for time. With coordinates: one map per fold. Colours tell training, test, purged, embargoed
 * and buffered rows.
 *
 * Throws what the splitter throws for these data.
 *
 * @example
 * import { plotSplits } from 'cvkit/plot';
 * const svg = plotSplits(new GroupKFold({ nSplits: 4, randomState: 1 }), X, y, { groups: patientIds });
 */
export function plotSplits(
  splitter: Splitter,
  X: RowsInput | number,
  y?: LabelsInput | PlotSplitsOptions | null,
  input?: PlotSplitsOptions,
): string {
  const [labels, options] = labelsAndOptions(y, input);
  const { axes, title, width, maxFolds, maxRows, ...rest } = plotSplitsOptions.resolve(options);
  const data: SideData = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const plan = foldsOf(splitter, X, labels, data);
  const figure = { plan, ...drawnFolds(plan, maxFolds), y: labels, data, title: title ?? plan.design, width, maxRows };
  return data.coordinates ? mapsOfFolds(figure, inXY(data.coordinates, axes)) : stripsOfFolds(figure);
}

const inXY = (coordinates: ArrayLike<ArrayLike<number>>, axes: 'xy' | 'latlon'): ArrayLike<ArrayLike<number>> =>
  axes === 'xy' ? coordinates : Array.from(coordinates, (place) => [place[1], place[0]]);
