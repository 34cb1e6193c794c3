/** Runs folds where there is nothing of their run but its record and a line to it: in another thread or process. */
import { AdapterError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { portedLabels, rowsFrom } from '../data/portable.js';
import type { Preparation } from '../preprocessing/preparation.js';
import { asRun, ofRun, ranAlone } from './activeRuns.js';
import { loadAdaptersOf } from './adapterRegistry.js';
import type { FoldLink, FoldServices, FoldTask, RunRecord } from './executor.js';
import { type FoldOutcome, failedAtOnce } from './foldResult.js';
import type { AdapterSession, ModelPlace } from './frameworkAdapter.js';
import { type ModelSource, modelSource } from './modelSource.js';
import { runFold } from './runFold.js';
import { isSameEngine, withAdapter } from './session.js';

export interface RunElsewhere extends Pick<FoldServices, 'X' | 'y' | 'auxiliary'> {
  readonly record: Omit<RunRecord, 'X' | 'y' | 'auxiliary'>;
  readonly model: ModelSource;
  readonly preparation: Preparation | undefined;
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

/**
 * The outcome of one fold, whatever goes wrong. The adapter is opened for it and closed after it.
 *
 * @param place where the model is saved, where the task says so
 */
export async function runFoldElsewhere(
  task: FoldTask,
  run: () => Promise<RunElsewhere>,
  { emit, place }: Pick<FoldLink, 'emit'> & { readonly place: ModelPlace | undefined },
): Promise<FoldOutcome> {
  const started = performance.now();
  try {
    const found = await run();
    return await asRun(undefined, async (active) => {
      const { record, model, preparation, ...labelledRows } = found;
      const { framework, adapterOptions, groups, weight, positive, saving } = record;
      const contextOf: FoldLink['services']['contextOf'] = (ctx) => ofRun(active, Object.freeze({ ...ctx }));
      const choice = { framework, adapterOptions, adapter: undefined, foldTimeout: task.timeout };
      return withAdapter({ ...choice, preparation }, model, ofRun(active, frozenCopy(task.ctx)), async (opened) => {
        const { adapter, session, waiting } = opened;
        checkEngine(session, record);
        return runFold(task, {
          ...labelledRows,
          ...{ adapter, weight, positive, saving, contextOf, emit },
          ...{ source: model.source, built: model.built },
          data: groups ? { groups } : {},
          training: {},
          modelScores: async () => ({}),
          signal: undefined,
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
