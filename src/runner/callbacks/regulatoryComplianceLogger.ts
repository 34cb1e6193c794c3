import { files } from '#io';
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { type InputOf, type OptionsOf, optionTable, string } from '../../core/options.js';
import type { CVCallback, RunContext } from '../callback.js';
import type { CVResults } from '../cvResults.js';
import type { FoldResult } from '../foldResult.js';
import type { FoldContext } from '../frameworkAdapter.js';
import type { TuningTrial } from '../tuning/tuningTrial.js';
import type { TrailEntry, TrailEvent, TrailHead } from './trail/trailEntry.js';
import type { TrailFile } from './trail/trailFile.js';

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

/** The parts that are loaded with the first entry. */
const parts = () => import('./trail/parts.js');
type Parts = Awaited<ReturnType<typeof parts>>;
type Facts = Readonly<Record<string, unknown>>;

/**
 * Records a run as a trail that shows later changes: who and for what (as the caller says), versions, design, seeds,
 * hashes of the data and of each fold, and each decision: trials of a search, early stops, thresholds, scores, warnings,
 * errors, what the checks of `validate` found. Each entry holds the hash of the one before it; `verifyTrail` finds what
 * was changed. Keep `head` elsewhere: it shows whether the end was cut off.
 *
 * There are no ids of patients and no values of rows in it. Texts that hold an id or quote a class of y, and the words of
 * errors and warnings that a model wrote, are withheld: their hash stands for them. The fields `actor` and `purpose` are as the caller gives
 * them.
 *
 * It records, and that is all: no trail makes a run comply with anything. It serves one run at a time.
 *
 * @example
 * const trail = new RegulatoryComplianceLogger({ path: 'trail.jsonl', actor: 'A. Author', purpose: 'internal validation' });
 * await runner.run({ model, data: [X, y, patientIds], callbacks: [trail] });
 * console.log(trail.head, await verifyTrail(trail.entries));
 */
export class RegulatoryComplianceLogger implements CVCallback {
  readonly name = 'RegulatoryComplianceLogger';
  readonly readOnly = true;
  readonly #options: OptionsOf<typeof regulatoryComplianceLoggerOptions>;
  #entries: TrailEntry[] = [];
  #file: TrailFile | undefined;
  #parts: Parts | undefined;
  #run: RunContext | undefined;
  #runs = 0;
  /** Runs that were refused and are not torn down yet. */
  #refused = 0;
  #places = new Map<string, number>();
  #holdsId: (text: string) => boolean = () => false;
  /** Words of models and of row sources. */
  #foreign: string[] = [];
  /** Entries are made one after the other, whatever folds go on at once. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(input: RegulatoryComplianceLoggerOptions = {}) {
    this.#options = regulatoryComplianceLoggerOptions.resolve(input);
    if (this.#options.path === undefined || files) return;
    const must = 'be left out where there is no file system';
    throw new InvalidOptionError(
      sentence('The `path` option of RegulatoryComplianceLogger', must, this.#options.path, 'Use `toJSONLines()`.'),
    );
  }

  /** All entries of the trail in order, those of a file that is continued included. */
  get entries(): readonly TrailEntry[] {
    return [...this.#entries];
  }

  /** The end of the trail, to be kept elsewhere; null without entries. */
  get head(): TrailHead | null {
    const last = this.#entries.at(-1);
    return last ? { entries: this.#entries.length, hash: last.hash } : null;
  }

  /** The trail as text: one line of JSON per entry. */
  toJSONLines(): string {
    return this.#parts?.linesOf(this.#entries) ?? '';
  }

  async onCvStart(run: RunContext): Promise<void> {
    if (this.#run) {
      this.#refused++;
      const way = 'Make a logger for each run that goes on at the same time.';
      const got = phrase('a second one that begins before the first has ended');
      throw new InvalidOptionError(sentence(this.name, 'serve one run at a time', got, way), {
        code: 'callback_in_use',
      });
    }
    this.#run = run;
    const { idFinder, startFacts } = await this.#open();
    this.#places = new Map(run.folds.ids.map((id, place) => [id, place]));
    this.#holdsId = idFinder(run.data, run.y.classes);
    this.#foreign = [...(run.X.warnings ?? [])];
    const { actor = null, purpose = null } = this.#options;
    await this.#add('start', () => startFacts(run), { actor, purpose });
  }

  async onTrialEnd(trial: TuningTrial): Promise<void> {
    await this.#add('trial', ({ trialFacts }) => trialFacts(trial));
  }

  async onFoldStart(ctx: FoldContext): Promise<void> {
    const place = this.#places.get(ctx.fold);
    const fold = place === undefined ? undefined : this.#run?.folds.at(place);
    await this.#add('fold_start', ({ foldStartFacts }) => foldStartFacts(ctx, fold));
  }

  async onFoldEnd(ctx: FoldContext, result: FoldResult): Promise<void> {
    if (result.status === 'completed') this.#foreign.push(...(result.history.warnings ?? []));
    await this.#add('fold_end', ({ foldEndFacts }) => foldEndFacts(ctx, result));
  }

  async onCvEnd(results: CVResults): Promise<void> {
    await this.#add('end', ({ endFacts }) => endFacts(results, this.#foreign));
    this.#run = undefined;
  }

  /** After an error there is no end: the trail says that the run broke off. */
  async teardown(): Promise<void> {
    // The end of a run that was refused is not that of the run that goes on.
    if (this.#refused > 0) return void this.#refused--;
    const open = this.#run;
    this.#run = undefined;
    if (open) {
      await this.#add('error', () => ({ what: 'the run ended without results; its error went to the caller' }));
    }
  }

  /** The parts, and with the first run what stands in the file. */
  async #open(): Promise<Parts> {
    this.#parts ??= await parts();
    const { path } = this.#options;
    if (this.#file || path === undefined || !files) return this.#parts;
    const file = new this.#parts.TrailFile(files, path);
    try {
      this.#entries = [...(await file.read())];
    } catch (error) {
      this.#run = undefined;
      throw error;
    }
    this.#runs = this.#entries.at(-1)?.run ?? 0;
    this.#file = file;
    return this.#parts;
  }

  #add(event: TrailEvent, factsOf: (made: Parts) => Facts | Promise<Facts>, own: Facts = {}): Promise<void> {
    const added = this.#queue.then(async () => {
      const { plain, nextEntry, linesOf } = await this.#open();
      if (event === 'start') this.#runs++;
      const facts = (await plain(await factsOf(this.#parts as Parts), this.#holdsId)) as Facts;
      const entry = await nextEntry(this.#entries.at(-1), { ...facts, ...own, run: this.#runs, event });
      await this.#file?.append(linesOf([entry]));
      this.#entries.push(entry);
    });
    // Whether it fails is told to the hook, and does not matter to the entry behind it.
    this.#queue = Promise.allSettled([added]);
    return added;
  }
}
