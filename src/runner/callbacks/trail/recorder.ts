/** What RegulatoryComplianceLogger does. */
import { files } from '#io';
import { InvalidOptionError, phrase, sentence } from '../../../core/errors.js';
import type { RunContext } from '../../callback.js';
import type { CVResults } from '../../cvResults.js';
import type { FoldResult } from '../../foldResult.js';
import type { FoldContext } from '../../frameworkAdapter.js';
import type { TuningTrial } from '../../tuning/tuningTrial.js';
import { idFinder, plain } from './privateText.js';
import { linesOf, nextEntry, type TrailEntry, type TrailEvent } from './trailEntry.js';
import { endFacts, foldEndFacts, foldStartFacts, startFacts, trialFacts } from './trailFacts.js';
import { TrailFile } from './trailFile.js';

type Facts = Readonly<Record<string, unknown>>;

interface Settings {
  readonly path: string | undefined;
  readonly actor: string | undefined;
  readonly purpose: string | undefined;
}

export class Recorder {
  readonly entries: TrailEntry[] = [];
  readonly #settings: Settings;
  #file: TrailFile | undefined;
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

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  text(): string {
    return linesOf(this.entries);
  }

  async start(run: RunContext): Promise<void> {
    if (this.#run) {
      this.#refused++;
      const way = 'Make a logger for each run that goes on at the same time.';
      const got = phrase('a second one that begins before the first has ended');
      throw new InvalidOptionError(sentence('RegulatoryComplianceLogger', 'serve one run at a time', got, way), {
        code: 'logger_in_use',
      });
    }
    this.#run = run;
    await this.#open();
    this.#places = new Map(run.folds.ids.map((id, place) => [id, place]));
    this.#holdsId = idFinder(run.data, run.y.classes);
    this.#foreign = [...(run.X.warnings ?? [])];
    this.#runs++;
    const { actor = null, purpose = null } = this.#settings;
    await this.#add('start', () => startFacts(run), { actor, purpose });
  }

  trial(trial: TuningTrial): Promise<void> {
    return this.#add('trial', () => trialFacts(trial));
  }

  foldStart(ctx: FoldContext): Promise<void> {
    const place = this.#places.get(ctx.fold);
    const fold = place === undefined ? undefined : this.#run?.folds.at(place);
    return this.#add('fold_start', () => foldStartFacts(ctx, fold));
  }

  foldEnd(ctx: FoldContext, result: FoldResult): Promise<void> {
    if (result.status === 'completed') this.#foreign.push(...(result.history.warnings ?? []));
    return this.#add('fold_end', () => foldEndFacts(ctx, result));
  }

  async end(results: CVResults): Promise<void> {
    await this.#add('end', () => endFacts(results, this.#foreign));
    this.#run = undefined;
  }

  /** After an error there is no end: the trail says that the run broke off. */
  async close(): Promise<void> {
    // The end of a run that was refused is not that of the run that goes on.
    if (this.#refused > 0) return void this.#refused--;
    const open = this.#run;
    this.#run = undefined;
    if (open) await this.#add('error', () => ({ what: 'the run ended without results; its error went to the caller' }));
  }

  /** With the first run, what stands in the file. */
  async #open(): Promise<void> {
    const { path } = this.#settings;
    if (this.#file || path === undefined || !files) return;
    const file = new TrailFile(files, path);
    try {
      for (const entry of await file.read()) this.entries.push(entry);
    } catch (error) {
      this.#run = undefined;
      throw error;
    }
    this.#runs = this.entries.at(-1)?.run ?? 0;
    this.#file = file;
  }

  #add(event: TrailEvent, factsOf: () => Facts | Promise<Facts>, own: Facts = {}): Promise<void> {
    const added = this.#queue.then(async () => {
      const facts = (await plain(await factsOf(), this.#holdsId)) as Facts;
      const entry = await nextEntry(this.entries.at(-1), { ...facts, ...own, run: this.#runs, event });
      await this.#file?.append(linesOf([entry]));
      this.entries.push(entry);
    });
    // Whether it fails is told to the hook, and does not matter to the entry behind it.
    this.#queue = Promise.allSettled([added]);
    return added;
  }
}
