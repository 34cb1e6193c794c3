/** The chunks of the study on disk: their names, and what they hold put together. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Repetitions or training sets per chunk. */
const SIZES = { truth: 250, intervals: 250, fewer: 100, competitors: 25 };

/** The tasks of `scenarios` with `counts` per kind. The name of a file says which repetitions it holds. */
export function tasksOf(scenarios, counts, { seed, folder }) {
  return scenarios.flatMap(({ id }) =>
    Object.entries(counts).flatMap(([kind, count]) =>
      Array.from({ length: Math.ceil(count / SIZES[kind]) }, (_, chunk) => {
        const [from, to] = [chunk * SIZES[kind], Math.min(count, (chunk + 1) * SIZES[kind])];
        return { kind, id, from, to, seed, file: join(folder, `${id}.${kind}.${from}-${to}.json`) };
      }),
    ),
  );
}

/**
 * The chunks of a scenario and kind, none of which overlap (a longer run leaves a short last chunk behind): `{ from,
 * to, found, time }`.
 */
export function chunksOf(folder, id, kind) {
  const pattern = new RegExp(`^${id}\\.${kind}\\.(\\d+)-(\\d+)\\.json$`);
  const all = existsSync(folder) ? readdirSync(folder) : [];
  const ranges = all.flatMap((name) => {
    const match = pattern.exec(name);
    return match ? [{ from: Number(match[1]), to: Number(match[2]), file: join(folder, name) }] : [];
  });
  const kept = [];
  for (const range of ranges.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)) {
    if (kept.every(({ from, to }) => range.to <= from || range.from >= to)) kept.push(range);
  }
  return kept
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, file }) => ({
      from,
      to,
      found: read(file),
      time: existsSync(`${file}.ms`) ? read(`${file}.ms`) : undefined,
    }));
}

/** CPU milliseconds per repetition (or training set) of a scenario and kind; undefined before anything ran. */
export function cpuPer(folder, id, kind) {
  const times = chunksOf(folder, id, kind).flatMap(({ time }) => time ?? []);
  const count = times.reduce((sum, each) => sum + each.count, 0);
  return count === 0 ? undefined : times.reduce((sum, { cpu }) => sum + cpu, 0) / count;
}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
