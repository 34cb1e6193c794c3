import { type NearVectors, rawPoints } from '../../../src/checkers/CVL003-near-duplicate/vectors.js';

/** Rows as points, as they are. */
export function vectorsOf(rows: readonly (readonly number[])[], ownValueShare = 1): NearVectors {
  const columns = rows[0].map((_, at) => ({
    name: `c${at}`,
    kind: 'number' as const,
    values: Float64Array.from(rows, (row) => row[at]),
  }));
  const vectors = rawPoints({ n: rows.length, columns });
  return {
    ...vectors,
    ownValueShare: new Float32Array(rows.length).fill(ownValueShare),
    meanSquaredDistance: 2 * rows[0].length,
  };
}
