/** Runs folds where there is nothing of their run but its record and a line to it: in another thread or process. */
import { AdapterError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { inSharedMemory, portableLabels, portableRows, portedLabels, rowsFrom } from '../data/portable.js';
import type { Preparation } from '../preprocessing/preparation.js';
import { asRun, ofRun, ranAlone } from './activeRuns.js';
import { loadAdaptersOf } from './adapterRegistry.js';
import type { CVCallback } from './callback.js';
import type { FoldLink, FoldServices, FoldTask, RecordFacts, RunRecord, RunRows } from './executor.js';
import { type FoldOutcome, failedAtOnce } from './foldResult.js';
import type { AdapterSession, ModelPlace } from './frameworkAdapter.js';
import { eventAnswers, innerResultOf } from './hooks.js';
import { type ModelSource, modelSource } from './modelSource.js';
import type { Problem } from './readData.js';
import { runFold } from './runFold.js';
import { isSameEngine, withAdapter } from './session.js';

export interface RunElsewhere extends Pick<FoldServices, 'X' | 'y' | 'auxiliary'> {
  readonly record: RecordFacts & Pick<RunRows, 'groups' | 'weight'>;
  readonly model: ModelSource;
  readonly preparation: Preparation | undefined;
}

/** Rows and labels as plain data, the way back from {@link runFrom}. */
export async function portableRun(
  { X, y, auxiliary, data: { groups }, weight }: Pick<Problem, 'X' | 'y' | 'auxiliary' | 'data' | 'weight'>,
  rows = portableRows(X),
): Promise<RunRows> {
  const outputs = Object.entries(auxiliary ?? {}).map(([name, each]) => [name, portableLabels(each)]);
  return {
    X: await rows,
    y: portableLabels(y),
    auxiliary: auxiliary && Object.fromEntries(outputs),
    groups: groups && Array.from(groups),
    weight: weight && inSharedMemory(weight),
  };
}

/** Reads the record of a run, once for all of its folds here, so that a model that two folds share is noticed. */
export async function runFrom({ X, y, auxiliary, ...record }: RunRecord): Promise<RunElsewhere> {
  return {
    record,
    model: await modelSource(record.model, record.takesParams ? {} : undefined),
    preparation: await preparationFrom(record.preprocessing),
    X: rowsFrom(X),
    y: portedLabels(y),
    auxiliary:
      auxiliary && Object.fromEntries(Object.entries(auxiliary).map(([output, each]) => [output, portedLabels(each)])),
  };
}

interface Around {
  /** Line to the run; without one, the callbacks here are called. */
  readonly emit?: FoldLink['emit'];
  readonly callbacks?: readonly CVCallback[];
  /** Where the model is saved, where the task says so. */
  readonly place: ModelPlace | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of one fold, whatever goes wrong. The adapter is opened for it and closed after it. */
export async function runFoldElsewhere(
  task: FoldTask,
  run: () => Promise<RunElsewhere>,
  { emit, callbacks = [], place, signal }: Around,
): Promise<FoldOutcome> {
  const started = performance.now();
  try {
    const found = await run();
    return await asRun(undefined, async (active) => {
      const { record, model, preparation, ...labelledRows } = found;
      const { framework, adapterOptions, groups, weight, positive, saving } = record;
      const contextOf: FoldLink['services']['contextOf'] = (ctx) => ofRun(active, Object.freeze({ ...ctx }));
      const choice = { framework, adapterOptions, adapter: undefined, foldTimeout: task.timeout, signal };
      return withAdapter({ ...choice, preparation }, model, ofRun(active, frozenCopy(task.ctx)), async (opened) => {
        const { adapter, session, waiting } = opened;
        checkEngine(session, record);
        return runFold(task, {
          ...labelledRows,
          ...{ adapter, weight, positive, saving, contextOf, signal },
          emit: emit ?? eventAnswers(callbacks, { adapter, contextOf }, innerResultOf(task)).emit,
          ...{ source: model.source, built: model.built },
          data: groups ? { groups } : {},
          training: {},
          modelScores: async () => ({}),
          models: new Map(),
          placeOf: () => place as ModelPlace,
          waiting: waiting && { fold: task.ctx.fold, held: waiting },
          watchMemory: () => ranAlone(active),
        });
      });
    });
  } catch (error) {
    return failedAtOnce(task.ctx, started, error);
  }
}

async function preparationFrom(json: unknown): Promise<Preparation | undefined> {
  if (json === undefined) return undefined;
  await loadAdaptersOf(json);
  return (await import('../preprocessing/preparation.js')).preparationFrom(json);
}

function checkEngine({ info }: AdapterSession, { engine, framework }: RunElsewhere['record']): void {
  if (isSameEngine(info, engine)) return;
  const words = (facts: AdapterSession['info']) =>
    Object.entries(facts)
      .filter(([name]) => !name.endsWith('Reason'))
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  const subject = `The engine of '${nameText(framework)}' in the thread of a fold`;
  const must = `be that of the run (${nameText(words(engine), 200)})`;
  throw new AdapterError(sentence(subject, must, phrase(nameText(words(info), 200))), { code: 'other_engine' });
}
