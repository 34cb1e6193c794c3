/** What happens to a model between its epochs: logs, best weights, and decisions, recorded so that they can be replayed. */
import { withCleanup } from '../core/cleanup.js';
import { errorRecord } from '../core/errorRecord.js';
import { AdapterError, atOnce, CVKitError, InvalidDataError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { hasReason } from '../core/hasReason.js';
import { hasFields, leaf, leftOutOr, list, text } from '../core/shape.js';
import { score } from '../metrics/metric.js';
import { metricRegistry } from '../metrics/registry.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { EpochControl, FoldReply, FoldServices, FoldTask } from './executor.js';
import type { Decision, Outcome } from './foldResult.js';
import { saveFold } from './foldRows.js';
import { type EpochLogs, type FitHistory, type FitHooks, methodOf, type WeightSnapshot } from './frameworkAdapter.js';

export interface FoldTraining {
  readonly hooks: FitHooks;
  /** After `fit`: gives the model the weights that were kept, and the history with all logs. */
  finish(history: FitHistory): Promise<Outcome>;
  release(): Promise<void>;
}

type Watch = (() => Promise<ScoreTable>) | undefined;

export function foldTraining(
  task: FoldTask,
  services: FoldServices,
  model: unknown,
  batches: boolean,
  watch: Watch,
): FoldTraining {
  const { adapter, emit } = services;
  const { epochs } = task.training;
  const moment = { ctx: task.ctx, inner: task.outer !== undefined, epochs };
  const decisions: Decision[] = [];
  const watched: EpochLogs[] = [];
  const rates: EpochLogs[] = [];
  let now: Pick<Decision, 'epoch' | 'at'> | undefined;
  let kept: { readonly snapshot: WeightSnapshot; readonly epoch: number } | undefined;
  let stoppedEarly = false;
  /** How often each hook was called, and what `fit` did with them that it must not. */
  const calls = { start: 0, end: 0, open: 0, stopped: false, wrong: '' };

  const control: EpochControl = {
    async keepWeights() {
      if (!now || !adapter.snapshot) throw betweenEpochs();
      const { epoch, at } = now;
      const snapshot = await adapter.snapshot(model);
      if (now === undefined) return snapshot.release(); // the caller did not wait, and training is over
      const old = kept;
      kept = { snapshot, epoch: at === 'end' ? epoch : epoch - 1 };
      decisions.push({ epoch, at, what: 'keepWeights' });
      await old?.snapshot.release();
    },
    async save(where, options = {}) {
      if (!now) throw betweenEpochs();
      const { fold } = task.ctx;
      const note = `The model of ${fold} ${now.at === 'end' ? 'after' : 'before'} epoch ${now.epoch}, as it was then.`;
      await saveFold(services, model, where, { fold, adjustment: null, note }, options);
    },
  };
  const between = async (at: NonNullable<typeof now>, tell: () => Promise<FoldReply>): Promise<FoldReply> => {
    now = at;
    const reply = await (task.replay ? replayed(task.replay, at, control) : tell());
    for (const rate of reply.learningRates ?? []) {
      atOnce(adapter.learningRate?.set(model, rate), 'Setting the learning rate of a model');
      decisions.push({ ...at, what: 'learningRate', rate });
    }
    now = undefined;
    return reply;
  };

  /** Wrong calls are refused after `fit`: an error in a hook that it does not await would end the process. */
  const called = <T>(at: Decision['at'], work: () => Promise<T>): Promise<T> => {
    calls[at]++;
    if (calls.open++ > 0) calls.wrong ||= 'a hook without `await`';
    else if (calls.stopped) calls.wrong ||= "an epoch after 'stop'";
    const done = withCleanup(work, () => void calls.open--);
    // A `fit` that does not await it would end the process with what a callback throws.
    void Promise.allSettled([done]);
    return done;
  };
  const checkCalls = ({ epochs }: FitHistory) => {
    if (!adapter.capabilities.epochs || !adapter.capabilities.trains) return;
    const { start, end, open, wrong } = calls;
    const { length } = epochs;
    if (open === 0 && wrong === '' && end > 0 && start === end && end === length) return;
    const must = "await hooks.onEpochStart and hooks.onEpochEnd in each epoch that it returns, and end at 'stop'";
    const counts = `${counted(start, 'start')}, ${counted(end, 'end')} and ${counted(length, 'epoch')}`;
    const got = phrase(open > 0 ? 'a hook without `await`' : wrong || counts);
    throw new AdapterError(sentence(methodOf(adapter, 'fit'), must, got), { code: 'epoch_hooks' });
  };

  return {
    hooks: {
      onEpochStart: (epoch) =>
        called('start', async () => {
          await between({ epoch, at: 'start' }, () =>
            emit({ ...moment, type: 'epochStart', epoch, learningRate: learningRateOf(adapter, model) }, control),
          );
          const rate = learningRateOf(adapter, model);
          if (typeof rate === 'number') rates[epoch] = { learningRate: rate };
        }),
      // Left out where nobody listens: a batch may take less time than the call.
      ...(batches && {
        async onBatchEnd(epoch: number, logs: EpochLogs) {
          await emit({ ...moment, type: 'batchEnd', epoch, logs });
        },
      }),
      onEpochEnd: (epoch, logs) =>
        called('end', async () => {
          watched[epoch] = await watchedLogs(task.watchedMetrics, watch, logs);
          const all = { ...logs, ...watched[epoch] };
          const event = { ...moment, type: 'epochEnd', epoch, logs: all } as const;
          const { stop = false } = await between({ epoch, at: 'end' }, () =>
            emit({ ...event, learningRate: learningRateOf(adapter, model) }, control),
          );
          if (stop && epoch + 1 < epochs) {
            stoppedEarly = true;
            decisions.push({ epoch, at: 'end', what: 'stop' });
          }
          calls.stopped = stop;
          return stop ? 'stop' : undefined;
        }),
    },
    async finish(history) {
      checkCalls(history);
      await kept?.snapshot.restore();
      const changed = decisions.some(({ what }) => what === 'learningRate');
      const logs = history.epochs.map((each, epoch) => ({
        ...{ ...each, ...watched[epoch] },
        ...(changed ? rates[epoch] : {}),
      }));
      return { history: { ...history, epochs: logs }, stoppedEarly, keptEpoch: kept?.epoch ?? null, decisions };
    },
    async release() {
      now = undefined;
      const old = kept;
      kept = undefined;
      await old?.snapshot.release();
    },
  };
}

const logs = leaf('be numbers by name', (v) => typeof v === 'object' && Object.values(v ?? '?').every(isNumber));
const isNumber = (value: unknown) => typeof value === 'number';
export const historyShape = hasFields({ epochs: list(logs), warnings: leftOutOr(list(text)) });

const betweenEpochs = () =>
  new AdapterError(sentence('A callback', 'use the model between epochs', phrase('a call at another time')));

/** The rate, or why it cannot be told; null where the adapter knows of none. */
function learningRateOf({ learningRate }: FoldServices['adapter'], model: unknown) {
  try {
    return learningRate ? atOnce(learningRate.get(model), 'The learning rate of a model') : null;
  } catch (error) {
    // Only a callback that asks for the rate gets to know.
    if (error instanceof CVKitError) return errorRecord(error);
    throw error;
  }
}

/** The same decisions as before, without what led to them. */
async function replayed(
  decisions: readonly Decision[],
  { epoch, at }: Pick<Decision, 'epoch' | 'at'>,
  { keepWeights }: EpochControl,
): Promise<FoldReply> {
  const due = decisions.filter((decision) => decision.epoch === epoch && decision.at === at);
  for (const { what } of due) if (what === 'keepWeights') await keepWeights();
  return {
    stop: due.some(({ what }) => what === 'stop'),
    learningRates: due.flatMap(({ rate }) => (rate === undefined ? [] : [rate])),
  };
}

async function watchedLogs(metrics: FoldTask['watchedMetrics'], watch: Watch, logs: EpochLogs): Promise<EpochLogs> {
  const missing = Object.entries(metrics).filter(([log]) => !(log in logs));
  if (!watch || missing.length === 0) return {};
  const table = await watch();
  return Object.fromEntries(
    missing.map(([log, metric]) => {
      const { value, ...why } = score(metricRegistry.get(metric), table);
      if (value !== null) return [log, value];
      const must = 'have a value in every epoch';
      const got = phrase(`none: ${hasReason(why) ? why.reason : ''}`);
      const way = 'Monitor val_loss, or watch more rows.';
      throw new InvalidDataError(sentence(`The log ${log}`, must, got, way), { code: 'undefined_monitor' });
    }),
  );
}
