import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { number, oneOf, rejectUnusedOption } from '../../core/options.js';
import type { RandomSource, RandomState } from '../../core/random.js';
import { encode, tally } from '../../data/encode.js';
import { gather } from '../../data/labels.js';
import { cutOut } from '../assignment.js';
import { assignGroups } from '../grouped/groupPlacement.js';
import { requireCount } from '../splitInput.js';
import { type Folds, withWarnings } from '../splitter.js';
import { type DistanceMetric, KdTree } from './kdTree.js';
import { clusterCount, kMeans } from './kMeans.js';
import { boundingBox, type Places, seedOf, withPlaces } from './places.js';
import type { Points } from './points.js';

/** Blocks per fold of the default design: enough to balance rows, few enough to stay large. */
const BLOCKS_PER_FOLD = 4;

/** A size halved more often is below the distance of any places. */
const MAX_HALVINGS = 20;

export const blockOptions = () => ({
  blockShape: oneOf('grid', 'kmeans', 'hex').default('grid').describe('Square cells, clusters of places, or hexagons.'),
  blockSize: number({ above: 0 })
    .nullable()
    .default(null)
    .describe(
      'Side of a square, or width of a hexagon, in the unit of the coordinates (haversine: kilometres). By default ' +
        'the largest whole fraction of the longer side of the area that cuts it into at least 4 blocks per fold, halved ' +
        'until as many blocks as folds hold rows.',
    ),
});

interface BlockDesign {
  readonly blockShape: 'grid' | 'kmeans' | 'hex';
  readonly blockSize: number | null;
}

export const blockSetup = (owner: string) => ({
  complete: withPlaces(owner),
  prepare({ blockShape, blockSize, randomState }: BlockDesign & { readonly randomState: RandomState }) {
    if (blockShape === 'kmeans' && blockSize !== null) {
      rejectUnusedOption(owner, 'blockSize', 'the clusters of `blockShape` kmeans have no common size');
    }
    return seedOf(randomState);
  },
});

interface Asker {
  readonly owner: string;
  readonly option: string;
}

/** Whole blocks, dealt at random so that rows stay balanced. */
export function dealBlocks(
  { owner, option }: Asker,
  places: Places,
  { blockShape, blockSize }: BlockDesign,
  nFolds: number,
  source: RandomSource,
): Int32Array {
  let size = blockSize ?? defaultSize(places.map, BLOCKS_PER_FOLD * nFolds);
  const cut = {
    grid: () => squares(places.map, size),
    hex: () => hexagons(places.map, size),
    kmeans: () => kMeans(places.space.values, places.space.width, BLOCKS_PER_FOLD * nFolds, source),
  }[blockShape];
  let codes = cut();
  // Places in a few clumps fill a few blocks of the area only.
  for (let halvings = 0; blockSize === null && halvings < MAX_HALVINGS && clusterCount(codes) < nFolds; halvings++) {
    size /= 2;
    codes = cut();
  }
  const count = clusterCount(codes);
  if (count < nFolds) {
    const distinct = blockShape === 'kmeans' ? count : crossed(...axesOf(places.map)).pairs.length;
    requireCount(owner, nFolds, distinct, 'distinct places', option);
    const must = `be at most the number of blocks with rows, ${count}`;
    const way = `Use a smaller \`blockSize\` than ${Number(size.toPrecision(4))}.`;
    throw new InfeasibleSplitError(sentence(`The \`${option}\` option of ${owner}`, must, nFolds, way));
  }
  return gather(assignGroups({ codes, count }, nFolds, source), codes);
}

export function unevenFolds(owner: string, foldOf: Int32Array, nFolds: number): string[] {
  const sizes = tally(foldOf, nFolds);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (most < (2 * foldOf.length) / nFolds) return [];
  const way = "Use a smaller `blockSize`, or `blockShape: 'kmeans'`.";
  return [
    `The folds of ${owner} test ${least} to ${most} of ${foldOf.length} rows: the blocks are too large to balance them. ${way}`,
  ];
}

/** Codes of the pairs that occur, by `a` and then `b`, and the pair of each code. */
export function crossed(a: ArrayLike<number>, b: ArrayLike<number>): { codes: Int32Array; pairs: [number, number][] } {
  const [outer, inner] = [encode(a), encode(b)];
  const width = inner.classes.length;
  const { classes, codes } = encode(Float64Array.from(outer.codes, (code, row) => code * width + inner.codes[row]));
  const pairs = classes.map((pair): [number, number] => [
    outer.classes[Math.floor(pair / width)],
    inner.classes[pair % width],
  ]);
  return { codes, pairs };
}

