/** A few large clusters: kinds of patients, sites, or versions of a few rows. */

import { Components } from '../../core/components.js';
import { rowNumbers } from '../../data/labels.js';
import type { Clusters } from './clusters.js';
import { type Points, squaredDistance } from './pairsWithin.js';
import { LARGEST } from './replicateClusters.js';
import type { NearVectors } from './vectors.js';

/** Rows that are looked at, and fewer than these tell nothing. */
const [MOST_ROWS, FEWEST_ROWS] = [200, 40];
/** Clusters are so many times as far from each other as the farthest neighbours in them, and hold most rows. */
const [APART, SHARE] = [4, 0.8];
/** Each holds more than this part of the rows: fewer are a matter of `replicateClusters`, but for what sampling does. */
const SMALLEST = LARGEST / 2;

/**
 * The few clusters in which most rows are, fifteen or less; undefined where there are none. The edges of the shortest tree
 * that joins the rows are cut where one is far longer than the next (single linkage).
 *
 * Source: Zahn 1971, IEEE Trans. Computers C-20:68 (clusters by the long edges of a minimal spanning tree).
 *
 * @param reference rows in random order
 */
export function fewClusters(
  { n, free, plain }: NearVectors,
  reference: Int32Array,
  codes: Int32Array | undefined,
): Clusters | undefined {
  const seen = new Set<number>();
  const isNew = (patient: number) => seen.size < seen.add(patient).size;
  const rows = reference.filter((row) => free[row] === 1 && isNew(codes ? codes[row] : row)).slice(0, MOST_ROWS);
  if (rows.length < FEWEST_ROWS) return undefined;
  const points = plain(rows);
  const edges = shortestTree(points);
  let found: { codes: Int32Array; large: number[]; apart: number; gap: number } | undefined;
  for (let cut = 1; cut < edges.length / 2 && edges[cut].length > 0; cut++) {
    const [gap, apart] = [edges[cut - 1].length, edges[cut - 1].length / edges[cut].length];
    if (apart < (found?.apart ?? APART)) continue;
    const pieces = new Components(rows.length);
    for (const { from, to } of edges.slice(cut)) pieces.join(from, to);
    const { codes, sizes } = pieces.codes();
    const large = [...sizes.keys()].filter((piece) => sizes[piece] > SMALLEST * rows.length);
    const held = large.reduce((sum, piece) => sum + sizes[piece], 0);
    if (large.length > 1 && held >= SHARE * rows.length) found = { codes, large, apart, gap };
  }
  if (!found) return undefined;
  const { codes: pieces, large, apart, gap } = found;
  const held = pieces.filter((piece) => large.includes(piece)).length;
  return {
    kept: Int32Array.from(large, (piece) => rows[pieces.indexOf(piece)]),
    size: Math.round((held / large.length / rows.length) * n),
    apart,
    few: large.length,
    places() {
      const { data, width } = plain(Int32Array.from([...rows, ...rowNumbers(n)]));
      const isNear = (row: number, at: number) =>
        squaredDistance(data, width, rows.length + row, at, gap ** 2 / 4) <= gap ** 2 / 4;
      return Int32Array.from({ length: n }, (_, row) =>
        large.indexOf(pieces[rows.findIndex((_, at) => isNear(row, at))]),
      );
    },
  };
}

/** Places of two rows, and the distance between them. */
interface Edge {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** The edges of the shortest tree, the longest first (Prim's algorithm). */
function shortestTree({ data, width }: Points): Edge[] {
  const edges: Edge[] = [];
  const n = data.length / width;
  const nearest = new Float64Array(n).fill(Infinity);
  const from = new Int32Array(n);
  const outside = new Set(nearest.keys());
  let last = 0;
  while (outside.delete(last) && outside.size > 0) {
    let next = -1;
    for (const to of outside) {
      const square = squaredDistance(data, width, last, to);
      if (square < nearest[to]) [nearest[to], from[to]] = [square, last];
      if (next < 0 || nearest[to] < nearest[next]) next = to;
    }
    edges.push({ from: from[next], to: next, length: Math.sqrt(nearest[next]) });
    last = next;
  }
  return edges.sort((a, b) => b.length - a.length);
}
