import { files } from '#io';
import { InvalidOptionError, sentence } from '../core/errors.js';
import { type InputOf, type OptionsOf, optionTable, string } from '../core/options.js';
import type { TrailEntry, TrailHead } from '../core/trail.js';
import type { TuningTrial } from '../core/tuningTrial.js';
import type { CVCallback, RunContext } from '../runner/callback.js';
import type { CVResults } from '../runner/cvResults.js';
import type { FoldResult } from '../runner/foldResult.js';
import type { FoldContext } from '../runner/frameworkAdapter.js';
import type { Recorder } from './recorder.js';

export const regulatoryComplianceLoggerOptions = optionTable('RegulatoryComplianceLogger', {
  path: string()
    .optional()
    .describe(
      'File of the trail, one line of JSON per entry. One that exists is verified and continued. Left out: no file.',
    ),
  actor: string()
    .optional()
    .alias('author')
    .describe('Who makes the run, as it is to be recorded. Never read from the machine.'),
  purpose: string().optional().describe('What the run is for, as it is to be recorded.'),
});

export type RegulatoryComplianceLoggerOptions = InputOf<typeof regulatoryComplianceLoggerOptions>;

/**
 * Records a run as a trail that shows later changes: who and for what (as the caller says), versions, design, seeds,
 * hashes of the data and of each fold, and each decision: trials of a search, early stops, thresholds, scores, warnings,
 * errors, what the checks of `validate` found. Each entry holds the hash of the one before it; `verifyTrail` finds what
 * was changed. Keep `head` elsewhere: it shows whether the end was cut off.
 *
 * There are no ids of patients and no values of rows in it. Warnings stand in full where cvkit wrote them alone; all others,
 * the words of errors, and texts that hold an id or quote a class of y are withheld: a hash stands for them, whose key is
 * random in each run and kept nowhere (HMAC-SHA-256, RFC 2104). The fields `actor` and `purpose` are as the caller gives them.
 *
 * What is refused before `onCvStart` (options, data, folds, the adapter) leaves no entry. Runs that go on at once, each with a
 * logger of its own, may share a file.
 *
 * It records, and that is all: no trail makes a run comply with anything. It serves one run at a time.
 *
 * @example
 * const trail = new RegulatoryComplianceLogger({ path: 'trail.jsonl', actor: 'A. Author', purpose: 'internal validation' });
 * await runner.run({ model, data: [X, y, patientIds], callbacks: [trail] });
 * console.log(trail.entries.length, (await verifyTrail(trail.entries)).valid);
 */
export class RegulatoryComplianceLogger implements CVCallback {
  /** Printed, and minifiers rename classes. */
  static readonly name: string = regulatoryComplianceLoggerOptions.owner;
  readonly name = RegulatoryComplianceLogger.name;
  readonly readOnly = true;
  readonly #options: OptionsOf<typeof regulatoryComplianceLoggerOptions>;
  #recorder: Recorder | undefined;

  constructor(input: RegulatoryComplianceLoggerOptions = {}) {
    this.#options = regulatoryComplianceLoggerOptions.resolve(input);
    if (this.#options.path === undefined || files) return;
    const must = 'be left out where there is no file system';
    const subject = 'The `path` option of RegulatoryComplianceLogger';
    throw new InvalidOptionError(sentence(subject, must, this.#options.path, 'Use `toJSONLines()`.'));
  }

  /** All entries of the trail in order, those of a file that is continued included. */
  get entries(): readonly TrailEntry[] {
    return [...(this.#recorder?.entries ?? [])];
  }

  /** The end of the trail, to be kept elsewhere; null without entries. */
  get head(): TrailHead | null {
    const { entries } = this;
    const last = entries.at(-1);
    return last ? { entries: entries.length, hash: last.hash } : null;
  }

  /** The trail as text: one line of JSON per entry. */
  toJSONLines(): string {
    return this.#recorder?.text() ?? '';
  }

  async onCvStart(run: RunContext): Promise<void> {
    const { Recorder } = await import('./recorder.js');
    this.#recorder ??= new Recorder(this.#options);
    await this.#recorder.start(run);
  }

  async onTrialEnd(trial: TuningTrial): Promise<void> {
    await this.#recorder?.trial(trial);
  }

  async onFoldStart(ctx: FoldContext): Promise<void> {
    await this.#recorder?.foldStart(ctx);
  }

  async onFoldEnd(ctx: FoldContext, result: FoldResult): Promise<void> {
    await this.#recorder?.foldEnd(ctx, result);
  }

  async onCvEnd(results: CVResults): Promise<void> {
    await this.#recorder?.end(results);
  }

  async teardown(error?: unknown): Promise<void> {
    await this.#recorder?.close(error);
  }
}
