/** What `verifyTrail` does. */
import { canonicalJSON } from '../../../core/canonicalJSON.js';
import { counted } from '../../../core/format.js';
import { isPlainObject } from '../../../core/options.js';
import type { VerifiedTrail } from '../verifyTrail.js';
import { FORMAT, GENESIS, hashOfEntry, type TrailEntry, type TrailHead } from './trailEntry.js';

/** Entry by entry; the first one that does not fit ends it. */
export async function verified(trail: string | readonly unknown[], head?: TrailHead): Promise<VerifiedTrail> {
  const found = typeof trail === 'string' ? entriesIn(trail) : { entries: trail, broken: undefined };
  const { entries, broken } = found;
  const whole = broken ? entries.slice(0, broken.at) : entries;
  let previous = GENESIS;
  for (const [at, entry] of whole.entries()) {
    const reason = await fault(entry, at, previous);
    if (reason) return result(entries.length, at, reason);
    previous = (entry as TrailEntry).hash;
  }
  if (broken) return result(entries.length, broken.at, broken.reason);
  if (entries.length === 0) return result(0, 0, 'there is no entry');
  if (head) {
    if (entries.length < head.entries) {
      return result(
        entries.length,
        entries.length,
        `the head tells of ${counted(head.entries, 'entry', 'entries')}: the end was cut off`,
      );
    }
    if ((entries[head.entries - 1] as TrailEntry | undefined)?.hash !== head.hash) {
      return result(entries.length, head.entries - 1, 'its hash is not that of the head: it is another trail');
    }
  }
  return {
    valid: true,
    entries: entries.length,
    head: { entries: entries.length, hash: previous },
    firstBroken: null,
    reason: null,
  };
}

const result = (entries: number, at: number, reason: string): VerifiedTrail => ({
  valid: false,
  entries,
  head: null,
  firstBroken: at,
  reason: `entry ${at}: ${reason}`,
});

/** The entries of a text, and the first line that is none. */
function entriesIn(text: string): { entries: unknown[]; broken?: { at: number; reason: string } } {
  const lines = text.split('\n');
  const tail = lines.pop() as string;
  const entries: unknown[] = [];
  let broken: { at: number; reason: string } | undefined;
  for (const [at, line] of lines.entries()) {
    const entry = parsed(line);
    entries.push(entry);
    // Another spelling of the same value is a change, too.
    if (!broken && (entry === undefined || canonicalJSON(entry) !== line))
      broken = { at, reason: 'it is not as it was written' };
  }
  if (tail !== '') {
    entries.push(undefined);
    broken ??= { at: lines.length, reason: 'it breaks off before the end of its line' };
  }
  return { entries, ...(broken ? { broken } : {}) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What is wrong with an entry at its place; undefined when nothing is. */
async function fault(entry: unknown, at: number, previous: string): Promise<string | undefined> {
  if (!isPlainObject(entry) || entry.trail !== FORMAT) return `it is no entry of a ${FORMAT}`;
  if (entry.hash !== (await hashOfEntry(entry))) return 'it was changed: its hash is not that of what it says';
  if (entry.index !== at) return `it says that it is entry ${entry.index}: entries were removed, added or moved`;
  if (entry.previous !== previous)
    return 'it does not follow the entry before it: entries were removed, added or moved';
  return undefined;
}
