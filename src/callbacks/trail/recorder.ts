/** What RegulatoryComplianceLogger does. */
import { files } from '#io';
import { cleanupOnError } from '../../core/cleanup.js';
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { withholder } from '../../core/withheld.js';
import type { RunContext } from '../../runner/callback.js';
import type { CVResults } from '../../runner/cvResults.js';
import type { FoldResult } from '../../runner/foldResult.js';
import type { FoldContext } from '../../runner/frameworkAdapter.js';
import type { TuningTrial } from '../../tuning/tuningTrial.js';
import { causesOf, idFinder, type Privacy, plain } from './privateText.js';
import { linesOf, nextEntry, type TrailEntry, type TrailEvent } from './trailEntry.js';
import { breakFacts, endFacts, foldEndFacts, foldStartFacts, startFacts, trialFacts } from './trailFacts.js';
import { TrailFile } from './trailFile.js';

type Facts = Readonly<Record<string, unknown>>;

interface Settings {
  readonly path: string | undefined;
  readonly actor: string | undefined;
  readonly purpose: string | undefined;
}

export class Recorder {
  /** Those of other runs that go on in the same file included. */
  readonly entries: TrailEntry[] = [];
  readonly #settings: Settings;
  readonly #file: TrailFile | undefined;
  /** From its first hook to its teardown. */
  #run: RunContext | undefined;
  /** Number of the run in the trail. */
  #number = 0;
  /** What the hook of runs that were refused has thrown: their teardown is not that of the run that goes on. */
  readonly #refusals = new WeakSet<object>();
  #places = new Map<string, number>();
  /** Of the run that began last. */
  #privacy: Promise<Privacy> | undefined;
  /** Entries are made one after the other, whatever folds go on at once. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(settings: Settings) {
    this.#settings = settings;
    const { path } = settings;
    if (path !== undefined && files) this.#file = new TrailFile(files, path, this.entries);
  }

  text(): string {
    return linesOf(this.entries);
  }

  async start(run: RunContext): Promise<void> {
    if (this.#run) {
      const way = 'Make a logger for each run that goes on at the same time.';
      const got = phrase('a second one that begins before the first has ended');
      const message = sentence('RegulatoryComplianceLogger', 'serve one run at a time', got, way);
      const refusal = new InvalidOptionError(message, { code: 'logger_in_use' });
      this.#refusals.add(refusal);
      throw refusal;
    }
    this.#run = run;
    this.#places = new Map(run.folds.ids.map((id, place) => [id, place]));
    this.#privacy = withholder().then((withheld) => ({ holdsId: idFinder(run.data, run.y.classes), withheld }));
    const { actor = null, purpose = null } = this.#settings;
    await cleanupOnError(
      () => this.#add('start', () => startFacts(run), { actor, purpose }),
      () => {
        this.#run = undefined;
      },
    );
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
    return this.#add('fold_end', () => foldEndFacts(ctx, result));
  }

  end(results: CVResults): Promise<void> {
    return this.#add('end', () => endFacts(results));
  }

  /** @param thrown what broke the run off, if anything did: perhaps after its end was recorded */
  async close(thrown?: unknown): Promise<void> {
    if (causesOf(thrown).some((each) => this.#refusals.has(each as object))) return;
    const open = this.#run;
    this.#run = undefined;
    if (open && thrown !== undefined) await this.#add('error', () => breakFacts(thrown));
  }

  #add(event: TrailEvent, factsOf: () => Facts | Promise<Facts>, own: Facts = {}): Promise<void> {
    const added = this.#queue.then(async () => {
      const facts = plain(await factsOf(), (await this.#privacy) as Privacy) as Facts;
      const make = () => {
        if (event === 'start') this.#number = 1 + this.entries.filter((each) => each.event === 'start').length;
        return nextEntry(this.entries.at(-1), { ...facts, ...own, run: this.#number, event });
      };
      if (this.#file) await this.#file.add(make);
      else this.entries.push(await make());
    });
    // Whether it fails is told to the hook, and does not matter to the entry behind it.
    this.#queue = Promise.allSettled([added]);
    return added;
  }
}
