/**
 * What happens to the model of one fold between its epochs: callbacks are called, metrics on validation rows join the
 * logs, the best weights are kept, and every decision is written down so that the fold can be trained again alike.
 */

import { AdapterError, InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { hasReason } from '../core/hasReason.js';
import { type Metric, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { type ActiveRun, ofRun } from './activeRuns.js';
import type { CVCallback, EpochContext, EpochModel } from './callback.js';
import type {
  EpochLogs,
  FitHistory,
  FitHooks,
  FoldContext,
  FrameworkAdapter,
  WeightSnapshot,
} from './frameworkAdapter.js';
import { callHooks, hasHook } from './hooks.js';

/** What callbacks made of the training of a fold, in order. */
export interface Decision {
  readonly epoch: number;
  /** Before or after that epoch. */
  readonly at: 'start' | 'end';
  readonly what: 'stop' | 'keepWeights' | 'learningRate';
  /** The new learning rate. */
  readonly rate?: number;
}

export interface FoldTraining {
  readonly hooks: FitHooks;
  /** After `fit`: gives the model the weights that were kept, and the history with all logs. */
  finish(history: FitHistory): Promise<Outcome>;
  /** Frees the weights that were kept. */
  release(): Promise<void>;
}

export interface Outcome {
  readonly history: FitHistory;
  readonly stoppedEarly: boolean;
  /** The epoch, from 0, whose weights the model ended with (-1: those it began with); null: the last one's. */
  readonly keptEpoch: number | null;
  readonly decisions: readonly Decision[];
}

interface Parts {
  readonly run: ActiveRun;
  readonly adapter: FrameworkAdapter;
  readonly model: unknown;
  readonly ctx: FoldContext;
  readonly epochs: number;
  readonly callbacks: readonly CVCallback[];
  /** The metrics that callbacks monitor, by log; those that the adapter does not log itself are computed here. */
  readonly metrics: Readonly<Record<string, Metric>>;
  /** Predicts the validation rows, where there are any. */
  readonly watch: (() => Promise<ScoreTable>) | undefined;
}

/** Follows the training of one fold. */
export function foldTraining({ run, adapter, model, ctx, epochs, callbacks, metrics, watch }: Parts): FoldTraining {
  const decisions: Decision[] = [];
  const watched: EpochLogs[] = [];
  let now: Pick<Decision, 'epoch' | 'at'> | undefined;
  let kept: { readonly snapshot: WeightSnapshot; readonly epoch: number } | undefined;
  let stoppedEarly = false;

  /** The adapter's own `part`, between epochs; else a sentence that says why not. */
  const able = <P extends 'snapshot' | 'save' | 'learningRate'>(part: P, verb: string) => {
    if (now === undefined) {
      throw new AdapterError(
        sentence('A callback', `${verb} between epochs`, phrase('a call during an epoch, or after training')),
      );
    }
    const found = adapter[part];
    if (found) return { now, found: found as NonNullable<FrameworkAdapter[P]> };
    const way = part === 'snapshot' ? 'EarlyStopping can do without: restoreBest: false.' : undefined;
    throw new AdapterError(
      sentence(`The adapter '${nameText(adapter.name)}'`, `be able to ${verb}`, phrase(`one without \`${part}\``), way),
      { code: 'unable' },
    );
  };

  const handle: EpochModel = Object.freeze({
    async keepWeights() {
      const { epoch, at } = able('snapshot', 'keep weights').now;
      const snapshot = (await adapter.snapshot?.(model)) as WeightSnapshot;
      if (now === undefined) return snapshot.release(); // the caller did not wait, and training is over
      const old = kept;
      kept = { snapshot, epoch: at === 'end' ? epoch : epoch - 1 };
      decisions.push({ epoch, at, what: 'keepWeights' });
      await old?.snapshot.release();
    },
    async save(where) {
      able('save', 'save models');
      await adapter.save?.(model, where);
    },
    getLearningRate: () => able('learningRate', 'tell its learning rate').found.get(model),
    setLearningRate(rate) {
      const { now, found } = able('learningRate', 'change its learning rate');
      if (!(Number.isFinite(rate) && rate >= 0)) {
        throw new AdapterError(sentence('A learning rate', 'be a number >= 0', rate), { code: 'learning_rate' });
      }
      found.set(model, rate);
      decisions.push({ ...now, what: 'learningRate', rate });
    },
  } satisfies EpochModel);
  const between = (epoch: number): EpochContext => ofRun(run, Object.freeze({ ...ctx, epoch, epochs, model: handle }));

  return {
    hooks: {
      async onEpochStart(epoch) {
        now = { epoch, at: 'start' };
        await callHooks(callbacks, 'onEpochStart', () => [between(epoch)]);
        now = undefined;
      },
      // Left out where nobody listens: a batch may take less time than the call.
      ...(hasHook(callbacks, 'onBatchEnd')
        ? {
            async onBatchEnd(epoch: number, logs: EpochLogs) {
              const at = ofRun(run, Object.freeze({ ...ctx, epoch, epochs }));
              await callHooks(callbacks, 'onBatchEnd', () => [at, Object.freeze({ ...logs })]);
            },
          }
        : {}),
      async onEpochEnd(epoch, logs) {
        now = { epoch, at: 'end' };
        watched[epoch] = await watchedLogs(metrics, watch, logs);
        const all = Object.freeze({ ...logs, ...watched[epoch] });
        const answer = await callHooks(callbacks, 'onEpochEnd', () => [between(epoch), all]);
        now = undefined;
        if (answer === 'stop' && epoch + 1 < epochs) {
          stoppedEarly = true;
          decisions.push({ epoch, at: 'end', what: 'stop' });
        }
        return answer;
      },
    },
    async finish(history) {
      now = undefined;
      await kept?.snapshot.restore();
      const logs = history.epochs.map((each, epoch) => ({ ...each, ...watched[epoch] }));
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

async function watchedLogs(metrics: Parts['metrics'], watch: Parts['watch'], logs: EpochLogs): Promise<EpochLogs> {
  const missing = Object.entries(metrics).filter(([log]) => !(log in logs));
  if (!watch || missing.length === 0) return {};
  const table = await watch();
  return Object.fromEntries(
    missing.map(([log, metric]) => {
      const { value, ...why } = score(metric, table);
      if (value !== null) return [log, value];
      throw new InvalidDataError(
        sentence(
          `The log ${log}`,
          'have a value in every epoch',
          phrase(`none: ${hasReason(why) ? why.reason : ''}`),
          'Monitor val_loss, or watch more rows.',
        ),
        { code: 'undefined_monitor' },
      );
    }),
  );
}

/** A callback that takes the same decisions again, without what led to them. */
export function replayOf(decisions: readonly Decision[]): CVCallback {
  const again = async (at: Decision['at'], { epoch, model }: { epoch: number; model: EpochModel }) => {
    const due = decisions.filter((decision) => decision.epoch === epoch && decision.at === at);
    for (const { what, rate } of due) {
      if (what === 'keepWeights') await model.keepWeights();
      if (what === 'learningRate') model.setLearningRate(rate as number);
    }
    return due.some(({ what }) => what === 'stop') ? ('stop' as const) : undefined;
  };
  return {
    name: 'replay',
    onEpochStart: async (ctx) => void (await again('start', ctx)),
    onEpochEnd: (ctx) => again('end', ctx),
  };
}
