/** The commands of SLURM. Its controller may be away for a while; jobs go on, and it knows them again afterwards. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { CVKitError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { orAborted } from '../core/timeLimit.js';

/** Milliseconds that the controller may be away. */
export const PATIENCE = 300_000;
const AWAY = /slurm controller|socket timed out|connect failure|communication|temporarily/i;

/** What a command prints. While the controller is away it is called again, until `signal`. */
export async function patiently(command: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await printed(command, args);
    } catch (error) {
      if (!AWAY.test(messageOf(error)) || performance.now() > until) throw error;
      await orAborted(signal, () => sleep(1000));
    }
  }
}

async function printed(command: string, args: readonly string[]): Promise<string> {
  const { fault, stdout } = await new Promise<{ fault?: string; stdout: string }>((resolve) => {
    const texts = { stdout: '', stderr: '' };
    // A group of its own: Ctrl-C in a terminal must not end what cancels the jobs.
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: environment() });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text) => {
        texts[name] += text;
      });
    }
    child.on('error', (error) => resolve({ fault: messageOf(error), stdout: '' }));
    child.on('close', (code, signal) => {
      resolve(code === 0 ? texts : { fault: texts.stderr.trim() || `exit code ${code ?? signal}`, stdout: '' });
    });
  });
  if (fault === undefined) return stdout;
  const got = phrase(nameText(fault, 300));
  if (fault.endsWith('ENOENT')) {
    const way = 'Call it on a machine of the cluster, or take `processes`.';
    throw new CVKitError(sentence(`The command ${command} of SLURM`, 'be at hand', phrase('none'), way), {
      code: 'no_slurm',
    });
  }
  throw new CVKitError(sentence(`The command ${command} of SLURM`, 'do its work', got), { code: 'slurm_refused' });
}

/** A job that submits jobs would hand its own limits down to them. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^SLURM_(?!CONF$)/.test(name)));

export interface JobStates {
  /** When they were asked for, by `performance.now()`. */
  readonly at: number;
  /** By job and index, `12_3`. */
  readonly of: ReadonlyMap<string, string>;
}

/** The jobs of this user, asked for once for all runs of an executor. */
export class JobQueue {
  #at = -Infinity;
  #last: Promise<JobStates> | undefined;

  /** @param age milliseconds since they were asked for, at most */
  states(age: number): Promise<JobStates> {
    const now = performance.now();
    if (!this.#last || now - this.#at > age) {
      this.#at = now;
      // By user: for a list of jobs the controller would send those of everyone.
      this.#last = printed('squeue', ['-h', '-r', '--me', '-t', 'all', '-o', '%F %K %T']).then((text) => {
        const lines = text.matchAll(/^(\d+) (\d+) (\w+)/gm);
        return { at: now, of: new Map(Array.from(lines, ([, job, index, state]) => [`${job}_${index}`, state])) };
      });
    }
    return this.#last;
  }
}

/** Ends all jobs of these names, also those whose numbers sbatch could not tell any more. Warns where that fails, since the caller has another error to throw. */
export async function cancelJobs(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const name = `--name=${names.join()}`;
  await patiently('scancel', ['--quiet', name]).catch((error) => {
    const warning = `Jobs may go on: ${messageOf(error)} Call: scancel ${name}`;
    process.emitWarning(warning, { code: 'CVKIT_SLURM' });
  });
}
