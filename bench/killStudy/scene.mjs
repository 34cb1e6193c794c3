/** What one trial of the study is played in: a folder, programs that end with it, and what must hold whatever was killed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyRun } from 'cvkit/node';
import alea from 'seedrandom/lib/alea.js';

export const FOLDS = Array.from({ length: 10 }, (_, at) => `fold-${at}`);
/** Longer than any run takes, also where others work, in ms. */
const MOST = 60_000;
const PROGRAM = fileURLToPath(new URL('program.mjs', import.meta.url));

/** Plays `work` in a folder of its own; whatever it throws is the reason why it failed. */
export async function trial(seed, work) {
  const folder = await mkdtemp(join(tmpdir(), 'cvkit-kills-'));
  const scene = new Scene(folder, alea(seed));
  try {
    await work(scene);
    return { ok: true, why: '' };
  } catch (error) {
    return { ok: false, why: error instanceof Fault ? error.message : error.stack };
  } finally {
    await scene.end();
    await rm(folder, { recursive: true });
  }
}

class Fault extends Error {}

/** Programs that run; they end with this process, however it is asked to end. */
const running = new Set();
process.on('exit', () => {
  for (const run of running) if (run.lives()) run.kill();
});

/** Says why a trial failed. */
export function must(holds, why) {
  if (!holds) throw new Fault(why);
}

class Scene {
  place;
  #folder;
  #random;
  #runs = [];

  constructor(folder, random) {
    this.#folder = folder;
    this.#random = random;
    this.place = this.path('run');
  }

  path(name) {
    return join(this.#folder, name);
  }

  /** A whole number from 0 to below `n`. */
  below(n) {
    return Math.floor(this.#random.double() * n);
  }

  /** Starts the run; `env` and `node` are for its process, the rest for `program.mjs`. */
  start({ env = {}, node = [], place = this.place, ...options } = {}) {
    const notes = place === this.place ? this.path('notes') : this.path('notes-undisturbed');
    return this.run([...node, PROGRAM, JSON.stringify({ place, ...options })], { NOTES: notes, ...env });
  }

  /** Starts another program of Node, which notes its fits with those of the run. */
  run(args, env) {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NOTES: this.path('notes'), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (bytes) => {
      text += bytes;
    });
    const exit = once(child, 'exit');
    // Its own processes have the same standard error: it is closed when the last of them has ended.
    const closed = once(child, 'close');
    const run = {
      pid: child.pid,
      kill: () => process.kill(child.pid, 'SIGKILL'),
      text: () => text,
      ended: async () => {
        const [code, signal] = await inTime(exit, 'a run must end');
        await inTime(closed, 'no process of a run must be left over');
        return { code, signal, text };
      },
      lives: () => child.exitCode === null && child.signalCode === null,
    };
    this.#runs.push(run);
    running.add(run);
    child.on('exit', () => running.delete(run));
    return run;
  }

  running() {
    return this.#runs.filter((run) => run.lives());
  }

  /** Which fold was fitted in which process, in order. */
  async fits() {
    const text = await readFile(this.path('notes'), 'utf8').catch(ifMissing(''));
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => ({ fold: line.split(' ')[0], pid: Number(line.split(' ')[1]) }));
  }

  /** Waits until so many fits have begun, or the run has ended. */
  async fitted(count, run) {
    while (run.lives() && (await this.fits()).length < count) await sleep(2);
  }

