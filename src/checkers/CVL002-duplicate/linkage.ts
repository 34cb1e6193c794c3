/** Copies in a table, by record linkage: pairs of rows that agree in more than chance gives. */

import { Components } from '../../core/components.js';
import { mean } from '../../core/numbers.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { rowNumbers } from '../../data/labels.js';
import type { Features } from '../features/columns.js';
import { addColumn, emptyHash, type RowHash } from '../features/contentHash.js';
import { contentsOf, firstRows } from '../features/equalRows.js';
import { blankRows } from './blankRows.js';
import { type CellColumn, cellColumns, countsIn, isAlike, keyAt } from './cells.js';
import { independentColumns, undeterminedColumns } from './derivedColumns.js';
import { type Candidate, judge, nullModel } from './judgeCandidates.js';
import { bucketsOf, haveOneHash, mostDiffering, pairsButFew, partsOf, type RowPair } from './pairsButFew.js';
import { rarityOf } from './rarity.js';

const MOST_COLUMNS = 1000;
const [SAMPLE, CELLS] = [4000, 1e5];

export interface Linkage {
  /** Cluster of copies of each row, 0, 1, ... in order of its first row; -1 for all others. */
  readonly codes: Int32Array;
  readonly pairs: readonly RowPair[];
  /** Rows that another equals, though chance may explain it: 1. */
  readonly coincident: Uint8Array;
  /** Those of them that give one answer to all questions of a questionnaire: 1. */
  readonly oneAnswer: Uint8Array;
  readonly columns: readonly CellColumn[];
  /** The share of rows of which a single copy would be found: an exact one, one that differs in one column, in two. */
  readonly power: readonly number[];
  /** Rows that differ in one column or two were all compared; else `power` has no share for these. */
  readonly complete: boolean;
  readonly expected: number;
}

const SHOWN = 500;

