import { files, runtime } from '#io';
import { cleanupOnError } from '../core/cleanup.js';
import { CVKitError, FoldError, InvalidOptionError, phrase, sentence, show } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { nameText } from '../core/foreignText.js';
import { isPlainObject } from '../core/options.js';
import { withholder } from '../core/sha256Of.js';
import { linesOf, nextEntry, type TrailEntry, type TrailEvent, TrailFile } from '../core/trail.js';
import type { TuningTrial } from '../core/tuningTrial.js';
import { VERSION } from '../core/version.js';
import { hashOfFolds } from '../data/contentHashes.js';
import type { Label } from '../data/labels.js';
import { patientsOf, type SideData } from '../data/sideData.js';
import type { Adjustment } from '../runner/adjustment.js';
import type { RunContext } from '../runner/callback.js';
import { hasNumbers } from '../runner/checkPredictions.js';
import { type CVResults, ownWarningsOf } from '../runner/cvResults.js';
import type { FoldResult } from '../runner/foldResult.js';
import type { FoldContext } from '../runner/frameworkAdapter.js';
import type { CheckedFold } from '../splitters/foldsOf.js';

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

type Facts = Readonly<Record<string, unknown>>;

const pick = <T extends object>(from: T, ...names: (keyof T)[]): Facts =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

const startFacts = (run: RunContext): Facts => ({
  ...pick(run, 'adapter', 'randomState'),
  versions: { cvkit: VERSION, runtime },
  splitter: run.folds.splitterName,
  design: run.folds.design,
  nFolds: run.folds.length,
  foldFingerprint: run.folds.fingerprint,
  rows: run.folds.n,
  patients: patientsOf(run.data, run.folds.n)?.count ?? null,
  task: run.y.task,
  classes: run.y.shape || hasNumbers(run.y.task) ? null : run.y.classes.length,
  given: Object.entries(run.data)
    .flatMap(([name, values]) => (values === undefined ? [] : [name]))
    .sort(),
  preprocessing: run.preprocessing && { learns: run.preprocessing.learns, frozen: run.preprocessing.frozen },
  checks: run.checks?.map(({ code, type, status, severity }) => ({ code, type, status, severity })) ?? null,
});

const foldStartFacts = async (ctx: FoldContext, fold: CheckedFold | undefined): Promise<Facts> => ({
  ...pick(ctx, 'fold', 'repeat', 'seed', 'nTrain', 'nTest', 'params'),
  place: ctx.index,
  // As `folds` of the manifest, of this fold alone (docs/manifest.md).
  sha256: fold ? await hashOfFolds([fold]) : null,
  fingerprint: fold ? fingerprint([fold]) : null,
});

function foldEndFacts(ctx: FoldContext, result: FoldResult): Facts {
  const common = {
    fold: ctx.fold,
    place: ctx.index,
    ...pick(result, 'status', 'seconds', 'innerFits'),
    scores: Object.fromEntries(Object.entries(result.scores).map(([name, { value }]) => [name, value])),
  };
  if (result.status === 'failed') return { ...common, error: errorFacts(result.error) };
  const { fold, history, adjustment } = result;
  return {
    ...common,
    ...pick(result, 'nFitted', 'nValidation', 'stoppedEarly', 'keptEpoch'),
    nTest: fold.test.length,
    epochs: history.epochs.length,
    training: history.settings ?? null,
    adjustment: adjustment && adjustmentFacts(adjustment),
  };
}

/** The curve of an isotonic recalibration is made of predictions of rows, so only its method is told. */
const adjustmentFacts = ({ from, nRows, recalibration, threshold }: Adjustment): Facts => ({
  from,
  nRows,
  recalibration: recalibration?.method ?? null,
  threshold: threshold && { value: threshold.threshold, rule: threshold.rule },
});

const trialFacts = ({ trial, ...progress }: TuningTrial): Facts => ({
  ...pick(progress, 'search', 'bestValue', 'done', 'nTrials'),
  ...pick(trial, 'state', 'value', 'params'),
  trial: trial.number,
});

