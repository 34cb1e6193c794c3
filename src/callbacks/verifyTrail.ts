import type { TrailEntry, VerifiedTrail, VerifyTrailOptions } from '../core/trail.js';

export type { VerifiedTrail, VerifyTrailOptions } from '../core/trail.js';

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
 * const trail = new RegulatoryComplianceLogger({ path: 'verified.jsonl' });
 * await runner.run({ model, data: [X, y], preprocessing, callbacks: [trail] });
 * const { valid, entries } = await verifyTrail(await readFile('verified.jsonl', 'utf8'), { head: trail.head });
 * console.log(valid, entries);
 */
export async function verifyTrail(
  trail: string | readonly TrailEntry[],
  options?: VerifyTrailOptions,
): Promise<VerifiedTrail> {
  const { verifiedTrail } = await import('../core/trail.js');
  return verifiedTrail(trail, options);
}