/** The longer side of the area, divided by the smallest number that gives at least `wanted` square cells. */
function defaultSize(map: Float64Array, wanted: number): number {
  const [shorter, longer] = boundingBox(map).sides.sort((a, b) => a - b);
  if (longer === 0) return 1;
  let along = 1;
  while (along * cellsAlong(shorter, longer / along) < wanted) along++;
  return longer / along;
}

/** The slack is for sides that are whole multiples of the size up to rounding. */
const cellsAlong = (side: number, size: number) => Math.max(1, Math.ceil(side / size - 1e-9));

const axesOf = (map: Float64Array): [Float64Array, Float64Array] => {
  const axis = (at: number) => Float64Array.from({ length: map.length / 2 }, (_, row) => map[2 * row + at]);
  return [axis(0), axis(1)];
};

function squares(map: Float64Array, size: number): Int32Array {
  const { low, sides } = boundingBox(map);
  const [columns, rows] = axesOf(map).map((values, axis) => {
    // Places on the far edge belong to the last cell.
    const last = cellsAlong(sides[axis], size) - 1;
    return values.map((value) => Math.min(last, Math.floor((value - low[axis]) / size)));
  });
  return crossed(rows, columns).codes;
}

/**
 * Hexagons with a corner on top: each place belongs to the nearest centre of two lattices of rectangles, `size` wide
 * and `size` times the root of 3 high, the second shifted to the middles of the first.
 */
function hexagons(map: Float64Array, size: number): Int32Array {
  const { low } = boundingBox(map);
  const height = size * Math.sqrt(3);
  const [xs, ys] = axesOf(map);
  const rows = new Float64Array(xs.length);
  const columns = xs.map((value, row) => {
    const [x, y] = [(value - low[0]) / size, (ys[row] - low[1]) / height];
    const [column, line] = [Math.round(x), Math.round(y)];
    const [between, betweenLines] = [Math.floor(x), Math.floor(y)];
    const toFirst = (x - column) ** 2 + 3 * (y - line) ** 2;
    const toSecond = (x - between - 0.5) ** 2 + 3 * (y - betweenLines - 0.5) ** 2;
    const first = toFirst <= toSecond;
    rows[row] = first ? 2 * line : 2 * betweenLines + 1;
    return first ? column : between;
  });
  return crossed(rows, columns).codes;
}

/** Training rows nearer than `radius` to a test row in this space are left out. A row at the radius itself stays. */
export interface Buffer {
  readonly space: Points;
  readonly metric: DistanceMetric;
  readonly radius: number;
}

export interface TestSets {
  readonly foldOf: Int32Array;
  readonly ids: readonly string[];
}

/** Each row is tested once, and every training row respects all buffers. One tree per test set: O(n) numbers for all. */
export function bufferedFolds(
  owner: string,
  { foldOf, ids }: TestSets,
  buffers: readonly Buffer[],
  size: string,
  warnings?: readonly string[],
): Folds {
  const sizes = tally(foldOf, ids.length);
  const guards = ids.map((id, fold) => {
    const { train, test } = cutOut(foldOf, fold, sizes[fold]);
    const isNear = nearnessTo(test, buffers);
    if (train.every(isNear)) throw nothingToTrain(owner, id, test.length, train.length, size);
    return isNear;
  });
  return withWarnings(warnings, function* () {
    for (const [fold, id] of ids.entries()) {
      const { train, test } = cutOut(foldOf, fold, sizes[fold]);
      const near = train.map((row) => Number(guards[fold](row)));
      const buffered = train.filter((_, at) => near[at] === 1);
      if (buffered.length === 0) yield { id, train, test };
      else yield { id, train: train.filter((_, at) => near[at] === 0), test, excluded: { buffered } };
    }
  });
}

function nearnessTo(test: Int32Array, buffers: readonly Buffer[]): (row: number) => boolean {
  const trees = buffers.map(({ space, metric }) => new KdTree(space.values, space.width, metric, test));
  return (row) => buffers.some(({ space, radius }, at) => trees[at].hasNearer(space.values, row, radius));
}

function nothingToTrain(owner: string, id: string, tested: number, others: number, size: string): InfeasibleSplitError {
  const fold = `${id.startsWith('fold') ? id : `Fold ${id}`} of ${owner}`;
  const all = others === 0 ? `${tested} rows in its test set` : `${others} rows outside its test set within ${size}`;
  const way = others === 0 ? '' : 'Use a smaller buffer.';
  return new InfeasibleSplitError(sentence(fold, 'leave a row to train on', phrase(`all ${all}`), way));
}
