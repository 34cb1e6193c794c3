import { InvalidDataError, sentence } from '../../core/errors.js';
import { custom, type InputOf, isPlainObject, optionTable } from '../../core/options.js';
import type { TrailEntry, TrailHead } from './trail/trailEntry.js';

export const verifyTrailOptions = optionTable('verifyTrail', {
  head: custom<TrailHead>(
    '{ entries, hash }',
    'be the `head` of a logger: a number of entries and a hash',
    (v) => isPlainObject(v) && Number.isInteger(v.entries) && Number(v.entries) >= 1 && typeof v.hash === 'string',
  )
    .optional()
    .describe('The end of the trail as it was kept elsewhere: shows whether entries were cut off at the end.'),
});

export type VerifyTrailOptions = InputOf<typeof verifyTrailOptions>;

/** What {@link verifyTrail} gives back. */
export interface VerifiedTrail {
  /** Every entry is as it was written and follows the one before it. */
  readonly valid: boolean;
  /** Entries that were found. */
  readonly entries: number;
  /** The end of a valid trail, to be kept elsewhere; else null. */
  readonly head: TrailHead | null;
  /** Place of the first entry that does not fit, from 0; null for a valid trail. */
  readonly firstBroken: number | null;
  /** What is wrong with it, with its place; null for a valid trail. */
  readonly reason: string | null;
}

/**
 * Verifies a trail of {@link RegulatoryComplianceLogger}: finds an entry that was changed, removed, inserted or moved, and
 * with `head` entries that were cut off at the end.
 *
 * What a chain of hashes cannot show: whoever can write the whole file can write another whole chain. Only a head that
 * is kept where they cannot write (another system, a signed document) tells such a chain from the first one. Nor does a
 * chain show that what was written is true, or that the clock was right.
 *
 * Source: Haber & Stornetta 1991, Journal of Cryptology 3:99 (linking of records); Schneier & Kelsey 1999, ACM TISSEC
 * 2:159 (audit logs).
 *
 * @param trail the text of the file, or the entries of a logger
 * @throws {InvalidDataError} what is neither
 *
 * @example
 * const { valid, reason } = await verifyTrail(await readFile('trail.jsonl', 'utf8'), { head });
 */
export async function verifyTrail(
  trail: string | readonly TrailEntry[],
  options?: VerifyTrailOptions,
): Promise<VerifiedTrail> {
  const { head } = verifyTrailOptions.resolve(options);
  if (typeof trail !== 'string' && !Array.isArray(trail)) {
    throw new InvalidDataError(
      sentence('The trail of verifyTrail', 'be the text of a file or a list of entries', trail),
    );
  }
  const { verified } = await import('./trail/verified.js');
  return verified(trail, head);
}
