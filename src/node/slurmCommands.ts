/** The commands of SLURM. Its controller may be away for a while; jobs go on, and it knows them again afterwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CVKitError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { orAborted } from '../core/timeLimit.js';
import { errorCode } from '../core/wholeFile.js';

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
  const subject = `The command ${command} of SLURM`;
  // A group of its own: Ctrl-C in a terminal must not end what cancels the jobs.
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: environment() });
  try {
    const ended = once(child, 'close');
    const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code === 0) return stdout;
    const got = phrase(nameText(stderr.trim().replace(/\s+/g, ' ') || `exit code ${code ?? signal}`, 300));
    throw new CVKitError(sentence(subject, 'do its work', got), { code: 'slurm_refused' });
  } catch (error) {
    if (error instanceof CVKitError) throw error;
    const got = phrase(errorCode(error) === 'ENOENT' ? 'none' : messageOf(error));
    const way = 'Call it on a machine of the cluster, or take `processes`.';
    throw new CVKitError(sentence(subject, 'be at hand', got, way), { code: 'no_slurm', cause: error });
  }
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

/** The jobs of this user. By user: for a list of jobs the controller would send those of everyone. */
export async function jobStates(): Promise<JobStates> {
  const at = performance.now();
  const queue = await printed('squeue', ['-h', '-r', '--me', '-t', 'all', '-o', '%F %K %T']);
  const lines = queue.matchAll(/^(\d+) (\d+) (\w+)/gm);
  return { at, of: new Map(Array.from(lines, ([, job, index, state]) => [`${job}_${index}`, state])) };
}

/** Ends all jobs of these names, also those whose numbers sbatch could not tell any more. Warns where that fails, since the caller has another error to throw. */
export async function cancelJobs(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const name = `--name=${names.join()}`;
  await patiently('scancel', ['--quiet', name]).catch((error) => {
    // Without SLURM there are no jobs.
    if (error.code === 'no_slurm') return;
    const warning = `Jobs may go on: ${messageOf(error)} Call: scancel ${name}`;
    process.emitWarning(warning, { code: 'CVKIT_SLURM' });
  });
}
