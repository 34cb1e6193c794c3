/** What a level could imply: a class of y, a label or its absence, or a value that numbers repeat. */
import { show } from '../../core/errors.js';
import { classText, type Labels, rowNumbers } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import { classTarget, type Target, type Targets } from './targets.js';

/** So many values of numbers are looked at, the commonest first, of those in at least so many rows. */
const VALUES = { most: 10, rows: 40 };

/** A class as a target, and how a sentence names it. */
export interface ImpliedClass {
  readonly target: Target;
  /** `y = 1`, `class case`, `no class 3`, `y = 0`. */
  readonly text: string;
}

/** All classes: of two both, of labels their absence, too, since each can be the one that is implied. */
export function impliedClasses(y: Labels, targets: Targets): ImpliedClass[] {
  const { task, length, classes, numbers } = y;
  if (task === 'regression') return spikesOf(numbers);
  return [...targets].flatMap((target): ImpliedClass[] => {
    if (task === 'multiclass') return [{ target, text: `class ${target.name}` }];
    const others = classTarget(target.name, othersThan(target.rows, length), length);
    if (task === 'multilabel') {
      return [
        { target, text: `class ${target.name}` },
        { target: others, text: `the absence of class ${target.name}` },
      ];
    }
    return [others, target].map((each, code) => ({ target: each, text: `y = ${classText(classes, code)}` }));
  });
}

function othersThan(rows: Int32Array, length: number): Int32Array {
  const isIn = new Uint8Array(length);
  for (const row of rows) isIn[row] = 1;
  return rowNumbers(length).filter((row) => isIn[row] === 0);
}

function spikesOf(numbers: Float64Array): ImpliedClass[] {
  const { order, distinct } = columnRanks({ values: numbers });
  if (distinct < 2) return [];
  const spikes: Int32Array[] = [];
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && numbers[order[to]] === numbers[order[from]]) to++;
    if (to - from >= VALUES.rows) spikes.push(order.slice(from, to).sort());
  }
  return spikes
    .sort((a, b) => b.length - a.length)
    .slice(0, VALUES.most)
    .map((rows) => ({ target: classTarget('', rows, numbers.length), text: `y = ${show(numbers[rows[0]])}` }));
}
