/** A trail: entries that are chained by their hashes, and the file that they are in. */

import { AppendOnlyFile } from './appendOnlyFile.js';
import { CVKitError, InvalidDataError, phrase, sentence } from './errors.js';
import { nameText } from './foreignText.js';
import { counted } from './format.js';
import type { Files, OpenFile } from './io.js';
import { custom, type InputOf, isPlainObject, optionTable } from './options.js';
import { canonicalJSON, sha256Of } from './sha256Of.js';

const FORMAT = 'cvkit-trail-1';

/** What stands in the place of the hash before the first entry. */
const GENESIS = '0'.repeat(64);

/** `open` and `attempt` stand in the log of a run directory alone. */
export type TrailEvent = 'start' | 'trial' | 'fold_start' | 'fold_end' | 'end' | 'error' | 'open' | 'attempt';

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

/** What `verifyTrail` gives back. */
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

/** Entry by entry; the first one that does not fit ends it. Throws {@link InvalidDataError} for what is no trail. */
export async function verifiedTrail(
  trail: string | readonly unknown[],
  options?: VerifyTrailOptions,
): Promise<VerifiedTrail> {
  const { head } = verifyTrailOptions.resolve(options);
  if (typeof trail !== 'string' && !Array.isArray(trail)) {
    const must = 'be the text of a file or a list of entries';
    throw new InvalidDataError(sentence('The trail of verifyTrail', must, trail));
  }
  const { entries, broken } = typeof trail === 'string' ? entriesIn(trail) : { entries: trail, broken: undefined };
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
      const reason = `the head tells of ${counted(head.entries, 'entry', 'entries')}: the end was cut off`;
      return result(entries.length, entries.length, reason);
    }
    if ((entries[head.entries - 1] as TrailEntry | undefined)?.hash !== head.hash) {
      return result(entries.length, head.entries - 1, 'its hash is not that of the head: it is another trail');
    }
  }
  const end = { entries: entries.length, hash: previous };
  return { valid: true, entries: entries.length, head: end, firstBroken: null, reason: null };
}

const result = (entries: number, at: number, reason: string): VerifiedTrail => ({
  ...{ valid: false, entries, head: null, firstBroken: at },
  reason: `entry ${at}: ${reason}`,
});

function entriesIn(text: string) {
  const lines = text.split('\n');
  const tail = lines.pop() as string;
  const entries: unknown[] = [];
  let broken: { at: number; reason: string } | undefined;
  for (const [at, line] of lines.entries()) {
    // Behind the first fault entries are only counted.
    const entry = broken ? undefined : parsed(line);
    entries.push(entry);
    if (!broken && entry === undefined) broken = { at, reason: 'it is not as it was written' };
  }
  if (tail !== '') {
    entries.push(undefined);
    broken ??= { at: lines.length, reason: 'it breaks off before the end of its line' };
  }
  return { entries, broken };
}

/** The value of a line; undefined where it is no JSON as we write it: another spelling of the same value is a change, too. */
function parsed(line: string): unknown {
  try {
    const entry: unknown = JSON.parse(line);
    return canonicalJSON(entry) === line ? entry : undefined;
  } catch (error) {
    // RangeError: nested more deeply than any entry, and than the stack is.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

async function fault(entry: unknown, at: number, previous: string): Promise<string | undefined> {
  if (!isPlainObject(entry) || entry.trail !== FORMAT) return `it is no entry of a ${FORMAT}`;
  // What has no JSON, as a value that holds itself, was not written.
  const hash = await (async () => hashOfEntry(entry))().catch((error) => {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  });
  if (hash === undefined || entry.hash !== hash) return 'it was changed: its hash is not that of what it says';
  if (entry.index !== at) return `it says that it is entry ${entry.index}: entries were removed, added or moved`;
  if (entry.previous !== previous)
    return 'it does not follow the entry before it: entries were removed, added or moved';
  return undefined;
}

// The file: entries are added behind what stands there, and each is on the disk before the run goes on.

/** Several runs, and several processes, may add to one file: they have one chain. */
export class TrailFile {
  readonly title: string;
  readonly alone: boolean;
  readonly #file: AppendOnlyFile;
  readonly #entries: TrailEntry[];

  /**
   * @param entries what is known of the file; grows with it
   * @param alone whoever adds holds a lock of the folder; a last line without its end, of a process that was killed while it
   *   wrote it, is cut then, and else refused
   */
  constructor(files: Files, path: string, entries: TrailEntry[], alone = false) {
    this.alone = alone;
    this.title = `The trail '${nameText(path, 200)}'`;
    this.#file = new AppendOnlyFile(files, path, this);
    this.#entries = entries;
  }

  /** Reads what stands there. Makes the file where there is none. */
  read(): Promise<void> {
    return this.#file.locked(async (file) => this.#readTo(file, (await file.stat()).size), 'unwritable_trail');
  }

  /**
   * Adds the entry that `make` gives, while nobody else can write: several runs have one chain.
   *
   * @throws {CVKitError} `invalid_trail`: no trail, a broken chain, or no longer the one that it was; `unwritable_trail`.
   */
  add(make: () => Promise<TrailEntry>): Promise<void> {
    return this.#file.locked(async (file) => {
      const { size } = await file.stat();
      await this.#readTo(file, size);
      const entry = await make();
      await this.#file.append(file, size, linesOf([entry]));
      this.#entries.push(entry);
    }, 'unwritable_trail');
  }

  async #readTo(file: OpenFile, size: number): Promise<void> {
    if (size === this.#file.end) return;
    const bytes = await this.#file.read(file, 0, size);
    const whole = this.alone ? bytes.subarray(0, bytes.lastIndexOf(LINE_END) + 1) : bytes;
    if (whole.length === this.#file.end) return;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole);
    const known = this.#entries.length;
    const head = known > 0 ? { entries: known, hash: this.#entries[known - 1].hash } : undefined;
    const { valid, reason } = await verifiedTrail(text, { head });
    if (!valid) throw this.invalid('be whole to be continued', String(reason), KEEP);
    for (const line of text.split('\n').slice(known, -1)) this.#entries.push(JSON.parse(line));
    this.#file.end = whole.length;
  }

  invalid(must: string, got: string, way?: string): CVKitError {
    return new CVKitError(sentence(this.title, must, phrase(got), way), { code: 'invalid_trail' });
  }
}

const LINE_END = 10;
const KEEP = 'Keep the file as it is, and give the path of a new one.';
