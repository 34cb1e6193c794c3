/** Which rows `mergeDuplicates` keeps together: copies, and no rows that chance makes alike. */
import type { Rows } from '../../data/rows.js';
import type { Features } from '../features/columns.js';
import { contentHash } from '../features/contentHash.js';
import { equalRows } from '../features/equalRows.js';
import { readFeatures } from '../features/features.js';
import { blankRows } from './blankRows.js';
import { linkage } from './linkage.js';

/** The features of rows, and which of the rows are copies. */
interface Copies {
  readonly features: Features;
  /** Cluster of each row that is kept together with its copies; else -1. */
  readonly copied: Int32Array;
  /** 1 for a row that another equals though it is no copy: chance may explain it. */
  readonly coincident: Uint8Array;
  /** 1 for a row without content that another equals. */
  readonly blank: Uint8Array;
}

/**
 * Reads the rows and finds their copies. Of images those of equal pixels are copies.
 *
 * @param units unit of each row, which stays whole anyway
 */
export async function findCopies(X: Rows, units: Int32Array | undefined): Promise<Copies> {
  const features = await readFeatures(X);
  const { codes: equal } = equalRows(contentHash(features));
  const blank = blankRows(features).map((one, row) => (equal[row] >= 0 ? one : 0));
  if (features.images) {
    const copied = equal.map((code, row) => (blank[row] === 1 ? -1 : code));
    return { features, copied, coincident: new Uint8Array(features.n), blank };
  }
  const { codes: copied, coincident } = linkage(features, units);
  return { features, copied, coincident: coincident.map((one, row) => (blank[row] === 1 ? 0 : one)), blank };
}
