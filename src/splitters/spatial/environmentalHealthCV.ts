import { InvalidDataError, phrase, sentence, suggestion } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import {
  custom,
  type InputOf,
  integer,
  isPlainObject,
  type OptionsOf,
  oneOf,
  optionTable,
} from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { timesOf } from '../../data/sideData.js';
import { defineSplitter } from '../defineSplitter.js';
import { requireCount, type SplitInput } from '../splitInput.js';
import { checkDates, PERIOD_NAME, PERIOD_OF } from '../temporal/timeOrder.js';
import { type Buffer, bufferedFolds, crossed, type TestSets } from './blocks.js';
import { clusterCount, kMeans } from './kMeans.js';
import { flatPlaces, placeOptions, seedOf, withPlaces } from './places.js';
import { type Points, pointsFromColumns, standardized } from './points.js';

const options = optionTable('EnvironmentalHealthCV', {
  spatialBlocks: integer({ min: 1 }).default(4).describe('Number of clusters of places.'),
  temporalStrategy: oneOf('seasonal', 'yearly', 'monthly')
    .default('seasonal')
    .describe('Cut time into seasons, years or months (UTC); seasons and months keep their year.'),
  environmentalVars: custom<readonly string[]>(
    'string[]',
    'be a list of different names',
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      new Set(value).size === value.length &&
      value.every((name) => typeof name === 'string'),
  )
    .nullable()
    .default(null)
    .describe('Variables of `environment` that places are clustered by, besides their coordinates.'),
  bufferConfig: custom<Readonly<Record<string, number>>>(
    'record of variable -> number',
    'be a record of variable name to width, a number > 0',
    (value) =>
      isPlainObject(value) &&
      Object.keys(value).length > 0 &&
      Object.values(value).every((width) => typeof width === 'number' && width > 0 && Number.isFinite(width)),
  )
    .nullable()
    .default(null)
    .describe('Training rows nearer than the width to a test row in every variable named here are left out.'),
  ...placeOptions('the starting centres of the clusters'),
});

const PERIOD = { seasonal: 'season', yearly: 'year', monthly: 'month' } as const;

export type EnvironmentalHealthCVOptions = InputOf<typeof options>;

/**
 * Folds for exposure and outcome data: time is cut by the calendar, space into `spatialBlocks` k-means clusters, and
 * each combination that holds rows is the test set of one fold, so every row is tested once.
 *
 * Seasons are meteorological (Trenberth 1983), named as in the north: December belongs to the winter of the January
 * that follows, so 2023-12-01 is in `winter-2024`. All calendars are UTC. Fold ids read `winter-2024.block-0`,
 * `2024.block-0`, `2024-02.block-0`.
 *
 * With `environmentalVars` the clusters are of coordinates and variables together, each variable with standard
 * deviation 1, the coordinates with a common one. With `bufferConfig` a training row is left out (`excluded.buffered`)
 * when some test row is nearer than the width in every variable named there. Coordinates are `[x, y]` of a plane.
 * Without `randomState` one seed is drawn per instance.
 *
 * Throws `InvalidDataError` without coordinates or timestamps, for timestamps that are not dates, and for variables
 * that are missing or not finite; `InfeasibleSplitError` when there are fewer distinct places than `spatialBlocks` and
 * when a fold has nothing to train on.
 *
 * Source: Roberts et al. 2017, Ecography 40:913 (blocks in space, time and predictor space); Trenberth 1983, Bulletin
 * of the American Meteorological Society 64:1276 (seasons).
 *
 * @example
 * new EnvironmentalHealthCV({ environmentalVars: ['pm25'], bufferConfig: { pm25: 2 }, randomState: 42 })
 *   .split(X, y, { coordinates, timestamps, environment: { pm25 } });
 */
export class EnvironmentalHealthCV extends defineSplitter({
  options,
  facts: {
    aliases: ['EnvironmentalHealthSplit'],
    family: 'spatial',
    description: 'One fold per season (or year, or month) and cluster of places or environments.',
    needs: ['timestamps', 'coordinates'],
    uses: ['environment'],
    claims: { partition: true, separated: true },
  },
  complete: withPlaces(options.owner),
  prepare: ({ randomState }) => seedOf(randomState),
  nSplits: (chosen, { input, prepared: seed }) => testSets(input(), chosen, seed).ids.length,
  plan(input, chosen, seed) {
    const { bufferConfig } = chosen;
    const buffers = bufferConfig ? [boxBuffer(input, bufferConfig)] : [];
    return bufferedFolds(options.owner, testSets(input, chosen, seed), buffers, 'the widths of bufferConfig');
  },
})<EnvironmentalHealthCVOptions> {}

function testSets(input: SplitInput, chosen: OptionsOf<typeof options>, seed: number | string): TestSets {
  const { spatialBlocks, temporalStrategy, environmentalVars } = chosen;
  const times = timesOf(input.need('timestamps'), input.n);
  checkDates(options.owner, times);
  const { space } = flatPlaces(input.need('coordinates'));
  const { values: points, width } = environmentalVars ? joined(input, space, environmentalVars) : space;
  const blocks = kMeans(points, width, spatialBlocks, randomSource(seed));
  const what = `distinct places${environmentalVars ? ' and environments' : ''}`;
  requireCount(options.owner, spatialBlocks, clusterCount(blocks), what, 'spatialBlocks');
  const period = PERIOD[temporalStrategy];
  const { codes, pairs } = crossed(times.values.map(PERIOD_OF[period]), blocks);
  return { foldOf: codes, ids: pairs.map(([when, block]) => `${PERIOD_NAME[period](when)}.block-${block}`) };
}

/** The coordinates are divided by one standard deviation for both axes, so that the map keeps its shape. */
function joined(input: SplitInput, places: Points, names: readonly string[]): Points {
  const map = inCommonUnit(places);
  const variables = standardized(columnsOf(input, names));
  const width = map.width + variables.width;
  const values = new Float64Array(input.n * width);
  for (let row = 0; row < input.n; row++) {
    values.set(rowOf(map, row), row * width);
    values.set(rowOf(variables, row), row * width + map.width);
  }
  return { values, width };
}

/** Rows are too near when they differ by less than its width in every variable. */
function boxBuffer(input: SplitInput, widths: Readonly<Record<string, number>>): Buffer {
  const names = Object.keys(widths);
  const { values, width } = columnsOf(input, names);
  const inWidths = values.map((value, at) => value / widths[names[at % width]]);
  return { space: { values: inWidths, width }, metric: 'chebyshev', radius: 1 };
}

const rowOf = ({ values, width }: Points, row: number) => values.subarray(row * width, (row + 1) * width);

function inCommonUnit({ values, width }: Points): Points {
  const means = new Float64Array(width);
  for (let i = 0; i < values.length; i++) means[i % width] += (values[i] * width) / values.length;
  const centred = values.map((value, i) => value - means[i % width]);
  return { values: standardized({ values: centred, width: 1 }).values, width };
}

function columnsOf({ n, need }: SplitInput, names: readonly string[]): Points {
  const environment = need('environment');
  const missing = names.find((name) => !Object.hasOwn(environment, name));
  if (missing !== undefined) {
    const must = `hold the variable '${nameText(missing)}'`;
    const way = suggestion(missing, Object.keys(environment));
    throw new InvalidDataError(sentence(`environment of ${options.owner}`, must, phrase('none of that name'), way));
  }
  return pointsFromColumns(Object.fromEntries(names.map((name) => [name, environment[name]])), n, 'environment');
}
