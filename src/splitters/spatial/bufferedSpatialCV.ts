import { type InputOf, integer, number, type OptionsOf, oneOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { foldId } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { blockOptions, blockSetup, bufferedFolds, dealBlocks, unevenFolds } from './blocks.js';
import { boundingBox, chordOf, earthClaims, earthPlaces, flatPlaces, type Places, placeOptions } from './places.js';

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

export type BufferedSpatialCVOptions = InputOf<typeof options>;

/**
 * The folds of SpatialBlockCV with a buffer around each test set: training rows nearer than `bufferSize` to a test row
 * are `excluded.buffered`. k-d trees: O(n log n) time and O(n) memory.
 *
 * `'euclidean'` and `'manhattan'` measure in the unit of the coordinates. `'haversine'` takes `[lat, lon]` in degrees
 * and measures kilometres on a sphere of radius 6371.0088 km, across the date line and at the poles; its blocks are cut
 * in kilometres on an equal-area map, its k-means clusters on the globe. With `bufferUnit: 'fraction'` the buffer is
 * that fraction of the diagonal of the smallest box around the area (haversine: on that map).
 *
 * Throws `InvalidDataError` without coordinates, with them in constructor and `split`, and for latitudes outside [-90,
 * 90] or longitudes outside [-180, 360] under haversine; `InfeasibleSplitError` when fewer blocks than folds hold rows,
 * or when the buffer of a fold leaves nothing to train on.
 *
 * Source: Roberts et al. 2017, Ecography 40:913; Valavi et al. 2019, Methods in Ecology and Evolution 10:225 (blockCV);
 * Brenning 2012, IGARSS (sperrorest).
 *
 * @example
 * new BufferedSpatialCV({ bufferSize: 25, distanceMetric: 'haversine', randomState: 42 }).split(X, y, { coordinates });
 */
export class BufferedSpatialCV extends defineSplitter({
  options,
  facts: {
    aliases: ['BufferedSpatialSplit'],
    family: 'spatial',
    description: 'K folds of whole blocks of neighbouring places; rows too near to a test row are not trained on.',
    needs: ['coordinates'],
    claims: { partition: true, separated: true },
  },
  claims: earthClaims,
  ...blockSetup(options.owner),
  plan({ need }, chosen, seed) {
    const { nSplits, bufferSize, distanceMetric } = chosen;
    const geographic = distanceMetric === 'haversine';
    const places = (geographic ? earthPlaces : flatPlaces)(need('coordinates'));
    const asker = { owner: options.owner, option: 'nSplits' };
    const foldOf = dealBlocks(asker, places, chosen, nSplits, randomSource(seed));
    const ids = Array.from({ length: nSplits }, (_, fold) => foldId(fold));
    const width = bufferWidth(places, chosen);
    const metric = distanceMetric === 'haversine' ? 'euclidean' : distanceMetric;
    const buffer = { space: places.space, metric, radius: geographic ? chordOf(width) : width };
    const size = `its buffer of ${Number(width.toPrecision(4))}${geographic ? ' km' : ''}`;
    const uneven = unevenFolds(options.owner, foldOf, nSplits);
    return bufferedFolds(options.owner, { foldOf, ids }, bufferSize > 0 ? [buffer] : [], size, uneven);
  },
})<BufferedSpatialCVOptions> {}

function bufferWidth({ map }: Places, chosen: OptionsOf<typeof options>): number {
  const { bufferSize, bufferUnit, distanceMetric } = chosen;
  if (bufferUnit === 'absolute') return bufferSize;
  const [across, up] = boundingBox(map).sides;
  return bufferSize * (distanceMetric === 'manhattan' ? across + up : Math.hypot(across, up));
}
