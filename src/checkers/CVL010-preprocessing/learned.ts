/** What column steps make of each column: learned once for a column and the steps before. */
import type { Column } from '../features/columns.js';
import { columnStep } from './columnSteps.js';
import type { Change, ColumnStep, Task } from './task.js';

/** A step on each column, fitted to all rows or to the training rows. */
export interface Step {
  readonly name: string;
  readonly all: boolean;
}

export interface Learned {
  /** What the steps make of a value of the column at that place. Text is left alone by steps that are not for text. */
  change(at: number, steps: readonly Step[]): Change;
  /** The column after the steps. */
  column(at: number, steps: readonly Step[]): Column;
  /** The kind of the column after the steps: a level becomes a number by its target. */
  kindAfter(at: number, steps: readonly Step[]): Column['kind'];
}

const known = new WeakMap<Task, Learned>();

/** One for a task, so that all who ask share what was learned. */
export function learnedFrom(task: Task): Learned {
  const found = known.get(task) ?? learnedAnew(task);
  known.set(task, found);
  return found;
}

function learnedAnew(task: Task): Learned {
  const { before, after, train, all, y } = task;
  const changes = new Map<string, Change>();
  const trained = new Set(train);
  const isTrained = (row: number) => trained.has(row);
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
      const kind = learned.kindAfter(at, steps);
      return steps.length === 0 ? column : { ...column, kind, values: column.values.map(learned.change(at, steps)) };
    },
    kindAfter: (at, steps) =>
      steps.some(({ name }) => columnStep(name)?.shape === 'target') ? 'number' : before[at].kind,
  };

  function learn(at: number, steps: readonly Step[], { name, all: fromAll }: Step): Change {
    const earlier = learned.change(at, steps);
    const { learn, text } = columnStep(name) as ColumnStep;
    const { values } = before[at];
    if (learned.kindAfter(at, steps) === 'category' && !text) return earlier;
    const fitted = fromAll ? all : train;
    const [present, rows] = [new Float64Array(fitted.length), new Int32Array(fitted.length)];
    let count = 0;
    for (const row of fitted) {
      const value = earlier(values[row], row);
      if (Number.isNaN(value)) continue;
      present[count] = value;
      rows[count++] = row;
    }
    const change = learn({
      known: present.subarray(0, count),
      rows: rows.subarray(0, count),
      count: fitted.length,
      y,
      // Where the steps leave as many columns, each is at its place.
      found: after.length === before.length ? after[at] : undefined,
      values: steps.length === 0 ? values : values.map(earlier),
      isTrained,
    });
    return (value, row) => change(earlier(value, row), row);
  }

  return learned;
}
