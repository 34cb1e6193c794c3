/** What a run opens once and closes once: the adapter that fits the model, its engine, and what folds build from. */
import { cleanUpAll, cleanupOnError, withCleanup } from '../core/cleanup.js';
import { AdapterError, CVKitError, InvalidOptionError, phrase, sentence, show, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { rejectUnusedOption } from '../core/options.js';
import { asAborted, orAborted, orEnded, within } from '../core/timeLimit.js';
import { rowNumbers } from '../data/labels.js';
import { hasKeptModelShape, lacksToBeEstimator } from '../data/modelShapes.js';
import type { PortableRows } from '../data/portable.js';
import type { Rows } from '../data/rows.js';
import { withShape } from '../data/withShape.js';
import type { Pipeline } from '../preprocessing/pipeline.js';
import type { Preparation } from '../preprocessing/preparation.js';
import { iterableFold } from '../splitters/splitter.js';
import { type ActiveRun, asRun, ofRun } from './activeRuns.js';
import { adapterRegistry } from './adapterRegistry.js';
import {
  checkCapabilities,
  checkEngineElsewhere,
  checkSaves,
  refuseEpochCallbacks,
  refuseMonitors,
  registeredAdapter,
  rejectUnusedTraining,
} from './checkRun.js';
import type { CVResults } from './cvResults.js';
import { checkInnerFolds, foldContext } from './foldRows.js';
import {
  type AdapterSession,
  ask,
  checkAdapter,
  checkAnswer,
  disposeOwned,
  type FoldContext,
  type FrameworkAdapter,
  growth,
  type HeldMemory,
  heldBy,
  knows,
  type ModelFactory,
  methodOf,
} from './frameworkAdapter.js';
import { callbackList, checkCallbacks, tearDown } from './hooks.js';
import { isPipeline, type ModelSource, modelSource } from './modelSource.js';
import { type Prepared, watchesInner } from './prepare.js';
import type { Problem } from './readData.js';
import type { RunDirectory } from './runDirectory.js';
import { snapshotOf } from './runFold.js';
import type { RunCall, TuningCall } from './runOptions.js';
import { withPreprocessing } from './withPreprocessing.js';

export interface Session extends OpenAdapter {
  readonly active: ActiveRun;
  readonly source: ModelFactory | object;
  readonly built: ModelSource['built'];
  /** The caller gave a model rather than a factory. */
  readonly fromInstance: boolean;
  readonly models: Map<string, unknown>;
  /** Rows as plain data, where they are sent elsewhere: those of further runs are often the same. */
  readonly portable: WeakMap<Rows, Promise<PortableRows>>;
  /** Keeps what folds give, with `runDirectory`. */
  readonly directory?: RunDirectory | undefined;
  /** What was done of the run when an error ended it. */
  readonly done: { results?: () => CVResults };
}

/** Opens what the run needs and lets `work` use it. Refuses, before anything is trained, what the adapter cannot do. */
export async function withSession<T>(
  prepared: Prepared,
  active: ActiveRun,
  work: (session: Session, prepared: Prepared) => Promise<T>,
): Promise<T> {
  const { options, changed } = prepared.call.run;
  const model = prepared.call.source ?? (await modelSource(options.model, prepared.call.tuning, options));
  const ctx = ofRun(active, foldContext(prepared, prepared.plan.at(prepared.folds[0])));
  const choice = { ...options, ...prepared.call.runner.options, preparation: prepared.preparation };
  return withAdapter(choice, model, ctx, async (opened) => {
    const { adapter, raw, session } = opened;
    // Validation rows that are not watched may still serve the adjustment.
    const trainedWith = prepared.adjust ? new Set([...changed].filter((name) => name !== 'validation')) : changed;
    rejectUnusedTraining(adapter, trainedWith, prepared.auxiliary !== undefined, raw);
    ask(raw, 'checkTraining', { ...prepared.training, ...prepared.localTraining });
    if (!prepared.preparation) opened.preparation?.checkInputs(prepared.X);
    checkSaves(opened, options);
    checkEngineElsewhere(prepared.call, session);
    checkWatching(prepared, adapter);
    const ofModel = isPipeline(model.source) ? (model.source.model[1] as Session['source']) : model.source;
    const { built } = model;
    const { source: copy, release } = await snapshotOf({ ...options, adapter: raw, source: ofModel, built }, ctx);
    const source = isPipeline(model.source) ? model.source.withModel(copy) : copy;
    const fromInstance = typeof ofModel !== 'function';
    const own = { built, models: new Map(), portable: new WeakMap(), done: {} };
    return withCleanup(
      () => work({ ...opened, ...own, active, source, fromInstance }, { ...prepared, preparation: opened.preparation }),
      () => within(options.signal, options.foldTimeout, release),
    );
  });
}

function checkWatching({ call, callbacks, ...prepared }: Prepared, adapter: FrameworkAdapter): void {
  if (!adapter.capabilities.epochs) {
    refuseMonitors(callbacks, `the adapter '${nameText(adapter.name)}', which does not train in epochs`);
    refuseEpochCallbacks(callbacks, adapter.name);
  } else if (watchesInner(adapter, prepared)) {
    checkInnerFolds(call.runner.options.cvSplitter, prepared);
  }
}

export const releaseModels = ({ adapter, models }: Session): Promise<void> =>
  cleanUpAll(Array.from(models.values(), (model) => () => disposeOwned(adapter, model)));

interface OpenAdapter {
  /** The adapter of the session: see {@link AdapterSession}; with a preparation, that of models with it. */
  readonly adapter: FrameworkAdapter;
  readonly raw: FrameworkAdapter;
  /** The one that opened it, and opens it again. */
  readonly opener: FrameworkAdapter;
  readonly session: AdapterSession;
  /** The first model or the instance; to be looked at, since it may have been given up again. */
  readonly first: unknown;
  /** What the first model holds, which waits for its fold; undefined where nothing waits or nothing is known. */
  readonly waiting: HeldMemory | undefined;
  /** That of the caller, or the steps of a model that is a Pipeline. */
  readonly preparation: Preparation | undefined;
}

type OptionsOfRun = RunCall['run']['options'];

interface AdapterChoice extends Partial<Pick<OptionsOfRun, 'signal' | 'foldTimeout'>> {
  readonly framework: string;
  readonly adapter: FrameworkAdapter | undefined;
  readonly adapterOptions: Readonly<Record<string, unknown>>;
  readonly preparation?: Preparation | undefined;
}

/** Opens the adapter that fits the model, lets `work` use it, and closes it, also after an error. */
export async function withAdapter<T>(
  choice: AdapterChoice,
  model: ModelSource,
  ctx: FoldContext,
  work: (opened: OpenAdapter) => Promise<T>,
): Promise<T> {
  const open = async () => {
    const { pipeline, ...opened } = await openAdapter(choice, model, ctx);
    return prepared(opened, () => preparationFor(choice.preparation, pipeline), model);
  };
  let opening: Promise<OpenAdapter> | undefined;
  const opened = await within(choice.signal, undefined, () => {
    opening = open();
    return opening;
  }).catch((error) => {
    // What opens after it was given up is closed then with its model, and nobody waits for that.
    const late = opening?.then(({ adapter, session }) =>
      withCleanup(
        () => release(adapter, model),
        () => session.close(),
      ),
    );
    void Promise.allSettled([late]);
    throw error;
  });
  const close = () =>
    withCleanup(
      () => within(choice.signal, choice.foldTimeout, () => release(opened.adapter, model)),
      () => orEnded(choice.signal, () => opened.session.close()),
    );
  const holding = async () => {
    const letGo = (await opened.preparation?.hold()) ?? (() => undefined);
    return withCleanup(() => work(opened), letGo);
  };
  return withCleanup(holding, close);
}

/**
 * With a preparation, the first model is given up until the shape of prepared rows is known; so is one that tells the
 * adapter.
 */
async function prepared(
  opened: Omit<OpenAdapter, 'preparation'>,
  preparationOf: () => Promise<Preparation | undefined>,
  model: ModelSource,
): Promise<OpenAdapter> {
  const { adapter } = opened;
  return cleanupOnError(
    async () => {
      const preparation = await preparationOf();
      if (!preparation && !model.isProbe) return { ...opened, preparation };
      await release(adapter, model);
      const wrapped = preparation ? withPreprocessing(adapter, preparation, model.built) : adapter;
      return { ...opened, adapter: wrapped, preparation, waiting: undefined };
    },
    () => opened.session.close(),
  );
}

/** That of the caller, or the steps of the model: not both, since nobody could say which come first. */
async function preparationFor(ofCaller: Preparation | undefined, pipeline: Pipeline | undefined) {
  if (!pipeline) return ofCaller;
  if (ofCaller) rejectUnusedOption('run', 'preprocessing', '`model` is a Pipeline with steps of its own');
  return (await import('../preprocessing/preparation.js')).preparationOfModel(pipeline);
}

/**
 * The adapter that the first model tells (`'auto'`), with an engine that may depend on it. A framework that is in use
 * already is opened before that model is made; when the engine turns out to be another, its fold makes a new one, so that
 * the weights of all folds are drawn on one engine.
 */
async function openAdapter(choice: AdapterChoice, model: ModelSource, ctx: FoldContext) {
  const named = await namedAdapter(choice);
  const early = typeof model.source === 'function' ? (named ?? (await adapterInUse())) : undefined;
  const session = await openedBy(early, choice.adapterOptions).catch((error) => {
    // The guess may be wrong. Then options, engine and packages belong to the adapter that the model needs.
    if (!named && error instanceof CVKitError) return undefined;
    throw error;
  });
  try {
    const firstInTime = () =>
      within(choice.signal, choice.foldTimeout, (signal) =>
        orAborted(signal, () => firstModel(named, early, model, ctx)),
      );
    const { adapter, first, held, pipeline } = await withCleanup(firstInTime, () => session?.close());
    const final = (await openedBy(adapter, choice.adapterOptions, first)) ?? noSession(adapter, choice.adapterOptions);
    const openedOn = session && early === adapter ? session.info : {};
    const isStale = (session && early !== adapter) || !isSameEngine(openedOn, final.info);
    const settled = async () => {
      if (isStale) await release(adapter, model);
      const own = final.adapter ? checkAdapter(final.adapter) : adapter;
      checkCapabilities(own);
      return own;
    };
    const raw = await cleanupOnError(settled, () => final.close());
    const waiting = isStale ? undefined : held;
    return { adapter: raw, raw, opener: adapter, session: final, first, pipeline, waiting };
  } catch (error) {
    await release(named, model);
    throw error;
  }
}

/** Compares engines without their reasons, which may differ once the model is known. */
export const isSameEngine = (a: AdapterSession['info'], b: AdapterSession['info']) =>
  Object.entries({ ...a, ...b }).every(([name]) => name.endsWith('Reason') || a[name] === b[name]);

/** Adapters added later are asked first. */
const askingOrder = () => [...adapterRegistry].reverse();

const adapterFor = async (model: unknown): Promise<FrameworkAdapter | undefined> =>
  askingOrder()
    .find((row) => row.matches(model))
    ?.load();

async function detectAdapter(model: unknown): Promise<FrameworkAdapter> {
  const adapter = await adapterFor(model);
  if (adapter) return adapter;
  const names = askingOrder().map(({ name }) => name);
  const lacking = lacksToBeEstimator(model);
  const way = hasKeptModelShape(model)
    ? 'It is trained: test it by evaluate or fitValidate.'
    : 'Use a model with fit and predict, or registerAdapter.';
  throw new AdapterError(
    `No adapter knows the model, ${show(model)}${lacking ? ` without ${lacking}` : ''}. Asked: ${names.join(', ')}. ${way}`,
    { code: 'unknown_model' },
  );
}

async function firstModel(
  named: FrameworkAdapter | undefined,
  early: FrameworkAdapter | undefined,
  model: ModelSource,
  ctx: FoldContext,
) {
  let pipeline: Pipeline | undefined;
  const make = async () => {
    const found = await model.first(ctx);
    pipeline = found.pipeline;
    return found.model;
  };
  const before = heldBy(early);
  const first = await (early?.buildTracked?.(make) ?? make());
  const adapter = named ?? (await detectAdapter(first));
  if (knows(adapter, first)) return { adapter, first, pipeline, held: growth(before, heldBy(early)) };
  const subject = `The adapter '${nameText(adapter.name)}'`;
  const message = sentence(subject, 'be given a model that it knows', phrase(show(first)), "Use framework: 'auto'.");
  throw new AdapterError(message, { code: 'unknown_model' });
}

/** The adapter, where it is known before a model is built: that of the caller, or of a model that is no factory. */
const adapterOf = async (choice: AdapterChoice, { source }: ModelSource): Promise<FrameworkAdapter | undefined> =>
  (await namedAdapter(choice)) ?? (typeof source === 'function' || isPipeline(source) ? undefined : adapterFor(source));

async function namedAdapter({ framework, adapter }: AdapterChoice): Promise<FrameworkAdapter | undefined> {
  if (adapter) return checkAdapter(adapter);
  return framework === 'auto' ? undefined : registeredAdapter(framework);
}

const adapterInUse = async () => [...adapterRegistry].find((row) => row.inUse?.())?.load();

async function openedBy(
  adapter: FrameworkAdapter | undefined,
  options: Readonly<Record<string, unknown>>,
  model?: unknown,
): Promise<AdapterSession | undefined> {
  if (!adapter?.open) return undefined;
  const failed = threw(methodOf(adapter, 'open'), 'give a session', 'open_failed');
  const session = await (async () => adapter.open?.(options, model))().catch(failed);
  const holds =
    session === undefined || (typeof session?.close === 'function' && Object(session.info) === session.info);
  checkAnswer(adapter, 'open', 'give a session { info, close }', session, holds);
  const unclosed = threw(methodOf(adapter, 'close'), 'close its session', 'close_failed');
  return session && Object.create(session, { close: { value: () => (async () => session.close())().catch(unclosed) } });
}

function noSession(adapter: FrameworkAdapter, options: AdapterChoice['adapterOptions']): AdapterSession {
  if (Object.keys(options).length > 0) {
    throw new InvalidOptionError(
      `The \`adapterOptions\` option has no effect: the adapter '${nameText(adapter.name)}' takes none. Leave it out.`,
      { code: 'idle_option' },
    );
  }
  return { info: {}, close: async () => undefined };
}

async function release(adapter: FrameworkAdapter | undefined, model: ModelSource): Promise<void> {
  const unused = model.forgetFirst();
  if (unused === undefined) return;
  const owner = adapter && knows(adapter, unused) ? adapter : await adapterFor(unused);
  await disposeOwned(owner, unused);
}

/** How labels are read: as the caller says (nothing here), or as the model implies. */
export interface TaskReading {
  readonly task?: 'regression';
  readonly taskWhy?: string;
}

type TaskQuestion = AdapterChoice &
  Pick<OptionsOfRun, 'model'> &
  Partial<Pick<OptionsOfRun, 'lossFn' | 'task' | 'parent' | 'callbacks'>>;

interface Implied {
  readonly reading: TaskReading;
  /** It knows the models that it has built, when it was asked. */
  readonly source?: ModelSource | undefined;
}

/** Reads three integers or more that were taken for classes again, as a regression, where the model is one of numbers. */
export async function readAsImplied<T extends { readonly problem: Problem }>(
  question: TaskQuestion,
  read: (reading: TaskReading) => T,
  tuning?: TuningCall,
): Promise<T & Pick<Implied, 'source'>> {
  const first = read({});
  const { X, y, auxiliary } = first.problem;
  if (question.task !== undefined || !y.guessed) return first;
  const { reading, source } = await impliedTask(question, { X, y, auxiliary }, tuning);
  return { ...(reading.task ? read(reading) : first), source };
}

/** Asks the model what its task is. Callbacks are torn down when that fails, as a run tears them down. */
export async function impliedTask(
  { model, lossFn, parent, callbacks = [], ...choice }: TaskQuestion,
  { X, y, auxiliary = {} }: Pick<Problem, 'X' | 'y'> & { readonly auxiliary?: object | undefined },
  tuning?: TuningCall,
): Promise<Implied> {
  const { signal } = choice;
  const listeners = callbackList(callbacks);
  checkCallbacks(listeners);
  const all = rowNumbers(X.length);
  const fold = iterableFold({ id: 'fold-0', index: 0, repeat: 0, number: 0, train: all, test: all });
  let failure: unknown;
  const asking = asRun(parent, async (active): Promise<Implied> => {
    const shaped = await orAborted(signal, () => withShape(X));
    const ctx = ofRun(active, foldContext({ X: shaped, y, plan: { length: 1 }, randomState: 0 }, fold));
    const source = await modelSource(model, tuning, choice);
    const known = await adapterOf(choice, source);
    if (known && !known.regressionBecause) return { reading: {}, source };
    return withAdapter(choice, source, ctx, async ({ adapter, first }) => {
      const because = ask(adapter, 'regressionBecause', first, lossFn, Object.keys(auxiliary));
      if (because === undefined) return { reading: {}, source };
      return { reading: { task: 'regression', taskWhy: `${y.why}, and ${because}` }, source };
    });
  }).catch((error) => {
    failure = asAborted(error, signal);
    throw failure;
  });
  return cleanupOnError(
    () => asking,
    () => tearDown(listeners, failure, signal),
  );
}
