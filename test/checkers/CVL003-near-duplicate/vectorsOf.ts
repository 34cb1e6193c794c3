import { type NearVectors, plainVectors } from '../../../src/checkers/CVL003-near-duplicate/vectors.js';

/** Rows as points, as they are. */
export function vectorsOf(rows: readonly (readonly number[])[], free = 1): NearVectors {
  const columns = rows[0].map((_, at) => ({
    name: `c${at}`,
    kind: 'number' as const,
    values: Float64Array.from(rows, (row) => row[at]),
  }));
  const vectors = plainVectors({ n: rows.length, columns });
  return { ...vectors, free: new Float32Array(rows.length).fill(free), spread: 2 * rows[0].length };
}
