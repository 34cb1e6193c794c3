/** Integers that were read as classes while the model is one for numbers: the rows are read again as a regression. */
import { AdapterError, phrase, sentence } from '../core/errors.js';
import type { Labels } from '../data/labels.js';
import { ask, type FrameworkAdapter } from './frameworkAdapter.js';

/** Thrown before anything is trained. */
export class ImpliedTask extends AdapterError {
  constructor(readonly why: string) {
    super(
      sentence('y', 'be read as numbers', phrase(`integers read as classes, but ${why}`), "Pass task: 'regression'."),
      {
        code: 'implied_task',
      },
    );
  }
}

interface Asked {
  readonly y: Labels;
  readonly lossFn: unknown;
  readonly auxiliary: readonly string[];
}

/** Throws where three integers or more were taken for classes and the model says otherwise. Two are an event and its absence. */
export function refuseImpliedTask(adapter: FrameworkAdapter, model: unknown, { y, lossFn, auxiliary }: Asked): void {
  if (!y.guessed) return;
  const because = ask(adapter, 'regressionBecause', model, lossFn, auxiliary);
  if (because !== undefined) throw new ImpliedTask(`${y.why}, and ${because}`);
}

/** How the rows are read: as the caller says, or as the model implies. */
export interface TaskReading {
  readonly task?: 'regression';
  readonly taskWhy?: string;
}

/** Does `work` with the rows read as the caller says, and again as a regression where the model turns out to be one. */
export async function asImplied<T>(work: (reading: TaskReading) => Promise<T>): Promise<T> {
  try {
    return await work({});
  } catch (error) {
    if (!(error instanceof ImpliedTask)) throw error;
    return work({ task: 'regression', taskWhy: error.why });
  }
}
