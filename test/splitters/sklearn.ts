/** scikit-learn's folds from test/reference/splitters.json, and the data formulas of test/reference/splitters.py. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { splitterRegistry } from '../../src/splitters/registry.js';

export interface ReferenceCase {
  splitter: string;
  options: Record<string, unknown>;
  n: number;
  classes?: number;
  /** Rows of class 0, then of class 1, ... */
  classSizes?: number[];
  continuous?: true;
  groups?: number;
  /** One packed assignment per repeat. */
  folds: string[];
}

interface Reference {
  versions: Record<string, string>;
  cases: ReferenceCase[];
  stratifiedGroupKFoldCounts: {
    n: number;
    nSplits: number;
    groups: number;
    classes: number;
    seed: number | null;
    counts: number[][];
  }[];
}

export const reference: Reference = JSON.parse(
  readFileSync(new URL('../reference/splitters.json', import.meta.url), 'utf8'),
);

/** The cases of one splitter class as `[title, case]` rows for `it.each`. */
export function casesOf(splitter: string): [string, ReferenceCase][] {
  return reference.cases
    .filter((each) => each.splitter === splitter)
    .map((each) => [`n=${each.n} ${JSON.stringify(each.options)}`, each]);
}

/** Our folds for a case, packed as the reference is. */
export function ourFolds(each: ReferenceCase): string[] {
  const { splitter, options, n, groups } = each;
  const y = targetOf(each);
  const data = groups ? { groups: groupIds(n, groups) } : undefined;
  const folds = splitterRegistry.get(splitter).create(options).split(n, y, data);
  const assignments = new Map<number, Int32Array>();
  for (const { repeat = 0, test, train } of folds) {
    const assignment = assignments.get(repeat) ?? new Int32Array(n).fill(-1);
    const number = new Set(assignment).size - (assignment.includes(-1) ? 1 : 0);
    for (const row of test) assignment[row] = number;
    if (splitter === 'HoldOut') for (const row of train) assignment[row] = 1;
    assignments.set(repeat, assignment);
  }
  return [...assignments.values()].map(pack);
}

function targetOf({ n, classes, classSizes, continuous }: ReferenceCase): number[] | undefined {
  if (classSizes) return classSizes.flatMap((size, label) => Array<number>(size).fill(label));
  if (continuous) return numbers(n);
  return classes ? labels(n, classes) : undefined;
}

function pack(assignment: Int32Array): string {
  const text = Array.from(assignment, (fold) => fold.toString(36)).join('');
  return text.length <= 300 ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const noise = (n: number, salt: number) => Array.from({ length: n }, (_, i) => (i * i * 31 + i * (17 + salt)) % 1009);

export function labels(n: number, classes: number): number[] {
  const y = noise(n, 3).map((value) => {
    let label = 0;
    let cut = 0.5;
    while (label < classes - 1 && cut <= value / 1009) cut += 0.5 ** (++label + 1);
    return label;
  });
  y[0] = classes - 1;
  return y;
}

export function groupIds(n: number, groups: number): number[] {
  const b = noise(n, 11);
  return noise(n, 5).map((a, i) => Math.floor((a * b[i] * groups) / (1009 * 1009)));
}

function numbers(n: number): number[] {
  const b = noise(n, 2);
  return noise(n, 7).map((a, i) => Math.floor(a / 5) * 0.25 + Math.floor(b[i] / 500));
}
