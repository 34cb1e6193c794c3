/**
 * Loaded before the program: counts the steps that change what is in the folder `KILL_IN`, and ends the process at the step
 * `KILL_AT`. `KILL_HOW`: `before` it; `half`, in the middle of a write, of which `KILL_AT` is the number; or `power`: bytes that were not synced are gone, too,
 * and so are names that a folder got since it was synced. Without `KILL_AT` the numbers of both are written to `STEPS`.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, resolve } from 'node:path';

const { KILL_AT, KILL_HOW, KILL_IN, STEPS } = process.env;
const inside = (path) => typeof path === 'string' && resolve(path).startsWith(KILL_IN);
const sizeOf = (path) => (fs.existsSync(path) ? fs.statSync(path).size : 0);

let steps = 0;
let writes = 0;
/** How much of each file is on the disk. */
const synced = new Map();
/** Names that are not on the disk, and how they are taken back. */
let names = [];

function end() {
  if (KILL_HOW === 'power') {
    for (const { undo } of names.toReversed()) undo();
    for (const [path, size] of synced) if (sizeOf(path) > size) fs.truncateSync(path, size);
  }
  process.kill(process.pid, 'SIGKILL');
}

/** `half` does a part of a step that writes; `half` counts these alone. */
function step(path, half) {
  if (!inside(path)) return;
  steps++;
  if (half) writes++;
  if ((KILL_HOW === 'half' ? half && writes : steps) !== Number(KILL_AT)) return;
  if (KILL_HOW === 'half') half();
  end();
}

const firstHalf = (content) => Buffer.from(content).subarray(0, Buffer.byteLength(content) >> 1);

function isNewName(path) {
  if (!inside(path) || fs.existsSync(path)) return;
  names.push({ folder: dirname(resolve(path)), undo: () => fs.rmSync(path, { recursive: true, force: true }) });
  synced.set(resolve(path), 0);
}

const original = { ...promises };

promises.open = async (path, flags, ...rest) => {
  if (flags !== 'r') {
    step(path);
    isNewName(path);
    if (inside(path) && !synced.has(resolve(path))) synced.set(resolve(path), sizeOf(path));
  }
  const handle = await original.open(path, flags, ...rest);
  const own = resolve(String(path));
  if (!inside(path) && own !== dirname(KILL_IN)) return handle;
  for (const [name, change] of Object.entries(HANDLE)) {
    const work = handle[name].bind(handle);
    handle[name] = async (...args) => change(own, work, ...args);
  }
  return handle;
};

const HANDLE = {
  async appendFile(path, work, content) {
    step(path, () => fs.appendFileSync(path, firstHalf(content)));
    return work(content);
  },
  async truncate(path, work, size) {
    step(path);
    await work(size);
    synced.set(path, Math.min(synced.get(path), size));
  },
  async sync(path, work) {
    step(path);
    await work();
    if (fs.statSync(path).isDirectory()) names = names.filter(({ folder }) => folder !== path);
    else synced.set(path, sizeOf(path));
  },
};

promises.writeFile = async (path, content, ...rest) => {
  step(path, () => fs.writeFileSync(path, firstHalf(content)));
  isNewName(path);
  return original.writeFile(path, content, ...rest);
};

promises.mkdir = async (path, ...rest) => {
  step(path);
  isNewName(path);
  synced.delete(resolve(String(path)));
  return original.mkdir(path, ...rest);
};

promises.rename = async (from, to) => {
  step(to);
  if (!inside(to)) return original.rename(from, to);
  const before = fs.existsSync(to) ? fs.readFileSync(to) : undefined;
  await original.rename(from, to);
  synced.set(resolve(to), synced.get(resolve(from)) ?? 0);
  synced.delete(resolve(from));
  names.push({
    folder: dirname(resolve(to)),
    undo() {
      if (before === undefined) fs.rmSync(to, { force: true });
      else fs.writeFileSync(to, before);
    },
  });
};

for (const name of ['link', 'symlink', 'unlink', 'rm', 'chmod']) {
  promises[name] = async (...args) => {
    step(args[['link', 'symlink'].includes(name) ? 1 : 0]);
    return original[name](...args);
  };
}
syncBuiltinESMExports();

if (STEPS) process.on('exit', () => fs.writeFileSync(STEPS, JSON.stringify({ steps, writes })));
