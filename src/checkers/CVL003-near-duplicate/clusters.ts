/** Clusters of rows that are far nearer to each other than to all others. */
import { gather, rowNumbers } from '../../data/labels.js';
import { squaredDistance } from './pairsWithin.js';
import type { NearVectors } from './vectors.js';

export interface Clusters {
  /** One row of each cluster, and all that are in none. */
  readonly kept: Int32Array;
  /** Rows (patients) of a typical cluster, of all rows there are. */
  readonly size: number;
  /** How many times as far as in a cluster rows are from those of others. */
  readonly apart: number;
  /** Place in `kept` of the row that stands for each row; -1 where none is near. */
  places(): Int32Array;
}

/**
 * Rows within the radius of each other make one cluster, and one of them stands for all.
 *
 * @param codes patient of each row: rows of one patient all stay
 */
export function clustersWithin(
  { n, data, width }: NearVectors,
  reference: Int32Array,
  radius: number,
  codes: Int32Array | undefined,
): Pick<Clusters, 'kept' | 'places'> {
  const square = radius * radius;
  const isNear = (row: number, other: number) => squaredDistance(data, width, row, other, square) <= square;
  const kept: number[] = [];
  for (const row of reference) {
    if (!kept.some((other) => (!codes || codes[other] !== codes[row]) && isNear(row, other))) kept.push(row);
  }
  return {
    kept: Int32Array.from(kept),
    places: () => Int32Array.from({ length: n }, (_, row) => kept.findIndex((other) => isNear(row, other))),
  };
}

/** Clusters that are counted to know how many rows they have. */
const COUNTED = 50;

/** How many rows a typical cluster around some of these has; with `codes`, how many patients. */
export function usualSize(
  { n, data, width }: NearVectors,
  kept: Int32Array,
  radius: number,
  codes: Int32Array | undefined,
): number {
  const square = radius * radius;
  const sizes = Array.from(kept.subarray(0, COUNTED), (row) => {
    const near = rowNumbers(n).filter((other) => squaredDistance(data, width, row, other, square) <= square);
    return codes ? new Set(gather(codes, near)).size : near.length;
  });
  const several = sizes.filter((size) => size > 1).sort((a, b) => a - b);
  return several[several.length >> 1] ?? 1;
}

/** So many rows of a cluster are of one unit, and so many clusters of different ones: some are found in pieces. */
const [SAME, APART] = [0.85, 0.4];

/** Whether clusters are what a level says: the rows of one site, scanner or batch. Rows without an id (-1) say nothing. */
export function areUnits(clusters: Clusters, level: Int32Array): boolean {
  const members = Array.from(clusters.kept, () => new Map<number, number>());
  clusters.places().forEach((place, row) => {
    if (place >= 0 && level[row] >= 0) members[place].set(level[row], (members[place].get(level[row]) ?? 0) + 1);
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
  return held > 0 && same >= SAME * rows && units.size >= APART * held;
}
