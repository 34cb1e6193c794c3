/** scikit-learn's folds from test/reference/splitters.json, and the data formulas of test/reference/splitters.py. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { splitterRegistry } from '../../src/splitters/registry.js';
import type { Fold } from '../../src/splitters/splitter.js';

export interface ReferenceCase {
  splitter: string;
  options: Record<string, unknown>;
  n: number;
  classes?: number;
  /** Rows of class 0, then of class 1, ... */
  classSizes?: number[];
  continuous?: true;
  groups?: number;
  /** True when `folds` has one entry for each of the seeds. */
  seeded?: true;
  /** Digests of lists of folds. */
  folds: string[];
}

interface Reference {
  versions: Record<string, string>;
  seeds: number[];
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
    .map((each) => [
      `n=${each.n} ${JSON.stringify(each.options)}${each.seeded ? `, ${each.folds.length} seeds` : ''}`,
      each,
    ]);
}

/** Our folds for a case, one digest per seed as in the reference. */
export function ourFolds(each: ReferenceCase): string[] {
  const { splitter, options, n, groups, seeded } = each;
  const { create } = splitterRegistry.get(splitter);
  const y = targetOf(each);
  const data = groups ? { groups: groupIds(n, groups) } : undefined;
  const seeds = seeded ? reference.seeds.map((randomState) => ({ randomState })) : [{}];
  return seeds.map((seed) => digest(create({ ...options, ...seed }).split(n, y, data)));
}

/** As `digest` of test/reference/splitters.py. */
function digest(folds: Iterable<Fold>): string {
  const sha = createHash('sha256');
  for (const { train, test } of folds) {
    for (const numbers of [Int32Array.of(train.length, test.length), train, test]) sha.update(numbers);
  }
  return sha.digest('hex').slice(0, 12);
}

function targetOf({ n, classes, classSizes, continuous }: ReferenceCase): number[] | undefined {
  if (classSizes) return classSizes.flatMap((size, label) => Array<number>(size).fill(label));
  if (continuous) return numbers(n);
  return classes ? labels(n, classes) : undefined;
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
