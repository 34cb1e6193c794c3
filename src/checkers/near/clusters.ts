/** Clusters of rows that are far nearer to each other than to all others. */
import { squaredDistance } from './pairsWithin.js';
import type { NearVectors } from './vectors.js';

export interface Clusters {
  /** One row of each cluster, and all that are in none. */
  readonly kept: Int32Array;
  /** Rows of a typical cluster, of all rows there are. */
  readonly size: number;
  /** How many times as far as in a cluster rows are from those of others. */
  readonly apart: number;
  /** How many clusters there are, where they are few and hold nearly all rows; else 0. */
  readonly few: number;
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
  known: Pick<Clusters, 'size' | 'apart' | 'few'>,
): Clusters {
  const square = radius * radius;
  const isNear = (row: number, other: number) => squaredDistance(data, width, row, other, square) <= square;
  const kept: number[] = [];
  for (const row of reference) {
    if (!kept.some((other) => (!codes || codes[other] !== codes[row]) && isNear(row, other))) kept.push(row);
  }
  return {
    ...known,
    kept: Int32Array.from(kept),
    places: () => Int32Array.from({ length: n }, (_, row) => kept.findIndex((other) => isNear(row, other))),
  };
}

/** So many rows of a cluster are of one unit, and so many clusters of different ones: some are found in pieces. */
const [SAME, APART] = [0.85, 0.4];

/** Whether clusters are what a level says: the rows of one site, scanner or batch. */
export function areUnits(clusters: Clusters, level: Int32Array): boolean {
  const { kept } = clusters;
  const standing = new Set(kept);
  const [held, units] = [new Set<number>(), new Set<number>()];
  let [rows, same] = [0, 0];
  clusters.places().forEach((place, row) => {
    if (place < 0 || standing.has(row)) return;
    rows++;
    if (level[row] === level[kept[place]]) same++;
    held.add(place);
    units.add(level[kept[place]]);
  });
  return same >= SAME * rows && units.size >= APART * held.size;
}
