import { type InputOf, integer, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { blockOptions, blockSetup, dealBlocks, unevenFolds } from './blocks.js';
import { flatPlaces, placeOptions } from './places.js';

const options = optionTable('SpatialBlockCV', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  ...blockOptions(),
  ...placeOptions('which blocks go where'),
});

export type SpatialBlockCVOptions = InputOf<typeof options>;

/**
 * K folds for data that resemble their neighbours: the area is cut into blocks, and whole blocks are dealt to the folds
 * at random so that rows stay balanced. Every row is tested exactly once; places at one point share a fold.
 *
 * `'grid'` cuts square cells from the lower left corner of the area, `'hex'` hexagons; `blockSize` (unit of the
 * coordinates) should exceed the range over which outcomes are correlated. `'kmeans'` takes 4 clusters of places per
 * fold, which suits places in clumps. Coordinates are `[x, y]` of a plane; for latitude and longitude use
 * BufferedSpatialCV with `'haversine'`. Without `randomState` one seed is drawn per instance.
 *
 * Throws `InvalidDataError` without coordinates or with them in constructor and `split`, `InfeasibleSplitError` when
 * fewer blocks than folds hold rows.
 *
 * Source: Roberts et al. 2017, Ecography 40:913; Valavi et al. 2019, Methods in Ecology and Evolution 10:225 (blockCV).
 *
 * @example
 * new SpatialBlockCV({ nSplits: 5, blockSize: 10, randomState: 42 }).split(X, y, { coordinates });
 */
export class SpatialBlockCV extends defineSplitter({
  options,
  facts: {
    aliases: ['SpatialBlockSplit'],
    family: 'spatial',
    description: 'K folds of whole blocks of neighbouring places, with balanced numbers of rows.',
    needs: ['coordinates'],
    claims: { partition: true, separated: true },
  },
  ...blockSetup(options.owner),
  plan({ need }, chosen, seed) {
    const { nSplits } = chosen;
    const asker = { owner: options.owner, option: 'nSplits' };
    const places = flatPlaces(need('coordinates'));
    const foldOf = dealBlocks(asker, places, chosen, nSplits, randomSource(seed));
    return foldsFromAssignment(foldOf, nSplits, unevenFolds(options.owner, foldOf, nSplits));
  },
})<SpatialBlockCVOptions> {}
