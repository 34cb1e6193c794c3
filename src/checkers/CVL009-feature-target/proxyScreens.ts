/** Looks for levels of features that imply a class of y: what is done, given or known because of the outcome. */

import { show } from '../../core/errors.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { classText, type Labels, rowNumbers } from '../../data/labels.js';
import { targetColumns, targetName } from '../../data/targets.js';
import { columnRanks, commonest } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { isOfFrame } from '../features/images/frame.js';
import type { JoinedDummies } from '../features/joinedDummies.js';
import { classColumn } from './classColumn.js';
import { LEAST_AT_LEVEL } from './classCopies.js';
import { COVERS, classUnits, type LevelProxy, levelProxies, unitsAtLevel } from './levelProxies.js';
import { classTarget, type Independent, LEAST_UNITS, type Target } from './targets.js';

export interface ProxyFeature extends LevelProxy {
  readonly column: Column;
  /** `values`: these; `other`: any but the commonest value; `known`, `missing`: whether there is a value at all. */
  readonly by: 'values' | 'other' | 'known' | 'missing';
  readonly values: readonly number[];
  readonly distinct: number;
  /** The dummies that are looked at as one category: a value is a place among them, or their number where none has a 1. */
  readonly siblings?: readonly Column[];
  /** The class, for a sentence: `y = 1`, `class case`. */
  readonly implied: string;
}

interface DetectableLevel {
  readonly implied: string;
  /** Units of the class that must be at one level, and their share of the class; above 1 where it has too few. */
  readonly units: number;
  readonly share: number;
}

export interface ProxyScreens {
  readonly found: readonly ProxyFeature[];
  readonly nTests: number;
  readonly detectable: readonly DetectableLevel[];
}

interface Candidate extends Pick<ProxyFeature, 'column' | 'siblings'> {
  readonly by: 'values' | 'other' | 'known';
  /** What is looked at in place of the column: 0 or 1. */
  readonly flags?: Column;
  readonly but?: number;
}

/** One finding for each feature at most; sibling columns as one where none is found alone, or they cover more together. */
export async function screenProxies(
  columns: readonly Column[],
  joined: readonly JoinedDummies[],
  y: Labels,
  targets: readonly Target[],
  independent: Independent,
): Promise<ProxyScreens> {
  const candidates = [
    ...columns.filter((column) => !column.ofImage || isOfFrame(column)).flatMap(candidatesOf),
    ...joined.map((each): Candidate => ({ ...each, by: 'values' })),
  ];
  const classes = impliedClasses(y, targets).map((each) => ({ ...each, units: classUnits(each.target, independent) }));
  const nTests = candidates.length * classes.length;
  const found = new Map<Column, ProxyFeature>();
  for (const candidate of candidates) {
    await yieldToPage();
    const { column, siblings, flags = column } = candidate;
    const alone = siblings?.filter((sibling) => found.has(sibling)) ?? [];
    const least = alone.reduce((most, sibling) => Math.max(most, found.get(sibling)?.covers ?? 0), 0);
    const prepared = classColumn(flags, independent);
    // A finding of siblings stands at the first that is meant, which differs by class.
    let at = column;
    for (const { units, text } of classes) {
      if (alone.some((sibling) => found.get(sibling)?.implied !== text)) continue;
      const proxy = levelProxies(prepared, units, nTests);
      if (!proxy || proxy.covers <= least || proxy.covers <= (found.get(at)?.covers ?? 0)) continue;
      const valueAt = (level: number) => prepared.values[prepared.order[prepared.starts[level]]];
      // The commonest value itself was judged beside the others of the feature.
      if (candidate.by === 'other' && valueAt(proxy.levels[0]) === 0) continue;
      for (const sibling of alone.splice(0)) found.delete(sibling);
      const meaning = meaningOf(candidate, proxy.levels.map(valueAt));
      const [named = column] = impliedLevels(meaning);
      if (named !== at) found.delete(at);
      at = named;
      found.set(named, { ...proxy, ...meaning, column: named, distinct: columnRanks(column).distinct, implied: text });
    }
  }
  const perRow = independent.count / independent.codes.length;
  const detectable = classes.map(({ target: { rows }, text }): DetectableLevel => {
    const size = rows.length * perRow;
    const units = Math.max(unitsAtLevel(size / independent.count, nTests), Math.ceil(COVERS * size));
    return { implied: text, units, share: units / size };
  });
  return {
    found: [...found.values()],
    nTests,
    detectable: nTests > 0 ? detectable.sort((a, b) => a.share - b.share) : [],
  };
}

export const impliedLevels = ({ siblings = [], values }: Pick<ProxyFeature, 'siblings' | 'values'>): Column[] =>
  values.flatMap((value) => siblings[value] ?? []);

function meaningOf(
  { by, but, siblings }: Candidate,
  values: readonly number[],
): Pick<ProxyFeature, 'by' | 'values' | 'siblings'> {
  if (by === 'other') return { by, values: [but as number] };
  if (by === 'known') return { by: values[0] === 1 ? 'known' : 'missing', values: [] };
  return { by, values, ...(siblings ? { siblings } : {}) };
}

function candidatesOf(column: Column): Candidate[] {
  const { name, values } = column;
  const { order, distinct } = columnRanks(column);
  const some: Candidate[] = [];
  const { value, count } = commonest(values);
  if (distinct > 1 && count >= LEAST_AT_LEVEL) some.push({ column, by: 'values' });
  if (distinct > 2 && count >= Math.max(LEAST_AT_LEVEL, COVERS * order.length)) {
    const flags = values.map((each) => (Number.isNaN(each) ? each : Number(each !== value)));
    some.push({ column, by: 'other', but: value, flags: { name, kind: 'number', values: flags } });
  }
  if (order.length > 0 && order.length < values.length) {
    const flags = values.map((each) => Number(!Number.isNaN(each)));
    some.push({ column, by: 'known', flags: { name, kind: 'number', values: flags } });
  }
  return some;
}

interface ImpliedClass {
  readonly target: Target;
  readonly text: string;
}

function impliedClasses(y: Labels, targets: readonly Target[]): ImpliedClass[] {
  const { task, length, classes, numbers } = y;
  if (task === 'regression') {
    return targetColumns({ numbers, length }).flatMap((values, target) =>
      spikesOf(values, targetName(target, classes)),
    );
  }
  return targets.flatMap((target): ImpliedClass[] => {
    if (!target.classes) return [];
    const named = { target, text: `class ${target.name}` };
    if (task === 'multiclass') return [named];
    const { values } = target;
    const rows = rowNumbers(length).filter((row) => values[row] === 0);
    const others = classTarget(target.name, rows, length);
    if (task === 'multilabel') return [named, { target: others, text: `the absence of class ${target.name}` }];
    return [others, target].map((each, code) => ({ target: each, text: `y = ${classText(classes, code)}` }));
  });
}

/** Each value of a numeric y that is asked about is a further test. */
const COMMONEST = 10;

function spikesOf(numbers: Float64Array, name: string): ImpliedClass[] {
  const { order, distinct } = columnRanks({ values: numbers });
  if (distinct < 2) return [];
  const runs: Int32Array[] = [];
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (numbers[order[to]] === numbers[order[from]]) to++;
    if (to - from >= LEAST_UNITS) runs.push(order.subarray(from, to));
  }
  return runs
    .sort((a, b) => b.length - a.length)
    .slice(0, COMMONEST)
    .map((rows) => ({ target: classTarget('', rows, numbers.length), text: `${name} = ${show(numbers[rows[0]])}` }));
}
