/** Training options of a call with several models: each model gets those that it can use. */
import { CVKitError } from '../../core/errors.js';
import { rejectUnusedOption } from '../../core/options.js';
import { needsEpochs, refuseEpochCallbacks, unusedTraining } from '../../runner/checkRun.js';
import { callbackList } from '../../runner/hooks.js';
import { type EngineCall, type Shared, withModel } from '../manyRuns.js';
import { endsTheTable } from './endsTheTable.js';

/** What only some kinds of models use. */
const OF_SOME = [
  'epochs',
  'batchSize',
  'optimizer',
  'lossFn',
  'validation',
  'augment',
  'classWeight',
  'adapterOptions',
] as const;

/** What makes no difference to what a model can use. */
const BESIDE = ['executor', 'nJobs', 'preprocessing', 'callbacks', 'recalibrate', 'threshold'];

interface AskedCall extends EngineCall {
  /** Options with another value than the default. */
  readonly changed: ReadonlySet<string>;
}

/** What a model cannot use, with the reason; and whether it trains in epochs. */
interface Taken {
  readonly adapter: string;
  readonly epochs: boolean;
  readonly unused: ReadonlyMap<string, string>;
  /** What the adapter has against `adapterOptions`. */
  readonly refused?: CVKitError;
}

/**
 * The call for each model without the training options and callbacks that it cannot use. What no model can use is
 * refused. Models are looked at, and made once more for it, only where the caller wrote such options.
 *
 * @param calls by model
 * @throws {InvalidOptionError} an option that has an effect on none of the models.
 */
export async function trainingFor<C extends AskedCall>(
  owner: string,
  calls: ReadonlyMap<string, C>,
  shared: Shared,
): Promise<ReadonlyMap<string, C>> {
  const [{ options, changed }] = calls.values();
  const asked = OF_SOME.filter((name) => changed.has(name) && !keepsValidation(name, options));
  const callbacks = callbackList(options.callbacks);
  const epochs = callbacks.some(actsInEpochs);
  if (asked.length === 0 && !epochs) return calls;
  const taken = new Map<string, Taken | undefined>();
  for (const [name, call] of calls) taken.set(name, await takenBy(call, shared));
  const known = [...taken.values()].filter((each) => each !== undefined);
  for (const name of asked) {
    if (known.length > 0 && known.every(({ unused }) => unused.has(name))) {
      if (name === 'adapterOptions') throw known[0].refused;
      rejectUnusedOption(owner, name, known[0].unused.get(name) as string);
    }
  }
  const [first] = known;
  if (epochs && first && known.every((each) => !each.epochs)) refuseEpochCallbacks(callbacks, first.adapter);
  return new Map(Array.from(calls, ([name, call]) => [name, fitting(call, asked, taken.get(name))]));
}

/** Rows that are set aside may serve the adjustment instead of being watched. */
const keepsValidation = (name: string, { recalibrate, threshold }: EngineCall['options']) =>
  name === 'validation' && (recalibrate !== undefined || threshold !== undefined);

const actsInEpochs = (callback: Parameters<typeof needsEpochs>[0]) =>
  needsEpochs(callback) || callback.monitor?.startsWith('val_') === true;

/** An adapter takes no options at all, or not these. */
const REFUSALS = ['idle_option', 'unknown_option'];

const isTaken = <T extends Taken>(found: T | unknown): found is T =>
  typeof found === 'object' && found !== null && 'unused' in found;

/** What the adapter of a model takes; undefined for a model that cannot be opened, which its run will tell. */
async function takenBy(call: AskedCall, shared: Shared): Promise<Taken | undefined> {
  const without = (...names: readonly string[]) => ({
    ...call,
    options: { ...call.options, callbacks: [] },
    written: new Set([...call.written].filter((name) => !names.includes(name))),
  });
  const others = [...OF_SOME.filter((name) => name !== 'adapterOptions'), ...BESIDE];
  const look = (...names: readonly string[]) =>
    withModel(without(...others, ...names), shared, async (_, { adapter, raw }) => ({
      adapter: adapter.name,
      epochs: adapter.capabilities.epochs,
      unused: new Map(unusedTraining(adapter, raw)),
    }));
  const failed = (error: unknown) => {
    if (endsTheTable(error, call.options.signal)) throw error;
    return error;
  };
  const taken = await look().catch(failed);
  if (isTaken(taken)) return taken;
  if (!(taken instanceof CVKitError && REFUSALS.includes(taken.code) && call.changed.has('adapterOptions')))
    return undefined;
  const bare = await look('adapterOptions').catch(failed);
  if (!isTaken(bare)) return undefined;
  return { ...bare, unused: new Map([...bare.unused, ['adapterOptions', taken.message]]), refused: taken };
}

/** The call without what the model cannot use. */
function fitting<C extends AskedCall>(call: C, asked: readonly string[], taken: Taken | undefined): C {
  if (!taken) return call;
  const idle = asked.filter((name) => taken.unused.has(name));
  const callbacks = callbackList(call.options.callbacks).filter((each) => taken.epochs || !actsInEpochs(each));
  return {
    ...call,
    options: { ...call.options, callbacks },
    written: new Set([...call.written].filter((name) => !idle.includes(name))),
  };
}