function endFacts(results: CVResults): Facts {
  const { metadata: m, meanScores, stdScores } = results;
  return {
    ...pick(m, 'model', 'engine', 'fixedModel', 'training', 'epochs', 'batchSize', 'adjustment', 'sha256'),
    ...pick(m, 'foldFingerprint', 'foldsRun', 'foldsFailed', 'modelsTrained', 'stopped', 'overridden', 'seconds'),
    tuned: m.tuned ?? null,
    dataset: m.dataset?.sha256 ?? null,
    meanScores,
    stdScores,
    warnings: warningFacts(m.warnings, ownWarningsOf(results)),
  };
}

const breakFacts = (thrown: unknown): Facts => ({
  fold: causesOf(thrown).find((each) => each instanceof FoldError)?.foldId ?? null,
  error: errorFacts(thrown),
});

// Facts as plain data without ids of patients, texts of others, or anything that JSON does not hold.

/** Shorter texts, and numbers of fewer digits, stand in sentences for other reasons. */
const SHORTEST = { text: 3, digits: 5 };
const DEPTH = 6;
const LONGEST = 1000;

const WORDS = /[\p{L}\p{N}]+/gu;
const wordsOf = (text: string): readonly string[] => text.match(WORDS) ?? [];

/** Finds, in a text, ids of the groups and of every level of the hierarchy, and classes of y that are quoted. */
function idFinder({ groups, hierarchy = {} }: SideData, classes: readonly Label[]): (text: string) => boolean {
  /** Ids by their longest word: of a hundred thousand ids a text is held against few. */
  const ids = new Map<string, Set<string>>();
  for (const level of [groups, ...Object.values(hierarchy)]) {
    for (let row = 0; row < (level?.length ?? 0); row++) {
      const id = String((level as ArrayLike<unknown>)[row]);
      if (id.length < (/^[\d.]+$/.test(id) ? SHORTEST.digits : SHORTEST.text)) continue;
      const longest = wordsOf(id).reduce((most, word) => (word.length > most.length ? word : most), '');
      const alike = ids.get(longest) ?? new Set<string>();
      ids.set(longest, alike.add(id));
    }
  }
  const quoted = classes.flatMap((label) => (typeof label === 'string' ? [show(label)] : []));
  return (text) =>
    quoted.some((label) => text.includes(label)) ||
    wordsOf(text).some((word) => [...(ids.get(word) ?? [])].some((id) => text.includes(id)));
}

/** A text of others among the facts, which no entry holds. */
class Foreign {
  constructor(readonly text: string) {}
}

interface Privacy {
  readonly holdsId: (text: string) => boolean;
  readonly withheld: (text: string) => string;
}

/** Plain data; a text that holds an id, or is of others, is withheld. */
function plain(value: unknown, privacy: Privacy, depth = DEPTH): unknown {
  const { holdsId, withheld } = privacy;
  if (value instanceof Foreign) return withheld(value.text);
  if (typeof value === 'string') return holdsId(value) ? withheld(value) : nameText(value, LONGEST);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'bigint') return String(value);
  if (depth === 0) return typeof value;
  if (Array.isArray(value)) return value.map((each) => plain(each, privacy, depth - 1));
  if (!isPlainObject(value)) return typeof value;
  const entries = Object.entries(value).map(([key, each]) => [
    holdsId(key) ? withheld(key) : key,
    plain(each, privacy, depth - 1),
  ]);
  return Object.fromEntries(entries);
}

function causesOf(thrown: unknown): readonly unknown[] {
  const chain = [thrown];
  for (let each = thrown; each instanceof Error && each.cause instanceof Error && chain.length < 8; each = each.cause)
    chain.push(each.cause);
  return chain;
}

/** An error by the name of its first cause and its code. Its words may hold ids and values, and their hash stands for them. */
function errorFacts(thrown: unknown): Record<string, unknown> {
  const root = causesOf(thrown).at(-1);
  return {
    name: root instanceof Error ? root.name : typeof root,
    code: thrown instanceof CVKitError ? thrown.code : null,
    message: new Foreign(root instanceof Error ? root.message : String(root)),
  };
}

const warningFacts = (warnings: readonly string[], own: readonly string[]): (string | Foreign)[] =>
  warnings.map((text) => (own.includes(text) ? text : new Foreign(text)));
