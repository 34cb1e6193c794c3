/** Answers the events of folds: calls the callbacks, and tells the fold what they ask for. */
import { errorOf } from '../core/errorRecord.js';
import { AdapterError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import type { CVCallback, EpochContext, EpochModel } from './callback.js';
import type { EpochControl, FoldEvent, FoldReply } from './foldEvents.js';
import type { FoldResult } from './foldResult.js';
import type { FoldContext, FrameworkAdapter } from './frameworkAdapter.js';
import { callHooks, handlersOf, hasHook, trainingCallbacks } from './hooks.js';

interface Parts {
  readonly callbacks: readonly CVCallback[];
  readonly adapter: FrameworkAdapter;
  /** A context as callbacks are given it. */
  contextOf<C extends FoldContext>(ctx: C): C;
  /** The result of an inner fold. */
  innerResult(event: FoldEvent & { readonly type: 'innerEnd' }): FoldResult;
}

export interface EventAnswers {
  emit(event: FoldEvent, control?: EpochControl): Promise<FoldReply>;
  /** Tells that a fold has ended, and whether a callback ends the run. */
  foldEnd(result: FoldResult): Promise<'stop' | undefined>;
  /** What a callback threw, which ends the run. */
  failure(): { readonly error: unknown } | undefined;
}

export function eventAnswers({ callbacks, adapter, contextOf, innerResult }: Parts): EventAnswers {
  const training = trainingCallbacks(callbacks);
  const handlers = new Map<string, readonly CVCallback[]>();
  let failure: { readonly error: unknown } | undefined;

  /** The handlers of one fold: the same ones from its first moment to its last. */
  const of = (ctx: FoldContext, inner: boolean): readonly CVCallback[] => {
    const known = handlers.get(ctx.fold);
    if (known) return known;
    const made = handlersOf(inner ? training : callbacks, ctx);
    handlers.set(ctx.fold, made);
    return made;
  };
  const end = async (given: FoldContext, inner: boolean, result: FoldResult) => {
    const answer = await callHooks(of(given, inner), 'onFoldEnd', () => [contextOf(given), frozenCopy(result)]);
    handlers.delete(given.fold);
    return answer;
  };
  const answered = async (event: FoldEvent, control: EpochControl | undefined): Promise<FoldReply> => {
    const { ctx, inner } = event;
    const called = of(ctx, inner);
    if (event.type === 'foldStart') {
      await callHooks(called, 'onFoldStart', () => [contextOf(ctx)]);
      return { batches: hasHook(called, 'onBatchEnd') };
    }
    if (event.type === 'innerEnd') {
      const { done, total, outcome } = event;
      const stop = (await end(outcome.ctx, true, innerResult(event))) === 'stop';
      await callHooks(called, 'onInnerFit', () => [contextOf(ctx), Object.freeze({ done, total })]);
      return { stop };
    }
    const { epoch, epochs } = event;
    if (event.type === 'batchEnd') {
      const at = () => contextOf({ ...ctx, epoch, epochs });
      await callHooks(called, 'onBatchEnd', () => [at(), Object.freeze({ ...event.logs })]);
      return {};
    }
    const learningRates: number[] = [];
    const { model, close } = epochModel(adapter, event.learningRate, learningRates, control as EpochControl);
    const at = (): EpochContext => contextOf({ ...ctx, epoch, epochs, model });
    const answer = await (event.type === 'epochStart'
      ? callHooks(called, 'onEpochStart', () => [at()])
      : callHooks(called, 'onEpochEnd', () => [at(), Object.freeze({ ...event.logs })]));
    close();
    return { stop: event.type === 'epochEnd' && answer === 'stop', learningRates };
  };
  /** An error in a callback ends the run, whether or not the fold succeeds. */
  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failure) throw failure.error;
    try {
      return await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  return {
    emit: (event, control) => watched(() => answered(event, control)),
    foldEnd: (result) => watched(() => end(result.ctx, false, result)),
    failure: () => failure,
  };
}

/** The model of a fold as callbacks have it between two epochs. */
function epochModel(
  adapter: FrameworkAdapter,
  learningRate: (FoldEvent & { readonly type: 'epochEnd' })['learningRate'],
  set: number[],
  control: EpochControl,
): { readonly model: EpochModel; close(): void } {
  let open = true;
  /** Throws unless the adapter has that part and the call comes between epochs. */
  const checkAble = (part: 'snapshot' | 'save' | 'learningRate', verb: string) => {
    if (!open) {
      const got = phrase('a call during an epoch, or after training');
      throw new AdapterError(sentence('A callback', `${verb} between epochs`, got));
    }
    if (adapter[part]) return;
    const way = part === 'snapshot' ? 'EarlyStopping can do without: restoreBest: false.' : undefined;
    const subject = `The adapter '${nameText(adapter.name)}'`;
    throw new AdapterError(sentence(subject, `be able to ${verb}`, phrase(`one without \`${part}\``), way), {
      code: 'unable',
    });
  };
  const rateNow = (verb: string): number => {
    checkAble('learningRate', verb);
    if (typeof learningRate === 'number') return set.at(-1) ?? learningRate;
    throw learningRate ? errorOf(learningRate) : new AdapterError('The learning rate is not known.');
  };
  const model: EpochModel = Object.freeze({
    async keepWeights() {
      checkAble('snapshot', 'keep weights');
      await control.keepWeights();
    },
    async save(where, options) {
      checkAble('save', 'save models');
      await control.save(where, options);
    },
    getLearningRate: () => rateNow('tell its learning rate'),
    setLearningRate(rate) {
      rateNow('change its learning rate');
      if (!(Number.isFinite(rate) && rate >= 0)) {
        throw new AdapterError(sentence('A learning rate', 'be a number >= 0', rate), { code: 'learning_rate' });
      }
      set.push(rate);
    },
  } satisfies EpochModel);
  return {
    model,
    close() {
      open = false;
    },
  };
}
