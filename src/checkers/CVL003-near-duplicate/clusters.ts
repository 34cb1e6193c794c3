/**
 * Clusters of rows that are far nearer to each other than to all others (versions of a few rows, patients without ids, sites),
 * which hide how far apart rows usually are.
 */
import { mean, power } from '../../core/numbers.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { gather, rowNumbers } from '../../data/labels.js';
import { squaredDistance } from '../features/squaredDistance.js';
import { NEIGHBOURS, type Neighbourhood, neighbourhoods } from './neighbours.js';
import type { NearVectors } from './vectors.js';

export interface Clusters {
  /** One row of each cluster, and all that are in none. */
  readonly kept: Int32Array;
  /** Rows (patients) of a typical cluster, of all rows there are. */
  readonly size: number;
  /** How many times as far as in a cluster rows are from those of others. */
  readonly separation: number;
  /** Place in `kept` of the row that stands for each row, -1 where none is near: looked for when first asked. */
  places(): Promise<Int32Array>;
}

/** Clusters of more than nine rows show where fewer rows stand for all. */
const THINNER = [1, 4, 16];
const FEWEST_ROWS = 40;
/** A cluster that holds more than this part of all rows is a kind of patients. */
const LARGEST = 1 / 15;
/** Gaps from which clusters are told, and the share of rows in clusters that leaves the scale of the others alone. */
const [FACTORS, FEW] = [[2, 3, 4, 6, 10, 20], 0.2];
/** Clusters whose rows are counted. */
const COUNTED = 50;
/** Rows that tell how many dimensions there are, and what is seen where fewer rows stand for all. */
const QUERIES = 100;
/** Mean of -log over the five farther of nine uniform places. */
const OUTER = 0.4035;

/**
 * The tight clusters of rows, or undefined where rows are spaced as chance spaces them. A gap is the factor between the
 * distances of two successive neighbours: in m dimensions chance gives one of f or more to 1 / (f^m - 1) of the rows,
 * and four times as many mean clusters. Levels of discrete features are apart anyway, as far as one dimension explains.
 *
 * @param surroundings what surrounds some rows among the `reference`
 * @param codes patient of each row: rows of one patient all stay
 */
export async function replicateClusters(
  vectors: NearVectors,
  reference: Int32Array,
  surroundings: readonly Neighbourhood[],
  codes: Int32Array | undefined,
): Promise<Clusters | undefined> {
  const { width, continuous, ownValueShare } = vectors;
  const smooth = width === continuous && ownValueShare.every((share) => share === 1);
  for (const times of THINNER) {
    const fewer = reference.subarray(0, Math.ceil(reference.length / times));
    if (fewer.length < FEWEST_ROWS) break;
    const probes = surroundings.slice(0, QUERIES).map(({ row }) => row);
    const around = times === 1 ? surroundings : probes.map(neighbourhoods(fewer, vectors, codes));
    const gaps = around.map(({ distances }) => {
      const nearest = distances.slice(0, Math.floor(LARGEST * fewer.length) + 1);
      return widestGap(nearest.map((distance) => Math.max(distance, vectors.resolution)));
    });
    for (const factor of FACTORS) {
      await yieldToPage();
      const wide = gaps.filter((gap) => gap.factor >= factor);
      if (wide.length <= FEW * gaps.length) break;
      const radius = median(wide.map(({ inside, outside }) => Math.sqrt(inside * outside)));
      const kept = distantRows(vectors, reference, radius, codes);
      if (kept.length < 1 / LARGEST) continue;
      const dimensions = smooth ? Math.max(1, 0.8 * dimensionsOf(vectors, kept, codes)) : 1;
      if (wide.length <= (4 / (power(factor, dimensions) - 1)) * gaps.length) continue;
      const size = await usualSize(vectors, kept, radius, codes);
      let places: Promise<Int32Array> | undefined;
      return {
        kept,
        size,
        separation: median(wide.map((gap) => gap.factor)),
        places: () => (places ??= placesAmong(kept, vectors, radius)),
      };
    }
  }
  return undefined;
}

