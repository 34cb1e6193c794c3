/** Tasks in a folder that other machines see, and what they answer: `tasks/<batch>/` of a run directory. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { files as nodeFiles } from '#io';
import { phrase, RunDirectoryError, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { counted, formatDuration } from '../../core/format.js';
import type { Files } from '../../core/io.js';
import { freshName, ifThere, syncFolder, writeWhole } from '../../core/wholeFile.js';
import type { FoldLink, FoldServices, FoldTask } from '../../runner/executor.js';
import { pathOnly } from '../../runner/foldExecutor.js';
import { type FoldOutcome, failedAtOnce } from '../../runner/foldResult.js';
import type { ModelPlace } from '../../runner/frameworkAdapter.js';
import { runFoldElsewhere } from '../../runner/runFoldElsewhere.js';
import { exactJSON, fromExactJSON } from '../directory/exactJSON.js';
import { type Attempt, outcomeBody, outcomeFileName, outcomeFrom, outcomeText } from '../directory/outcomeFile.js';
import { NO_TIME } from '../directory/runFolder.js';
import { taskKey } from '../directory/taskKey.js';
import { type OpenedRun, openRun, placed, type RunDescription, type Worker } from './description.js';

const files = nodeFiles as Files;

/** One task as it crosses; `v8` writes and reads what JSON would have to spell out. */
export interface TaskMessage {
  readonly task: FoldTask;
  /** Names the outcome. */
  readonly key: string;
  readonly place: ModelPlace | undefined;
}

/** What a worker answers: the outcome of a fold that failed, or the text of one that is completed, and what it took. */
export type Answer = Attempt & {
  readonly host: string;
  readonly failed?: FoldOutcome;
  /** See `outcomeText`; left out where it stands in the folder. */
  readonly text?: string;
};

/** Gives tasks as they cross. @param name of the outcomes, where no run directory names them: they are for this call alone */
export function taskMessages(link: FoldLink, name: string): (task: FoldTask) => TaskMessage {
  const { directory } = link.forMachines();
  const { placeOf } = link.services;
  return (task) => ({
    task,
    key: directory?.keyOf(task) ?? taskKey(task, name) ?? randomUUID(),
    place: task.keepModel === 'save' ? pathOnly(placeOf(task.ctx.fold), 'process') : undefined,
  });
}

/** Does one task in this process. Answers also where the run could not be opened. */
export async function answerTask(
  opened: Promise<OpenedRun>,
  { task, key, place }: TaskMessage,
  signal?: AbortSignal,
): Promise<Answer> {
  const started = performance.now();
  try {
    const { run, callbacks, places } = await opened;
    const own = placed(task, places) as FoldTask;
    const outcome = await runFoldElsewhere(own, async () => run, { callbacks, place, signal });
    if (outcome.status === 'failed') return { ...took(outcome), failed: outcome };
    return { ...took(outcome), text: outcomeText(key, task, outcome).text };
  } catch (error) {
    return failedAnswer(task, started, error);
  }
}

export function failedAnswer({ ctx }: FoldTask, started: number, error: unknown): Answer {
  const failed = failedAtOnce(ctx, started, error);
  return { ...took(failed), failed };
}

const took = ({ seconds, secondsOf, left }: FoldOutcome) => ({ seconds, secondsOf, left, host: hostname() });

/** The outcome of an answer, with the truth of its rows. Throws {@link RunDirectoryError} where its text was changed. */
export function answeredOutcome(
  { text, failed, seconds, secondsOf, left }: Answer,
  { task, key }: Pick<TaskMessage, 'task' | 'key'>,
  services: Pick<FoldServices, 'y' | 'positive' | 'weight'>,
): FoldOutcome {
  if (failed) return { ...failed, ctx: task.ctx };
  const found = outcomeBody(text ?? '');
  if (found?.body.key !== key) {
    const subject = `The outcome of ${nameText(task.ctx.fold)}`;
    const message = sentence(subject, 'be as its worker wrote it', phrase(text ? 'another one' : 'none'));
    throw new RunDirectoryError(message, { code: 'damaged_run_directory' });
  }
  return outcomeFrom(found.body, task, { seconds, secondsOf, left }, services);
}

export const outcomePath = (directory: string, { ctx }: FoldTask, key: string): string =>
  join(directory, 'folds', outcomeFileName(ctx.fold, key));

/** A batch of tasks in `directory/tasks/name`. */
export class TaskFolder {
  readonly place: string;
  readonly #directory: string;

  constructor(directory: string, name: string) {
    this.#directory = directory;
    this.place = join(directory, 'tasks', name);
  }

