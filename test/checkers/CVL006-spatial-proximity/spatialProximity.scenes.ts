import { randomSource } from '../../../src/core/random.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { BufferedSpatialCV } from '../../../src/splitters/spatial/bufferedSpatialCV.js';
import type { CheckScenes } from '../../conformance/checkSuite.js';

const random = randomSource(11);
const coordinates = Array.from({ length: 240 }, () => [10 * random.random(), 10 * random.random()]);
// Waves of length 2 pi: alike up to a distance of about 2.
const y = coordinates.map(([a, b]) => Number(Math.sin(2 * a) + Math.cos(2 * b) > 0));
const X = coordinates.map(() => [random.random(), random.random()]);

/** Outcomes that resemble their neighbours, in plain shuffled folds and in blocks with a buffer. */
export const spatialProximityScenes: CheckScenes = {
  leaking: { X, y, data: { coordinates }, splitter: new KFold({ nSplits: 5, shuffle: true, randomState: 1 }) },
  clean: {
    X,
    y,
    data: { coordinates },
    splitter: new BufferedSpatialCV({ nSplits: 4, blockSize: 5, bufferSize: 2, randomState: 1 }),
  },
};
