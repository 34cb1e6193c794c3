/**
 * Time and memory of `readTable` on a CSV of 100 MB, beside csv-parse alone, which makes arrays of text and drops them. Each
 * in a process of its own; memory is the largest resident set above that of the process before.
 *
 * Goal: 8 s and 300 MB. Usage: npm run bench:table
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { randomSource } from 'cvkit';
import { readTable } from 'cvkit/node';

const ROWS = 408_500;
const WAYS = {
  'csv-parse alone': async (path) => {
    let rows = -1;
    const count = () => {
      rows++;
      return null;
    };
    const parser = parse({ on_record: count });
    parser.resume();
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), parser);
    return rows;
  },
  readTable: async (path) => (await readTable(path, { target: 'readmitted', groups: 'patient_id' })).info.rows,
};

const [way, path] = process.argv.slice(2);
if (way) await measure(way, path);
else await all();

async function all() {
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-table-'));
  try {
    const file = join(folder, 'big.csv');
    await pipeline(lines(), createWriteStream(file));
    console.log(`CSV of ${(statSync(file).size / 1e6).toFixed(0)} MB, ${ROWS} rows. Node ${process.version}`);
    for (const name of [...Object.keys(WAYS), ...Object.keys(WAYS)]) {
      const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name, file], {
        stdio: 'inherit',
      });
      if (status !== 0) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(name, file) {
  const base = process.memoryUsage().rss;
  const start = performance.now();
  const rows = await WAYS[name](file);
  const seconds = (performance.now() - start) / 1000;
  const above = (process.resourceUsage().maxRSS * 1024 - base) / 1e6;
  console.log(
    `${name.padEnd(16)} ${seconds.toFixed(2).padStart(6)} s  ${above.toFixed(0).padStart(4)} MB above base  ${rows} rows`,
  );
}

/** Visits of patients: 34 measurements, two categories, a date, a text in quotes, a target. */
function* lines() {
  const random = randomSource(1);
  const names = Array.from({ length: 34 }, (_, at) => `measurement_${at}`);
  yield `patient_id,${names.join(',')},race,ward,seen,note,readmitted\n`;
  let text = '';
  for (let row = 0; row < ROWS; row++) {
    const numbers = names.map((_, at) => {
      const draw = random.random();
      return at % 10 === 9 && draw < 0.1 ? 'NA' : (200 * draw).toFixed(at % 4);
    });
    const day = String(1 + (row % 28)).padStart(2, '0');
    const ward = `ward ${row % 30}`;
    text += `P${100_000 + (row >> 2)},${numbers},${'ABCDE'[row % 5]},${ward},2024-03-${day},"seen, ""${row % 9}""",${row % 3 ? 'no' : 'yes'}\n`;
    if (text.length > 1 << 16) {
      yield text;
      text = '';
    }
  }
  yield text;
}