  /**
   * The folds that are kept, read without the code that is tested. A file under its name is whole, whenever it is read; a fold that
   * the run has announced is kept.
   */
  async kept(announced = '') {
    const kept = new Set();
    for (const name of await readdir(join(this.place, 'folds')).catch(ifMissing([]))) {
      if (name.endsWith('.tmp')) continue;
      const text = await readFile(join(this.place, 'folds', name), 'utf8');
      const [, hash, body] = /^\{"sha256":"(.{64})","outcome":(.*)\}\n$/s.exec(text) ?? [];
      must(createHash('sha256').update(String(body)).digest('hex') === hash, `${name} is torn`);
      const { fold } = JSON.parse(body);
      must(!kept.has(fold), `${fold} is there twice`);
      kept.add(fold);
    }
    for (const name of ['run.json', 'result.json']) {
      const text = await readFile(join(this.place, name), 'utf8').catch(ifMissing('{}'));
      must(isJSON(text), `${name} is torn`);
    }
    for (const [, fold] of announced.matchAll(/^(fold-\d+) \(/gm)) must(kept.has(fold), `${fold} is lost`);
    return kept;
  }

  /** Begins the same call again; what is kept is trained no more. */
  async again(options) {
    const kept = await this.kept();
    const before = (await this.fits()).length;
    const run = this.start(options);
    const ended = async () => {
      const end = await run.ended();
      const twice = (await this.fits()).slice(before).filter(({ fold }) => kept.has(fold));
      must(twice.length === 0, `${twice.map(({ fold }) => fold)} trained again, though kept`);
      return end;
    };
    return { ...run, ended };
  }

  /** Ends a run at once, unless it has ended well. */
  async kill(run) {
    if (run.lives()) run.kill();
    const { code, text } = await run.ended();
    must(code === null || code === 0, text);
    await this.kept(text);
  }

  /** Waits for a run that goes on by itself, whatever was killed beside it. */
  async goesOn(run) {
    const { code, text } = await run.ended();
    must(code === 0, `the run must go on: ${text}`);
    await this.kept(text);
  }

  /** Makes the call again until it has ended, and holds what it leaves against an undisturbed run. */
  async finish(options = {}) {
    await this.goesOn(await this.again(options));
    await this.isWhole();
  }

  /** Each fold is there once, in the files and in the log, and `result.json` has the bytes of an undisturbed run. */
  async isWhole() {
    const { valid, folds, faults } = await verifyRun(this.place);
    must(valid, `verifyRun: ${JSON.stringify(faults)}`);
    must(String(folds.toSorted()) === String(FOLDS), `folds of verifyRun: ${folds}`);
    must((await this.kept()).size === FOLDS.length, 'a fold is lost');
    const counted = (await this.log()).filter(({ event, status }) => event === 'fold_end' && status === 'completed');
    must(String(counted.map(({ fold }) => fold).sort()) === String(FOLDS), `folds of the log: ${counted.length}`);
    const rests = (await readdir(this.place, { recursive: true })).filter((name) => /\.tmp$|(^|\/)lock/.test(name));
    must(rests.length === 0, `files are left over: ${rests}`);
    // Whoever adopts a process takes a moment to note its end.
    for (const { pid } of await this.fits()) await soon(() => !isAlive(pid), `process ${pid} is left over`);
    // The salt of the pseudonyms is drawn once for each directory.
    const other = this.path('undisturbed');
    await mkdir(join(other, 'private'), { recursive: true });
    for (const name of ['run.json', 'private/salt']) await cp(join(this.place, name), join(other, name));
    const { code } = await this.start({ place: other }).ended();
    must(code === 0, 'an undisturbed run must end');
    const [disturbed, undisturbed] = await Promise.all(
      [this.place, other].map((place) => readFile(join(place, 'result.json'), 'utf8')),
    );
    must(disturbed === undisturbed, 'result.json has other bytes than that of an undisturbed run');
  }

  /** The entries of the log. */
  async log() {
    const text = await readFile(join(this.place, 'log.jsonl'), 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  async end() {
    // Processes of a program end with it.
    for (const run of this.#runs) if (run.lives()) run.kill();
    await Promise.allSettled(this.#runs.map((run) => run.ended()));
  }
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function inTime(work, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Fault(`${what} within ${MOST / 1000} s`)), MOST);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Waits until something holds, and faults after a while. */
export async function soon(holds, why) {
  const until = performance.now() + MOST;
  while (!holds()) {
    must(performance.now() < until, why);
    await sleep(20);
  }
}

const ifMissing = (none) => (error) => {
  if (error.code === 'ENOENT') return none;
  throw error;
};

function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}