export function differencesIn({ pairs, columns }: Linkage, { columns: raw }: Features, codes: Int32Array) {
  const counts = new Map<string, number>();
  const kinds = new Set<string>();
  const shown = pairs.filter(({ first, second }) => codes[first] >= 0 && codes[second] >= 0);
  let written = false;
  for (const { first, second } of shown.slice(0, SHOWN)) {
    const names = columns.flatMap((column) => (isAlike(column, first, second) ? [] : namesOf(column, first, second)));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    kinds.add(names.join('\n'));
    written ||= names.length === 0 && raw.some(({ values }) => !Object.is(values[first] + 0, values[second] + 0));
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return { columns: byCount, same: kinds.size === 1 && byCount.length > 0, written };
}

const namesOf = ({ columns }: CellColumn, first: number, second: number): string[] =>
  columns.filter(({ values }) => columns.length === 1 || values[first] !== values[second]).map(({ name }) => name);

/**
 * Finds rows that agree in all columns but two at most (a changed or missing cell, another time or id), where fewer than
 * .01 such pairs per pair found come by chance (Benjamini & Hochberg 1995, JRSS B 57:289).
 *
 * @param units unit of each row: rows of one are no pair
 */
export async function linkage(features: Features, units: Int32Array | undefined): Promise<Linkage> {
  const { n } = features;
  const all = cellColumns(features);
  const columns = withoutDerived(all);
  const body = columns.filter(({ free }) => !free);
  if (body.length === 0 || n < 2) {
    const coincident = new Uint8Array(n).fill(n > 1 ? 1 : 0);
    const nothing = { codes: new Int32Array(n).fill(-1), pairs: [], oneAnswer: new Uint8Array(n) };
    return { ...nothing, coincident, columns: all, power: [0], complete: true, expected: 0 };
  }
  const hashOf = (hashed: readonly CellColumn[]) => {
    const hash = emptyHash(n);
    for (const column of hashed) {
      addColumn(hash, { values: column.values.map((_, row) => keyAt(column, row)) }, columns.indexOf(column));
    }
    return hash;
  };
  const whole = hashOf(body);
  const contents = contentsOf(whole);
  const independent = oncePerUnit(contents, units);

  const differing = mostDiffering(body.length);
  const step = Math.max(1, Math.ceil(independent.length / Math.min(SAMPLE, Math.max(1000, CELLS / columns.length))));
  const sample = independent.filter((_, at) => at % step === 0);
  const thin = Math.ceil(columns.length / MOST_COLUMNS);
  const counted = [];
  for (const column of columns.filter((_, at) => at % thin === 0)) {
    await yieldToPage();
    counted.push(countsIn(column, sample));
  }
  const entropies = new Map(counted.map(({ column, entropy }) => [column, entropy]));
  const usual = mean(counted.map(({ entropy }) => entropy));
  const spreads = body.map((column) => entropies.get(column) ?? usual);
  const places = partsOf(spreads, differing + 1);
  const parts = Array.from({ length: differing + 1 }, (_, part) => hashOf(body.filter((_, at) => places[at] === part)));
  const withFree = body.length < columns.length ? hashOf(columns) : whole;

  const blank = blankRows(features);
  const areDistinct = (a: number, b: number) => blank[a] === 0 && blank[b] === 0 && (!units || units[a] !== units[b]);
  const mostFirst = [...body.keys()].sort((a, b) => spreads[b] - spreads[a]).map((at) => body[at]);
  const near = await pairsButFew(mostFirst, parts, firstRows(contents), areDistinct);
  const rarity = await rarityOf(counted, sample, contents, { units, differing });
  // Rows with times or ids of their own are copies by the rest alone.
  const areOfRest = (a: number, b: number) => areDistinct(a, b) && !haveOneHash(withFree, a, b);
  const equal = [...equalPairs(withFree, areDistinct), ...(withFree === whole ? [] : equalPairs(whole, areOfRest))];
  const candidates: Candidate[] = [];
  for (const pair of [...equal, ...near.pairs]) {
    await yieldToPage();
    candidates.push({ ...pair, score: rarity.score(pair.first, pair.second) });
  }
  const model = nullModel(rarity, sample, { columns: body.length, count: independent.length });
  const power = model.power();
  const judged = judge(candidates, model, power);

  const codes = clustersOf(judged.copies, n);
  const coincident = new Uint8Array(n);
  for (const { members } of equal) for (const row of members) if (codes[row] < 0) coincident[row] = 1;
  return {
    codes,
    pairs: judged.copies.map(({ first, second, differing }) => ({ first, second, differing })),
    coincident,
    oneAnswer: coincident.map((one, row) => (one === 1 && rarity.isOneAnswer(row) ? 1 : 0)),
    columns: all,
    expected: judged.expected,
    power: near.complete ? power : power.slice(0, 1),
    complete: near.complete,
  };
}

function oncePerUnit(contents: Int32Array, units: Int32Array | undefined): Int32Array {
  const rows = rowNumbers(contents.length);
  if (!units) return rows;
  const known = new Set<number>();
  return rows.filter((row) => known.size < known.add(contents[row] * contents.length + units[row]).size);
}

function clustersOf(pairs: readonly Candidate[], n: number): Int32Array {
  const together = new Components(n);
  for (const { first, second, members = [] } of pairs) {
    for (const row of [second, ...members]) together.join(first, row);
  }
  const { codes, sizes } = together.codes();
  let count = 0;
  const clusters = sizes.map((size) => (size > 1 ? count++ : -1));
  return codes.map((code) => clusters[code]);
}

/** One pair for each content that rows of different units have, and all its rows. */
const equalPairs = (hash: RowHash, areDistinct: (a: number, b: number) => boolean) =>
  bucketsOf(hash, rowNumbers(hash.low.length)).flatMap((members) => {
    const [first] = members;
    const second = members.find((row) => row !== first && areDistinct(first, row));
    return second === undefined ? [] : [{ first, second, differing: 0, members }];
  });

/** The columns but those that are computed from others, in which copies agree anyway. */
function withoutDerived(columns: readonly CellColumn[]): CellColumn[] {
  const isNumber = ({ free, folded, columns: { length } }: CellColumn) => !free && !folded && length === 1;
  const numbers = columns.filter(isNumber).map(({ columns: [column] }) => column);
  const kept = new Set(undeterminedColumns(independentColumns(numbers)));
  return columns.filter((column) => !isNumber(column) || kept.has(column.columns[0]));
}
