/** Journals of tests: a folder of their own, and Optuna where Python has it. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import type { Distribution, FrozenTrial } from '../../src/core/tuningTrial.js';

const SCRIPT = fileURLToPath(new URL('../reference/journal.py', import.meta.url));
const PYTHON = process.env.PYTHON ?? 'python3';

/** Whether there is a Python (`PYTHON`, or python3) that has Optuna 5. */
export const hasOptuna =
  spawnSync(PYTHON, ['-c', 'import optuna, sys; sys.exit(optuna.__version__ < "5")'], { stdio: 'ignore' }).status === 0;

/** Paths of files that are removed when the tests of the file are over. */
export function temporaryFiles(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-journal-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name) => join(folder, name);
}

/** A trial as test/reference/journal.py prints it. */
export interface OptunaTrial {
  readonly number: number;
  readonly state: 'RUNNING' | 'COMPLETE' | 'PRUNED' | 'FAIL' | 'WAITING';
  readonly values: (number | string)[] | null;
  readonly params: Record<string, unknown>;
  readonly kinds: Record<string, string>;
  readonly distributions: Record<string, [string, Record<string, unknown>]>;
  readonly intermediate: Record<string, number | string>;
  readonly user_attrs: Record<string, unknown>;
  readonly system_attrs: Record<string, unknown>;
  readonly start: number | null;
  readonly complete: number | null;
}

export type OptunaStudies = Record<
  string,
  { readonly directions: string[]; readonly user_attrs: Record<string, unknown>; readonly trials: OptunaTrial[] }
>;

/** The studies of a journal as Optuna reads them. */
export const optunaReads = (path: string): Promise<OptunaStudies> => script('read', path);

/** Has Optuna go on with a study for so many trials; gives what it reads then. */
export const optunaGoesOn = (path: string, name: string, trials: number): Promise<OptunaStudies> =>
  script('continue', path, name, String(trials));

const script = async (...args: string[]): Promise<OptunaStudies> => {
  const { stdout } = await promisify(execFile)(PYTHON, [SCRIPT, ...args], { maxBuffer: 1e9 });
  return JSON.parse(stdout);
};

const STATES = { RUNNING: 'running', COMPLETE: 'complete', PRUNED: 'pruned', FAIL: 'failed', WAITING: 'waiting' };

/** A trial of Optuna as ours would be. */
export function likeOurs(trial: OptunaTrial) {
  const isOpen = trial.state === 'RUNNING' || trial.state === 'WAITING';
  const { fixed_params, fail_reason } = trial.system_attrs as { fixed_params?: object; fail_reason?: string };
  return {
    number: trial.number,
    state: STATES[trial.state],
    value: trial.values?.[0] ?? null,
    params: { ...(isOpen ? fixed_params : {}), ...trial.params },
    distributions: Object.fromEntries(
      Object.entries(trial.distributions).map(([name, [kind, facts]]) => [name, distributionOf(kind, facts)]),
    ),
    intermediateValues: Object.entries(trial.intermediate).map(([step, value]) => [Number(step), value]),
    userAttrs: trial.user_attrs,
    ...(trial.state === 'FAIL' ? { reason: fail_reason ?? 'the journal holds no reason' } : {}),
    startedAt: trial.start,
    endedAt: trial.complete,
  };
}

function distributionOf(name: string, facts: Record<string, unknown>): Distribution {
  if (name === 'CategoricalDistribution') return { kind: 'categorical', choices: facts.choices } as Distribution;
  const kind = name === 'IntDistribution' ? 'int' : 'float';
  return { kind, ...{ log: false, step: null }, ...facts } as Distribution;
}

/** Our trial in the same form. */
export const inPlain = (trial: FrozenTrial) =>
  plain({
    ...trial,
    intermediateValues: [...trial.intermediateValues],
    startedAt: trial.startedAt?.getTime() ?? null,
    endedAt: trial.endedAt?.getTime() ?? null,
  });

/** Numbers that JSON does not have as text. */
export function plain(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}
