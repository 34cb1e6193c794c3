/** The runs of this process that are under way, and which began inside which. */
import { hasAsyncContext, workScope } from '#io';
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import type { FoldContext } from './frameworkAdapter.js';

export interface ActiveRun {
  readonly parent: ActiveRun | undefined;
  /** How many other runs have begun meanwhile, beside those inside this one. */
  overlaps: number;
}

const current = workScope<ActiveRun>();
const active = new Set<ActiveRun>();
const runOf = new WeakMap<FoldContext, ActiveRun>();
let last: Promise<unknown> = Promise.resolve();

/** Links a context to its run, so that it can be the `parent` of a run inside. */
export function ofRun<C extends FoldContext>(run: ActiveRun, ctx: C): C {
  runOf.set(ctx, run);
  return ctx;
}

/** Links `ctx` to the run that `from` belongs to. */
export function sameRun<C extends FoldContext>(from: FoldContext, ctx: C): C {
  const run = runOf.get(from);
  return run ? ofRun(run, ctx) : ctx;
}

/** Does the work of one run: at once where the platform tells runs apart or `parent` does, else when its turn comes. */
export function asRun<T>(parent: FoldContext | undefined, work: (run: ActiveRun) => Promise<T>): Promise<T> {
  const around = parent ? runOfParent(parent) : surrounding();
  if (around || hasAsyncContext) return begin(around, work);
  const turn = last.then(() => begin(undefined, work));
  last = Promise.allSettled([turn]); // the next one begins, however this one ends
  return turn;
}

/** The run in whose work this is; timers may outlive it. Where work cannot be told apart, `parent` alone tells. */
function surrounding(): ActiveRun | undefined {
  const run = hasAsyncContext ? current.get() : undefined;
  return run && active.has(run) ? run : undefined;
}

function runOfParent(ctx: FoldContext): ActiveRun {
  const run = runOf.get(ctx);
  if (run && active.has(run)) return run;
  const got = phrase(run ? 'one whose run has ended' : 'something else');
  throw new InvalidOptionError(sentence('The `parent` option', 'be the context of a fold whose run is under way', got));
}

async function begin<T>(parent: ActiveRun | undefined, work: (run: ActiveRun) => Promise<T>): Promise<T> {
  const run: ActiveRun = { parent, overlaps: 0 };
  for (const other of active) if (!isWithin(run, other)) other.overlaps++;
  active.add(run);
  try {
    return await current.run(run, () => work(run));
  } finally {
    active.delete(run);
  }
}

/** Starts watching; tells whether no other run was active since. Runs inside this one count only while they go on. */
export function ranAlone(run: ActiveRun): () => boolean {
  const isAlone = () => [...active].every((other) => isWithin(run, other));
  const { overlaps } = run;
  const atFirst = isAlone();
  return () => atFirst && run.overlaps === overlaps && isAlone();
}

function isWithin(run: ActiveRun | undefined, other: ActiveRun): boolean {
  return run !== undefined && (run === other || isWithin(run.parent, other));
}
