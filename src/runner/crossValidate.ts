/** One cross-validation from checked options to results: what `UniversalCVRunner.run` loads when it is called. */
import type { EventEmitter } from 'eventemitter3';
import type { Parsed } from '../core/options.js';
import { isLabels } from '../data/labels.js';
import type { CVResults } from './cvResults.js';
import type { RunnerEvents } from './events.js';
import { execute } from './execute.js';
import { asImplied } from './impliedTask.js';
import { openRun, runCall } from './openRun.js';
import { readData } from './readData.js';
import type { runnerOptions } from './runnerOptions.js';
import { type RunOptions, runOptions } from './runOptions.js';

interface CallInput {
  readonly runner: Parsed<typeof runnerOptions.shape>;
  readonly input: RunOptions;
  readonly emitter: EventEmitter<RunnerEvents>;
}

/** Reads the data, makes the folds and runs them. */
export async function crossValidate({ runner, input, emitter }: CallInput): Promise<CVResults> {
  const run = runOptions.parse(input);
  const call = runCall(runner, run, emitter);
  const { options } = run;
  const y = Array.isArray(options.data) ? options.data[1] : (options.data as { y?: unknown }).y;
  // Labels that were read before (the functions of cvkit/stats do so) are read again by their owner, not here.
  const readings: typeof asImplied = isLabels(y) ? (read) => read({}) : asImplied;
  return readings((reading) => openRun(call, readData(options.data, { ...options, ...reading }), execute));
}
