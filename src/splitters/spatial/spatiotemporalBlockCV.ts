import { type InputOf, integer, number, type OptionsOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { MILLISECONDS_PER_DAY } from '../../data/sideData.js';
import { blockStarts } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { requireCount, type SplitInput } from '../splitInput.js';
import { changesIn, type TimeOrder, timeOrder } from '../temporal/timeOrder.js';
import { type Buffer, blockOptions, blockSetup, bufferedFolds, crossed, dealBlocks, type TestSets } from './blocks.js';
import { flatPlaces, type Places, placeOptions } from './places.js';

const options = optionTable('SpatiotemporalBlockCV', {
  nSpatialBlocks: integer({ min: 1 }).default(3).describe('Number of sets of places.'),
  nTemporalBlocks: integer({ min: 1 }).default(3).describe('Number of spans of time.'),
  bufferSpace: number({ min: 0 })
    .default(0)
    .describe('Least distance between training and test rows, in the unit of the coordinates.'),
  bufferTime: number({ min: 0 })
    .default(0)
    .describe('Least time between training and test rows: days for dates, else the unit of the timestamps.'),
  ...blockOptions(),
  ...placeOptions('which places go where'),
});

export type SpatiotemporalBlockCVOptions = InputOf<typeof options>;

/**
 * Places are dealt to `nSpatialBlocks` sets, as SpatialBlockCV deals them to folds, and time is cut into
 * `nTemporalBlocks` spans of equal numbers of rows (a cut moves on to the next distinct time). Each combination that
 * holds rows is the test set of one fold, `space-0.time-1`, so every row is tested once.
 *
 * All other rows train unless they are nearer than `bufferSpace` or `bufferTime` to a test row (`excluded.buffered`).
 * With both at 0 the model has seen the tested places at other times, later ones included, and other places at the
 * tested time. Any `bufferTime` above 0 keeps the times of the test rows out of training everywhere, any `bufferSpace`
 * their places at all times. Coordinates are `[x, y]` of a plane. Without `randomState` one seed is drawn per instance.
 *
 * Throws `InvalidDataError` without coordinates or timestamps, `InfeasibleSplitError` when fewer blocks hold rows than
 * `nSpatialBlocks`, when there are fewer distinct times than `nTemporalBlocks`, and when a fold has nothing to train
 * on.
 *
 * Source: Roberts et al. 2017, Ecography 40:913; Meyer et al. 2018, Environmental Modelling & Software 101:1 (leave
 * location and time out).
 *
 * @example
 * new SpatiotemporalBlockCV({ bufferSpace: 5, bufferTime: 30, randomState: 42 }).split(X, y, { coordinates, timestamps
 * });
 */
export class SpatiotemporalBlockCV extends defineSplitter({
  options,
  facts: {
    aliases: ['SpatiotemporalBlockSplit'],
    family: 'spatial',
    description:
      'One fold per set of places and span of time; rows near to a test row in space or time can be left out.',
    needs: ['timestamps', 'coordinates'],
    claims: { partition: true, separated: true },
  },
  ...blockSetup(options.owner),
  nSplits: (chosen, { input, prepared: seed }) => testSets(read(input()), chosen, seed).ids.length,
  plan(input, chosen, seed) {
    const { bufferSpace, bufferTime } = chosen;
    const { places, order } = read(input);
    const buffers: Buffer[] = [];
    if (bufferSpace > 0) buffers.push({ space: places.space, metric: 'euclidean', radius: bufferSpace });
    if (bufferTime > 0) {
      const times = new Float64Array(order.n);
      for (const [place, row] of order.rows.entries()) times[row] = order.times[place];
      const radius = order.dates ? bufferTime * MILLISECONDS_PER_DAY : bufferTime;
      buffers.push({ space: { values: times, width: 1 }, metric: 'manhattan', radius });
    }
    const size = `bufferSpace (${bufferSpace}) or bufferTime (${bufferTime})`;
    return bufferedFolds(options.owner, testSets({ places, order }, chosen, seed), buffers, size);
  },
})<SpatiotemporalBlockCVOptions> {}

interface PlacesInTime {
  readonly places: Places;
  readonly order: TimeOrder;
}

const read = ({ need, data, n }: SplitInput): PlacesInTime => ({
  places: flatPlaces(need('coordinates')),
  order: timeOrder(data, n),
});

function testSets({ places, order }: PlacesInTime, chosen: OptionsOf<typeof options>, seed: number | string): TestSets {
  const asker = { owner: options.owner, option: 'nSpatialBlocks' };
  const spaces = dealBlocks(asker, places, chosen, chosen.nSpatialBlocks, randomSource(seed));
  const { codes, pairs } = crossed(spaces, timeSpans(order, chosen.nTemporalBlocks));
  return { foldOf: codes, ids: pairs.map(([space, time]) => `space-${space}.time-${time}`) };
}

/** Spans differ in size by ties only, and none is empty. */
function timeSpans({ times, rows, n }: TimeOrder, count: number): Int32Array {
  const starts = changesIn(times);
  requireCount(options.owner, count, starts.length, 'distinct times', 'nTemporalBlocks');
  const spans = new Int32Array(n);
  const wanted = blockStarts(n, count);
  let first = 0;
  for (let span = 0; span < count; span++) {
    // Each span takes at least one time and leaves one for every span after it.
    const last = starts.length - (count - span - 1);
    let next = first + 1;
    while (next < last && starts[next] < wanted[span + 1]) next++;
    const end = starts[next] ?? n;
    for (let place = starts[first]; place < end; place++) spans[rows[place]] = span;
    first = next;
  }
  return spans;
}
