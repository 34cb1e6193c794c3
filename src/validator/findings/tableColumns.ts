import type { Column } from '../../checkers/features/columns.js';
import type { Rows } from '../../data/rows.js';
import type { FeatureRows } from './assessedResult.js';

/** The columns of a table; none for images, sequences, and what holds some. */
export async function tableColumns({ X, features }: FeatureRows): Promise<readonly Column[]> {
  const isArray = (rows: Rows): boolean =>
    rows.parts ? Object.values(rows.parts).some(isArray) : (rows.rowShape?.length ?? 1) > 1;
  if (isArray(X)) return [];
  const { columns, images } = await features();
  return images ? [] : columns;
}
