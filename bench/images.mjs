/**
 * 10,000 DICOM files, read once in batches as a network reads them, headers included, against a loop by hand: dicom-parser
 * and the same conversion of pixels, one file after the other. Bounded memory, and the loop's own speed. Files are generated in a
 * temporary folder (1.3 GB) and deleted. Each side runs in a process of its own, in turns.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dicomBytes } from '../examples/support/dicomFile.mjs';
import { median } from './tfjs/verdicts.mjs';

const FILES = Number(process.env.FILES ?? 10_000);
const ROUNDS = 3;
const SIDE = 256;
const BATCH = 32;

const SIDES = {
  /** What a user would write. Returns the sum of all values, so that both sides can be compared. */
  async loop(folder) {
    const { default: dicom } = await import('dicom-parser');
    const names = paths(folder);
    let sum = 0;
    for (let from = 0; from < names.length; from += BATCH) {
      const batch = names.slice(from, from + BATCH);
      const data = new Float32Array(batch.length * SIDE * SIDE);
      batch.forEach((name, at) => {
        const bytes = new Uint8Array(readFileSync(name));
        const header = dicom.parseDicom(bytes);
        const { dataOffset, length } = header.elements.x7fe00010;
        const [slope, intercept] = [header.floatString('x00281053'), header.floatString('x00281052')];
        const pixels = new Uint16Array(bytes.slice(dataOffset, dataOffset + length).buffer);
        const out = data.subarray(at * SIDE * SIDE, (at + 1) * SIDE * SIDE);
        for (let i = 0; i < out.length; i++) out[i] = pixels[i] * slope + intercept;
      });
      sum += data[0] + data.at(-1);
    }
    return { sum };
  },
  async cvkit(folder) {
    const { readImages } = await import('cvkit/node');
    const started = performance.now();
    const { X } = await readImages(folder);
    const scan = performance.now() - started;
    let sum = 0;
    for (let from = 0; from < X.length; from += BATCH) {
      const indices = Int32Array.from({ length: Math.min(BATCH, X.length - from) }, (_, i) => from + i);
      const { data } = await X.take(indices);
      sum += data[0] + data.at(-1);
    }
    return { sum, scan };
  },
};

/** All files below, in the order of their paths. */
const paths = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.dcm'))
    .sort()
    .map((name) => join(folder, name));

const [side, given] = process.argv.slice(2);
if (side) {
  const started = performance.now();
  const { sum, scan = 0 } = await SIDES[side](given);
  const time = performance.now() - started;
  console.log(JSON.stringify({ sum, scan, time, rss: process.resourceUsage().maxRSS / 1024 }));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-bench-'));
  try {
    write(folder);
    compare(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(folder) {
  for (let file = 0; file < FILES; file++) {
    const patient = `P${Math.floor(file / 10)}`;
    if (file % 10 === 0) mkdirSync(join(folder, patient));
    const pixels = Uint16Array.from({ length: SIDE * SIDE }, (_, i) => (i * 7 + file) % 4096);
    const bytes = dicomBytes({ pixels, height: SIDE, width: SIDE, patient, site: 'S1', study: `${file}` });
    writeFileSync(join(folder, patient, `${file}.dcm`), bytes);
  }
}

function compare(folder) {
  const runs = { loop: [], cvkit: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Object.keys(runs)) runs[name].push(inProcess(name, folder));
  }
  const time = (name) => median(runs[name].map((run) => run.time));
  const perSecond = (name) => `${Math.round((1000 * FILES) / time(name))} files/s`;
  const ratio = time('loop') / time('cvkit');
  const rss = Math.max(...runs.cvkit.map((run) => run.rss));
  const scan = median(runs.cvkit.map((run) => run.scan));
  const same = new Set([...runs.loop, ...runs.cvkit].map(({ sum }) => sum)).size === 1;
  console.log(`${FILES} DICOM files of ${SIDE} x ${SIDE}, batches of ${BATCH}, median of ${ROUNDS} rounds`);
  console.log(
    `loop by hand ${perSecond('loop')}, cvkit ${perSecond('cvkit')}, of which headers ${(scan / 1000).toFixed(1)} s of ${(time('cvkit') / 1000).toFixed(1)} s`,
  );
  console.log(`${ratio >= 0.8 ? 'ok ' : 'MISSED'} speed: ${(100 * ratio).toFixed(0)} % of the loop's (goal >= 80 %)`);
  console.log(`${rss < 400 ? 'ok ' : 'MISSED'} memory: ${Math.round(rss)} MB at most (goal < 400 MB)`);
  console.log(`${same ? 'ok ' : 'MISSED'} the same numbers`);
  process.exitCode = ratio >= 0.8 && rss < 400 && same ? 0 : 1;
}

function inProcess(name, folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name, folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
