/** Which equal rows `mergeDuplicates` keeps together: copies, and no rows of few values or of a common pattern. */
import type { Rows } from '../../data/rows.js';
import type { Features } from '../features/columns.js';
import { readFeatures } from '../features/features.js';
import { blankRows } from './blankRows.js';
import { equalContent, weigh } from './equalContent.js';
import { fineColumns } from './fineColumns.js';

/** So many times the equal rows that chance gives are joined without proof: in a few rows copies cannot be proven. */
const MANY = 4;
/** A content of so many times the rows of others is a common pattern, such as a questionnaire of zeros. */
const COMMON = 4;

/** The features of rows, and which of the rows are equal. */
interface Copies {
  readonly features: Features;
  /** Cluster of each row that another equals; else -1. */
  readonly equal: Int32Array;
  /** 1 for a row without content. */
  readonly blank: Uint8Array;
  /** Cluster of each row that is kept together with its copies; else -1. */
  readonly copied: Int32Array;
}

/**
 * Reads the rows and finds their copies.
 *
 * @param units unit of each row, which stays whole anyway
 */
export async function findCopies(X: Rows, units: Int32Array | undefined): Promise<Copies> {
  const features = await readFeatures(X);
  const { codes: equal, features: compared } = equalContent(features, units);
  const blank = blankRows(compared);
  return { features, equal, blank, copied: copiedRows(compared, equal, blank, units) };
}

/**
 * The clusters of rows with content that are kept together; -1 for all other rows.
 *
 * @param codes cluster of each row as `equalRows` numbers them; -1 for a row that no other equals
 * @param units unit of each row, which stays whole anyway
 */
function copiedRows(
  features: Features,
  codes: Int32Array,
  blank: Uint8Array,
  units: Int32Array | undefined,
): Int32Array {
  const full = codes.map((code, row) => (blank[row] === 1 ? -1 : code));
  if (features.images) return full;
  const { copies, pairs, expected } = weigh(features, units, blank);
  if (!copies && pairs > 0 && pairs <= MANY * expected) return full.fill(-1);
  // In a column that is different in nearly every row no pattern is common.
  if (pairs === 0 || fineColumns(features.columns, codes).length > 0) return full;
  const members = new Map<number, Set<number>>();
  full.forEach((code, row) => {
    if (code >= 0) members.set(code, (members.get(code) ?? new Set()).add(units?.[row] ?? row));
  });
  const sizes = Array.from(members.values(), ({ size }) => size).sort((a, b) => a - b);
  const usual = copies ? sizes[(sizes.length - 1) >> 1] : 1;
  return full.map((code) => ((members.get(code)?.size ?? 0) > COMMON * usual ? -1 : code));
}
