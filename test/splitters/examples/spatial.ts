import { type SplitterData, smallDataSets } from '../../conformance/splitterData.js';
import type { Examples } from './index.js';

/** The small data sets with other times or places. */
const withSide = (change: (side: SplitterData['side']) => Partial<SplitterData['side']>): SplitterData[] =>
  smallDataSets().map((data) => ({ ...data, side: { ...data.side, ...change(data.side) } }));

/** Latitudes from 0 to 80, longitudes from 90 to 290: across the date line. */
const onEarth = withSide(({ coordinates = [] }) => ({
  coordinates: Array.from(coordinates, (place) => [0.8 * place[0], 90 + 2 * place[1]]),
}));

/** Times from October 2023 on, a week per ten units of time. */
const inWeeks = withSide(({ timestamps = [] }) => ({
  timestamps: Array.from(timestamps, (time) => new Date(Date.UTC(2023, 9, 1 + 0.7 * Number(time)))),
}));

export const spatial: Examples = {
  SpatialBlockCV: {
    examples: [{}, { blockShape: 'hex' }, { blockShape: 'kmeans' }, { blockSize: 9 }],
    golden: 'aedaac7bf8b81c38ec1fbb4d3b458396',
  },
  BufferedSpatialCV: {
    examples: [
      { bufferSize: 6 },
      { bufferSize: 6, distanceMetric: 'manhattan', blockShape: 'hex', blockSize: 25 },
      { bufferSize: 700, distanceMetric: 'haversine' },
      { bufferSize: 0.05, bufferUnit: 'fraction', distanceMetric: 'haversine', blockShape: 'kmeans' },
    ],
    dataSets: onEarth,
    golden: '4df308342dcffb719a188efbfc27ff31',
  },
  SpatiotemporalBlockCV: {
    examples: [
      {},
      { blockShape: 'kmeans', bufferSpace: 3 },
      { blockShape: 'hex', bufferTime: 20, nSpatialBlocks: 2 },
      { nTemporalBlocks: 1, bufferSpace: 3 },
    ],
    golden: '2ba010a8edfaa9f45e7f7afbad525e23',
  },
  EnvironmentalHealthCV: {
    examples: [{}, { temporalStrategy: 'yearly', spatialBlocks: 2 }, { temporalStrategy: 'monthly', spatialBlocks: 3 }],
    dataSets: inWeeks,
    golden: 'c69253d97585984e8403e99ea121536a',
  },
};