  async begin(description: RunDescription): Promise<void> {
    await mkdir(this.place, { recursive: true, mode: 0o700 });
    await mkdir(join(this.#directory, 'folds'), { recursive: true, mode: 0o700 });
    await this.#write('run.json', exactJSON(description));
  }

  async describe(): Promise<RunDescription> {
    const text = await ifThere(() => readFile(join(this.place, 'run.json'), 'utf8'), undefined);
    if (text === undefined) {
      const way = 'Make the call with `dryRun: true` and this `runDirectory`, which writes them.';
      throw this.#fault('have tasks', 'none', way);
    }
    return this.#parsed('run.json', () => fromExactJSON(text) as RunDescription);
  }

  add(at: number, message: TaskMessage): Promise<void> {
    return this.#write(`${at}.task`, [serialize(message)]);
  }

  async task(at: number): Promise<TaskMessage> {
    const bytes = await ifThere(() => readFile(join(this.place, `${at}.task`)), undefined);
    if (bytes) return this.#parsed(`${at}.task`, () => deserialize(bytes) as TaskMessage);
    const all = (await readdir(this.place))
      .filter((name) => name.endsWith('.task'))
      .map((name) => Number.parseInt(name, 10));
    const range =
      all.length === 0 ? 'none' : `${counted(all.length, 'task')}, ${Math.min(...all)} to ${Math.max(...all)}`;
    throw this.#fault(`have a task ${at}`, range, 'Name one of them.');
  }

  /** Undefined as long as there is none. A text that stands in the folder of outcomes is read, too. */
  async answer(at: number, { task, key }: TaskMessage): Promise<Answer | undefined> {
    const text = await ifThere(() => readFile(join(this.place, `${at}.json`), 'utf8'), undefined);
    if (text === undefined) return undefined;
    const answer = fromExactJSON(text) as Answer;
    if (answer.failed) return answer;
    return { ...answer, text: await ifThere(() => readFile(outcomePath(this.#directory, task, key), 'utf8'), '') };
  }

  /** Whether its outcome is there, whole: another worker may have been first, or this one was killed before it answered. */
  async has({ task, key }: TaskMessage): Promise<boolean> {
    const text = await ifThere(() => readFile(outcomePath(this.#directory, task, key), 'utf8'), '');
    return outcomeBody(text)?.body.key === key;
  }

  /**
   * The outcome first: who finds the answer finds it, too, and a run that is begun again finds it without. It is written here and
   * moved, since a run that opens the directory clears what is unfinished among the outcomes. One that is there stays: a run may
   * have noted its hash.
   */
  async put(at: number, message: TaskMessage, { text, ...answer }: Answer): Promise<void> {
    if (text !== undefined) {
      const here = join(this.place, `${at}.${freshName()}.outcome`);
      const path = outcomePath(this.#directory, message.task, message.key);
      await writeWhole(files, here, text);
      if (await this.has(message)) await rm(here);
      else await rename(here, path);
      await syncFolder(files, dirname(path));
    }
    await this.#write(`${at}.json`, exactJSON({ key: message.key, ...answer }));
  }

  #write(name: string, content: string | Uint8Array[]): Promise<void> {
    return writeWhole(files, join(this.place, name), content, { overwrite: true });
  }

  #parsed<T>(name: string, parse: () => T): T {
    try {
      return parse();
    } catch (cause) {
      const way = 'Make the call with `dryRun: true` again, which writes it.';
      throw this.#fault(`hold ${name} as it was written`, 'something else', way, cause);
    }
  }

  #fault(must: string, got: string, way: string, cause?: unknown): RunDirectoryError {
    const subject = `The folder '${nameText(this.place, 300)}'`;
    return new RunDirectoryError(sentence(subject, must, phrase(got), way), { code: 'no_task', cause });
  }
}

/** Does some tasks of a folder, one after the other: those whose outcome is not there. Gives the answers of those that failed. */
export async function workOn(
  folder: TaskFolder,
  tasks: readonly number[],
  worker: Worker,
  signal?: AbortSignal,
  tell: (line: string) => void = () => undefined,
): Promise<Answer[]> {
  const description = await folder.describe();
  let opened: Promise<OpenedRun> | undefined;
  const failed: Answer[] = [];
  for (const at of tasks) {
    const message = await folder.task(at);
    const before = await folder.answer(at, message);
    if (await folder.has(message)) {
      if (!before || before.failed) await folder.put(at, message, { ...NO_TIME, host: hostname() });
      tell(`${nameText(message.task.ctx.fold)}: was there already`);
      continue;
    }
    opened ??= openRun(description, worker);
    const answer = await answerTask(opened, message, signal);
    signal?.throwIfAborted();
    await folder.put(at, message, answer);
    if (answer.failed) failed.push(answer);
    tell(
      `${nameText(message.task.ctx.fold)}: ${answer.failed ? 'failed' : 'done'} in ${formatDuration(answer.seconds)}`,
    );
  }
  return failed;
}
