/** One entry of a trail, and the hash that chains it to the one before. */
import { canonicalJSON, sha256Of } from '../../core/sha256Of.js';

export const FORMAT = 'cvkit-trail-1';

/** What stands in the place of the hash before the first entry. */
export const GENESIS = '0'.repeat(64);

export type TrailEvent = 'start' | 'trial' | 'fold_start' | 'fold_end' | 'end' | 'error';

/** One line of a trail. What it holds besides depends on the event: docs/callbacks.md. */
export interface TrailEntry {
  readonly trail: typeof FORMAT;
  /** Place in the trail, from 0. */
  readonly index: number;
  /** Number of the run in the trail, from 1. */
  readonly run: number;
  /** ISO 8601, UTC, by the clock of the machine. */
  readonly time: string;
  readonly event: TrailEvent;
  /** Hash of the entry before; 64 zeros for the first. */
  readonly previous: string;
  /** SHA-256 of the entry without its hash, as canonical JSON (RFC 8785) in UTF-8. */
  readonly hash: string;
  readonly [fact: string]: unknown;
}

/** The end of a trail: kept elsewhere, it shows whether entries were cut off. */
export interface TrailHead {
  readonly entries: number;
  /** Hash of the last one. */
  readonly hash: string;
}

export function hashOfEntry({ hash: _own, ...rest }: Readonly<Record<string, unknown>>): Promise<string> {
  return sha256Of(canonicalJSON(rest));
}

export async function nextEntry(
  last: TrailEntry | undefined,
  facts: Pick<TrailEntry, 'run' | 'event'> & Readonly<Record<string, unknown>>,
): Promise<TrailEntry> {
  const unsigned = {
    ...facts,
    trail: FORMAT,
    index: last ? last.index + 1 : 0,
    time: new Date().toISOString(),
    previous: last?.hash ?? GENESIS,
  };
  // As a reader of the file sees it.
  const plain = JSON.parse(canonicalJSON(unsigned)) as TrailEntry;
  return deepFrozen({ ...plain, hash: await hashOfEntry(plain) });
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) deepFrozen(each);
  return Object.freeze(value);
}

export const linesOf = (entries: readonly TrailEntry[]): string =>
  entries.map((entry) => `${canonicalJSON(entry)}\n`).join('');
