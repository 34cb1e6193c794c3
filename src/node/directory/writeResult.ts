/** What stands in a run directory at the end. */
import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import type { Files } from '../../core/io.js';
import { isPlainObject } from '../../core/options.js';
import { sha256Of } from '../../core/sha256Of.js';
import { writeWhole } from '../../core/wholeFile.js';
import { noteResult, onDisk } from './runFolder.js';

const FORMAT = 'cvkit-result-1';

/** They differ from one attempt to the next: the log has them. */
const TIMES: ReadonlySet<string> = new Set(['startedAt', 'seconds', 'secondsOf', 'preprocessSeconds', 'left']);

const withoutTimes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (!isPlainObject(value)) return value;
  // `left` may be a class, too.
  const isTime = (name: string) => TIMES.has(name) && (name !== 'left' || 'seconds' in value);
  const fields = Object.entries(value).filter(([name]) => !isTime(name));
  return Object.fromEntries(fields.map(([name, each]) => [name, withoutTimes(each)]));
};

/** `result.json`, the same bytes however often the run was interrupted, and `report.html` of what has one. */
export async function writeResult(place: string, result: { toHTML?(): Promise<string> }): Promise<void> {
  const plain = JSON.parse(JSON.stringify(result));
  const texts = {
    'result.json': `${JSON.stringify(withoutTimes({ format: FORMAT, ...plain }))}\n`,
    ...(result.toHTML ? { 'report.html': await result.toHTML() } : {}),
  };
  await onDisk(place, async () => {
    const hashes: Record<string, string> = {};
    for (const [name, text] of Object.entries(texts)) {
      await writeWhole(nodeFiles as Files, join(place, name), text, { overwrite: true, mode: 0o600 });
      hashes[name] = await sha256Of(text);
    }
    await noteResult(place, hashes);
  });
}
