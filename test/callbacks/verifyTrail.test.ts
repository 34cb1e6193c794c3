import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { RegulatoryComplianceLogger } from '../../src/callbacks/regulatoryComplianceLogger.js';
import { verifyTrail } from '../../src/callbacks/verifyTrail.js';
import { canonicalJSON } from '../../src/core/sha256Of.js';
import { hashOfEntry, type TrailEntry, type TrailHead } from '../../src/core/trail.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

let entries: TrailEntry[];
let text: string;
let head: TrailHead;

beforeAll(async () => {
  const logger = new RegulatoryComplianceLogger({ actor: 'Zoë', purpose: 'a test' });
  const y = Array.from({ length: 20 }, (_, row) => row % 2);
  const model = () => ({ fit: () => undefined, predict: (X: unknown[]) => X.map(() => 1) });
  const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
  await runner.run({ model, data: [y.map((_, row) => [row]), y], metrics: ['accuracy'], callbacks: logger });
  entries = [...logger.entries];
  text = logger.toJSONLines();
  head = logger.head as TrailHead;
});

const lines = () => text.split('\n').slice(0, -1);
const joined = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
/** The entry with a fact and the hash that fits it, as one would forge it. */
async function forged(entry: TrailEntry, facts: object): Promise<TrailEntry> {
  const changed = { ...entry, ...facts };
  return { ...changed, hash: await hashOfEntry(changed) };
}

type Trail = Parameters<typeof verifyTrail>[0];
/** The trail is not valid: its first broken entry is `at`, for this reason. */
async function expectBroken(trail: Trail, at: number, reason: RegExp = /^entry/, options = {}) {
  const found = await verifyTrail(trail, options);
  expect(found).toMatchObject({ valid: false, firstBroken: at, reason: expect.stringMatching(reason) });
}

describe('verifyTrail', () => {
  it('takes the text and the entries of a trail that nobody changed', async () => {
    const whole = { valid: true, entries: 6, head, firstBroken: null, reason: null };
    expect(await verifyTrail(text)).toEqual(whole);
    expect(await verifyTrail(entries)).toEqual(whole);
    expect(await verifyTrail(text, { head })).toEqual(whole);
  });

  it('finds an entry that was changed, with or without a hash that fits', async () => {
    const changed = entries.with(2, { ...entries[2], seed: 1 });
    await expectBroken(changed, 2, /^entry 2: it was changed/);
    const fitting = entries.with(2, await forged(entries[2], { seed: 1 }));
    await expectBroken(fitting, 3, /does not follow/);
  });

  it('finds entries that were removed, inserted or moved', async () => {
    for (let at = 0; at < entries.length - 1; at++) {
      await expectBroken(entries.toSpliced(at, 1), at);
      const moved = entries.toSpliced(at, 2, entries[at + 1], entries[at]);
      await expectBroken(joined(moved.map((each) => canonicalJSON(each))), at);
    }
    await expectBroken(entries.toSpliced(3, 0, entries[2]), 3);
    const inserted = await forged(entries[3], { index: 3, previous: entries[2].hash, event: 'trial' });
    await expectBroken(entries.toSpliced(3, 0, inserted), 4);
  });

  it('finds a cut at the end by the head alone, and says what it cannot see', async () => {
    const cut = joined(lines().slice(0, 4));
    expect((await verifyTrail(cut)).valid).toBe(true);
    expect(await verifyTrail(cut, { head })).toEqual({
      valid: false,
      entries: 4,
      head: null,
      firstBroken: 4,
      reason: 'entry 4: the head tells of 6 entries: the end was cut off',
    });
    // A whole other chain: only a head that was kept elsewhere tells it from the first one.
    let previous = entries[0].previous;
    const other: TrailEntry[] = [];
    for (const entry of entries) {
      const made = await forged(entry, { previous, run: 7 });
      other.push(made);
      previous = made.hash;
    }
    expect((await verifyTrail(other)).valid).toBe(true);
    await expectBroken(other, 5, /another trail/, { head });
    // A trail that was continued still ends the part that the head knows as it did.
    expect((await verifyTrail(text, { head: { entries: 3, hash: entries[2].hash } })).valid).toBe(true);
  });

  it('finds any byte that is another, and names its entry', async () => {
    const bytes = new TextEncoder().encode(text);
    const lineOf = (at: number) => bytes.subarray(0, at).filter((byte) => byte === 10).length;
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const other = bytes.slice();
        other[at] ^= mask;
        const found = await verifyTrail(new TextDecoder('utf-8', { ignoreBOM: true }).decode(other));
        expect([found.valid, found.firstBroken]).toEqual([false, lineOf(at)]);
        expect(found.reason).toMatch(new RegExp(`^entry ${lineOf(at)}: `));
      }),
      { numRuns: 400 },
    );
  });

  it('finds another spelling of the same value', async () => {
    const spaced = lines().map((line, at) => (at === 1 ? line.replace(':', ': ') : line));
    await expectBroken(joined(spaced), 1);
    await expectBroken(text.slice(0, -1), 5, /breaks off/);
    await expectBroken(text.slice(0, -40), 5);
  });

  it('refuses what is no trail', async () => {
    expect(await verifyTrail('')).toMatchObject({ valid: false, entries: 0, reason: 'entry 0: there is no entry' });
    await expectBroken([], 0);
    await expectBroken('{"op_code":0}\n', 0, /^entry 0: it is no entry of a cvkit-trail-1$/);
    await expectBroken('age,sex\n61,f\n', 0);
    await expectBroken([null, 3] as never, 0);
    await expect(verifyTrail(new Uint8Array(3) as never)).rejects.toThrow('be the text of a file or a list of entries');
    await expect(verifyTrail(text, { head: { entries: 0, hash: '' } })).rejects.toThrow('be the `head` of a logger');
  });
});

describe('a text that is no trail', () => {
  it.each([
    ['nested more deeply than the stack', `${'['.repeat(9000)}${']'.repeat(9000)}\n`, 1],
    ['of objects nested so', `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}\n`, 1],
    ['with 100,000 empty lines', `a${'\n'.repeat(100_000)}b`, 100_001],
  ])('is broken at its first entry: %s', async (_, given, found) => {
    expect(await verifyTrail(given)).toMatchObject({ valid: false, entries: found, firstBroken: 0 });
  });

  it('is broken where an entry of a list holds itself', async () => {
    const entry: Record<string, unknown> = { ...entries[0] };
    entry.own = entry;
    await expectBroken([entry as unknown as TrailEntry], 0);
  });
});