/** One row for all that are within the radius of it; rows of its own patient stay. */
function distantRows(vectors: NearVectors, reference: Int32Array, radius: number, codes: Int32Array | undefined) {
  const isNear = nearness(vectors, radius);
  const kept: number[] = [];
  for (const row of reference) {
    if (!kept.some((other) => (!codes || codes[other] !== codes[row]) && isNear(row, other))) kept.push(row);
  }
  return Int32Array.from(kept);
}

function nearness({ data, width }: NearVectors, radius: number) {
  const square = radius * radius;
  return (row: number, other: number) => squaredDistance(data, width, row, other, square) <= square;
}

/** How many rows (patients) a typical cluster around some of the rows has that stand for all. */
async function usualSize(vectors: NearVectors, kept: Int32Array, radius: number, codes: Int32Array | undefined) {
  const isNear = nearness(vectors, radius);
  const sizes: number[] = [];
  for (const row of kept.subarray(0, COUNTED)) {
    await yieldToPage();
    const near = rowNumbers(vectors.n).filter((other) => isNear(row, other));
    sizes.push(codes ? new Set(gather(codes, near)).size : near.length);
  }
  return median(sizes.filter((size) => size > 1)) ?? 1;
}

async function placesAmong(kept: Int32Array, vectors: NearVectors, radius: number): Promise<Int32Array> {
  const isNear = nearness(vectors, radius);
  const places = new Int32Array(vectors.n);
  for (let row = 0; row < places.length; row++) {
    await yieldToPage();
    places[row] = kept.findIndex((other) => isNear(row, other));
  }
  return places;
}

/** So many rows of a cluster are of one unit, and so many clusters of different ones: some are found in pieces. */
const [SAME, DISTINCT] = [0.85, 0.4];

/**
 * Whether clusters are what a level says: the rows of one site, scanner or batch. Rows without an id (-1) say nothing.
 *
 * @param places cluster of each row, 0 ... count-1, or -1
 */
export function areUnits(places: Int32Array, count: number, level: Int32Array): boolean {
  const members = Array.from({ length: count }, () => new Map<number, number>());
  places.forEach((place, row) => {
    const unit = level[row];
    if (place >= 0 && unit >= 0) members[place].set(unit, (members[place].get(unit) ?? 0) + 1);
  });
  const units = new Set<number>();
  let [held, rows, same] = [0, 0, 0];
  for (const counts of members) {
    const size = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (size < 2) continue;
    const [[unit, most]] = [...counts].sort(([, a], [, b]) => b - a);
    units.add(unit);
    held++;
    rows += size;
    same += most;
  }
  return held > 0 && same >= SAME * rows && units.size >= DISTINCT * held;
}

function widestGap(distances: readonly number[]) {
  let widest = { factor: 0, inside: 0, outside: 0 };
  for (let at = 1; at < distances.length; at++) {
    const [inside, outside] = [distances[at - 1], distances[at]];
    if (outside / inside > widest.factor) widest = { factor: outside / inside, inside, outside };
  }
  return widest;
}

/** Dimensions that the rows fill around each other that fill fewest, a quarter, from the farther neighbours. */
function dimensionsOf(vectors: NearVectors, rows: Int32Array, codes: Int32Array | undefined): number {
  const around = neighbourhoods(rows, vectors, codes);
  const nearest = Array.from(rows.subarray(0, QUERIES), (row) => around(row).distances);
  const full = nearest.filter(({ length }) => length === NEIGHBOURS);
  if (full.length === 0) return 1;
  const logs = full.map((distances) => {
    return mean(Array.from(distances.slice(4, -1), (distance) => Math.log(distances[NEIGHBOURS - 1] / distance)));
  });
  return OUTER / logs.sort((a, b) => a - b)[Math.floor(0.75 * logs.length)];
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];
