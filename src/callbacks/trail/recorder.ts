import { files } from '#io';
import { AppendOnlyFile } from '../../core/appendOnlyFile.js';
import { cleanupOnError } from '../../core/cleanup.js';
import { CVKitError, InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import type { Files, OpenFile } from '../../core/io.js';
import { withholder } from '../../core/sha256Of.js';
import type { TuningTrial } from '../../core/tuningTrial.js';
import type { RunContext } from '../../runner/callback.js';
import type { CVResults } from '../../runner/cvResults.js';
import type { FoldResult } from '../../runner/foldResult.js';
import type { FoldContext } from '../../runner/frameworkAdapter.js';
import { linesOf, nextEntry, type TrailEntry, type TrailEvent } from './trailEntry.js';
import {
  breakFacts,
  causesOf,
  endFacts,
  foldEndFacts,
  foldStartFacts,
  idFinder,
  type Privacy,
  plain,
  startFacts,
  trialFacts,
} from './trailFacts.js';
import { verifiedTrail } from './verified.js';

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

// The file of a trail: entries are added behind what stands there, and each is on the disk before the run goes on.

class TrailFile {
  readonly title: string;
  readonly #file: AppendOnlyFile;
  readonly #entries: TrailEntry[];

  /** @param entries what is known of the file; grows with it */
  constructor(files: Files, path: string, entries: TrailEntry[]) {
    this.title = `The trail '${nameText(path, 200)}'`;
    this.#file = new AppendOnlyFile(files, path, this);
    this.#entries = entries;
  }

  /**
   * Adds the entry that `make` gives, while nobody else can write: several runs have one chain.
   *
   * @throws {CVKitError} `invalid_trail`: no trail, a broken chain, or no longer the one that it was; `unwritable_trail`.
   */
  add(make: () => Promise<TrailEntry>): Promise<void> {
    return this.#file.locked(async (file) => {
      const { size } = await file.stat();
      if (size !== this.#file.end) await this.#read(file, size);
      const entry = await make();
      await this.#file.append(file, size, linesOf([entry]));
      this.#entries.push(entry);
    }, 'unwritable_trail');
  }

  async #read(file: OpenFile, size: number): Promise<void> {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.#file.read(file, 0, size));
    const known = this.#entries.length;
    const head = known > 0 ? { entries: known, hash: this.#entries[known - 1].hash } : undefined;
    const { valid, reason } = await verifiedTrail(text, { head });
    if (!valid) throw this.invalid('be whole to be continued', String(reason), KEEP);
    for (const line of text.split('\n').slice(known, -1)) this.#entries.push(JSON.parse(line));
    this.#file.end = size;
  }

  invalid(must: string, got: string, way?: string): CVKitError {
    return new CVKitError(sentence(this.title, must, phrase(got), way), { code: 'invalid_trail' });
  }
}

const KEEP = 'Keep the file as it is, and give the path of a new one.';
