import { type InputOf, integer, number, oneOf, optionTable } from '../../core/options.js';
import { foldId } from '../assignment.js';
import { type Folds, type SplitArguments, type SplitInput, type SplitterFacts, withWarnings } from '../splitter.js';
import { blockOptions, checkBlockSize, dealBlocks, unevenFolds } from './blocks.js';
import { bufferedFolds } from './bufferedFolds.js';
import { chordOf } from './distances.js';
import { boundingBox, earthPlaces, flatPlaces, type Places } from './places.js';
import { placeOptions, SpatialSplitter } from './spatialSplitter.js';

const options = optionTable('BufferedSpatialCV', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  bufferSize: number({ min: 0 })
    .default(0.1)
    .describe('Least distance between training and test rows, in the unit of the metric or of `bufferUnit`.'),
  distanceMetric: oneOf('euclidean', 'haversine', 'manhattan')
    .default('euclidean')
    .describe('Haversine takes [lat, lon] in degrees and measures kilometres along great circles.'),
  bufferUnit: oneOf('absolute', 'fraction')
    .default('absolute')
    .describe('Whether `bufferSize` is a distance, or a fraction of the diagonal of the area.'),
  ...blockOptions(),
  ...placeOptions('which blocks go where'),
});

const facts = {
  name: 'BufferedSpatialCV',
  aliases: ['BufferedSpatialSplit'],
  family: 'spatial',
  description: 'K folds of whole blocks of neighbouring places; rows too near to a test row are not trained on.',
  options,
  needs: ['coordinates'],
  claims: { partition: true, apart: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type BufferedSpatialCVOptions = InputOf<typeof options>;

/**
 * The folds of SpatialBlockCV with a buffer around each test set: no training row is nearer to a test row of its fold
 * than `bufferSize` (one at that distance may stay). The rows left out are `excluded.buffered`. Nearest neighbours are
 * found in k-d trees: O(n log n) time and O(n) memory.
 *
 * `'euclidean'` and `'manhattan'` measure in the unit of the coordinates. `'haversine'` takes `[lat, lon]` in degrees,
 * measures kilometres on a sphere of the mean Earth radius, 6371.0088 km, and is right across the date line and at the
 * poles; its blocks are cut in kilometres on an equal-area map that is torn where there are fewest places, its k-means
 * clusters on the globe. With `bufferUnit: 'fraction'` the buffer is that fraction of the diagonal of the smallest box
 * around the area (haversine: on that map), measured by the metric.
 *
 * Throws `InvalidDataError` without coordinates, with them in constructor and `split`, and for latitudes outside
 * [-90, 90] or longitudes outside [-180, 360] under haversine; `InfeasibleSplitError` when fewer blocks than folds hold
 * rows, or when the buffer of a fold leaves nothing to train on.
 *
 * Source: Roberts et al. 2017, Ecography 40:913; Valavi et al. 2019, Methods in Ecology and Evolution 10:225 (blockCV);
 * Brenning 2012, IGARSS (sperrorest).
 *
 * @example
 * new BufferedSpatialCV({ bufferSize: 25, distanceMetric: 'haversine', randomState: 42 }).split(X, y, { coordinates });
 */
export class BufferedSpatialCV extends SpatialSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: BufferedSpatialCVOptions = {}) {
    super(options, input);
    checkBlockSize(facts.name, this.options);
  }

  getNSplits(..._input: SplitArguments): number {
    return this.options.nSplits;
  }

  protected plan(input: SplitInput): Folds {
    const { nSplits, bufferSize, distanceMetric } = this.options;
    const onEarth = distanceMetric === 'haversine';
    const places = (onEarth ? earthPlaces : flatPlaces)(this.coordinatesOf(input));
    const asker = { owner: facts.name, option: 'nSplits' };
    const foldOf = dealBlocks(asker, places, this.options, nSplits, this.source());
    const ids = Array.from({ length: nSplits }, (_, fold) => foldId(fold));
    const width = this.#width(places);
    const buffer = onEarth
      ? ({ space: places.space, metric: 'euclidean', radius: chordOf(width) } as const)
      : { space: places.space, metric: distanceMetric, radius: width };
    const unit = onEarth ? ' km' : '';
    const size = `its buffer of ${Number(width.toPrecision(4))}${unit}`;
    const folds = bufferedFolds(facts.name, { foldOf, ids }, bufferSize > 0 ? [buffer] : [], size);
    return withWarnings(unevenFolds(facts.name, foldOf, nSplits), () => folds[Symbol.iterator]());
  }

  /** The buffer as a distance. */
  #width({ map }: Places): number {
    const { bufferSize, bufferUnit, distanceMetric } = this.options;
    if (bufferUnit === 'absolute') return bufferSize;
    const [across, up] = boundingBox(map).sides;
    return bufferSize * (distanceMetric === 'manhattan' ? across + up : Math.hypot(across, up));
  }
}
