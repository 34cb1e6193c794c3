/** What column steps make of each column: learned once for a column and the steps before. */
import type { Column } from '../features/columns.js';
import { COLUMN_STEPS } from './columnSteps.js';
import type { Task } from './task.js';

/** A step on each column, fitted to all rows or to the training rows. */
export interface Step {
  readonly name: string;
  readonly all: boolean;
}

export interface Learned {
  /** What the steps make of a value of the column at that place. Text is changed by no step but `impute:mode`. */
  change(at: number, steps: readonly Step[]): (value: number) => number;
  /** The column after the steps. */
  column(at: number, steps: readonly Step[]): Column;
}

const known = new WeakMap<Task, Learned>();

/** One for a task, so that all who ask share what was learned. */
export function learnedFrom(task: Task): Learned {
  const found = known.get(task) ?? learnedAnew(task);
  known.set(task, found);
  return found;
}

function learnedAnew(task: Task): Learned {
  const { before, train, all } = task;
  const changes = new Map<string, (value: number) => number>();
  const learned: Learned = {
    change(at, steps) {
      const last = steps.at(-1);
      if (!last) return (value) => value;
      const key = `${at} ${steps.map(({ name, all }) => `${name} ${all}`)}`;
      const found = changes.get(key) ?? learn(at, steps.slice(0, -1), last);
      changes.set(key, found);
      return found;
    },
    column(at, steps) {
      const column = before[at];
      return steps.length === 0 ? column : { ...column, values: column.values.map(learned.change(at, steps)) };
    },
  };

  function learn(at: number, steps: readonly Step[], { name, all: fromAll }: Step) {
    const earlier = learned.change(at, steps);
    const { learn, text } = COLUMN_STEPS[name];
    const { kind, values } = before[at];
    if (kind === 'category' && !text) return earlier;
    const rows = fromAll ? all : train;
    const present = new Float64Array(rows.length);
    let count = 0;
    for (const row of rows) {
      const value = earlier(values[row]);
      if (!Number.isNaN(value)) present[count++] = value;
    }
    const change = learn(present.subarray(0, count));
    return (value: number) => change(earlier(value));
  }

  return learned;
}
