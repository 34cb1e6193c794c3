/** Long lists on their way to a worker, in parts: to send them at once would hold up the page. */
import { isList, isPlainObject } from '../core/options.js';
import { isSharedMemory } from '../core/sharedMemory.js';
import { yieldToPage } from '../core/yieldToPage.js';

type List = unknown[] | Float64Array;

/** Stands where the list of that number stood; with `values`, a part of it. */
interface Part {
  readonly cvkitList: number;
  readonly values?: List;
}

/** A part has as many numbers, or rows of anything. */
const NUMBERS = 1 << 16;
const ROWS = 500;

let lists = 0;

/** Posts the long lists of a record part by part, and gives what is left of it to post. */
export async function posted(record: unknown, post: (part: Part) => void): Promise<unknown> {
  if (isPlainObject(record)) {
    const entries: [string, unknown][] = [];
    for (const [name, value] of Object.entries(record)) entries.push([name, await posted(value, post)]);
    return Object.fromEntries(entries);
  }
  const most = Array.isArray(record) ? ROWS : NUMBERS;
  const list = record as List;
  if (!isList(record) || list.length <= most || (ArrayBuffer.isView(list) && isSharedMemory(list.buffer)))
    return record;
  const part: Part = { cvkitList: lists++ };
  for (let from = 0; from < list.length; from += most) {
    post({ ...part, values: list.slice(from, from + most) });
    await yieldToPage();
  }
  return part;
}

/** Reads at the other end: messages as they were before `posted`, and undefined for a part, which is kept until then. */
export function listReader(): (message: unknown) => unknown {
  const kept = new Map<number, List[]>();
  const filled = (value: unknown): unknown => {
    if (!isPlainObject(value)) return value;
    const parts = kept.get((value as Partial<Part>).cvkitList ?? -1);
    if (!parts) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
    kept.delete((value as unknown as Part).cvkitList);
    return joined(parts);
  };
  return (message) => {
    const { cvkitList, values } = message as Partial<Part>;
    if (cvkitList === undefined || !values) return filled(message);
    const parts = kept.get(cvkitList) ?? [];
    kept.set(cvkitList, parts);
    parts.push(values);
    return undefined;
  };
}

function joined(parts: readonly List[]): List {
  if (Array.isArray(parts[0])) return parts.flat();
  const numbers = parts as readonly Float64Array[];
  const all = new (numbers[0].constructor as Float64ArrayConstructor)(
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of numbers) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
