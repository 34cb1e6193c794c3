/** Copies in a table, by record linkage: pairs of rows that agree in more than chance gives. */

import { Components } from '../../core/components.js';
import { mean } from '../../core/numbers.js';
import { rowNumbers } from '../../data/labels.js';
import type { Features } from '../features/columns.js';
import { emptyHash, type RowHash } from '../features/contentHash.js';
import { contentsOf, firstRows } from '../features/equalRows.js';
import { blankRows } from './blankRows.js';
import { type CellColumn, cellColumns, isAlike } from './cells.js';
import { countsIn } from './counts.js';
import { independentColumns, undeterminedColumns } from './derivedColumns.js';
import { type Candidate, judge, NullModel } from './judgeCandidates.js';
import { addKeys, mostDiffering, pairsButFew, partsOf, type RowPair } from './pairsButFew.js';
import { rarityOf } from './rarity.js';

/** Columns that are weighed: in wider tables some tell enough. */
const MOST_COLUMNS = 1000;
/** Rows whose frequencies are taken, and cells of these. */
const [SAMPLE, CELLS] = [4000, 1e5];
/** Copies among the rows. */
export interface Linkage {
  /** Cluster of copies of each row, 0 ... count-1 in order of its first row; -1 for all others. */
  readonly codes: Int32Array;
  readonly count: number;
  /** The pairs that made the clusters: of equal rows one pair stands for all. */
  readonly pairs: readonly RowPair[];
  /** Rows that another equals, though chance may explain it: 1. */
  readonly coincident: Uint8Array;
  /** Those of them that give one answer to all questions of a questionnaire: 1. */
  readonly oneAnswer: Uint8Array;
  /** The columns that rows were compared by. */
  readonly columns: readonly CellColumn[];
  /** The share of rows of which a single copy would be found: an exact one, one that differs in one column, in two. */
  readonly power: readonly number[];
  /** Rows that differ in one column or two were all compared; else `power` has no share for these. */
  readonly complete: boolean;
  /** How many pairs are expected by chance among those that are called copies, at most. */
  readonly expected: number;
}

/** Looked for once, whichever check asks. */
const known = new WeakMap<Features, { readonly units: Int32Array | undefined; readonly found: Linkage }[]>();

/**
 * Finds rows that agree in all columns but two at most (a changed or missing cell, another time or id), where fewer than
 * .01 such pairs per pair found come by chance (Benjamini & Hochberg 1995, JRSS B 57:289).
 *
 * @param units unit of each row: rows of one are no pair
 */
export function linkage(features: Features, units: Int32Array | undefined): Linkage {
  const before = known.get(features) ?? [];
  known.set(features, before);
  const same = ({ units: other }: { readonly units: Int32Array | undefined }) =>
    other === units || (!!units && !!other && units.every((unit, row) => unit === other[row]));
  const found = before.find(same)?.found ?? link(features, units);
  if (!before.some(same)) before.push({ units, found });
  return found;
}

/** The columns in which copies differ, and whether some differ in nothing but how cells are written. */
export function differencesIn({ pairs, columns }: Linkage, { columns: raw }: Features, codes: Int32Array) {
  const counts = new Map<string, number>();
  const [kinds, shown] = [
    new Set<string>(),
    pairs.filter(({ first, second }) => codes[first] >= 0 && codes[second] >= 0),
  ];
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

/** Pairs whose differences are looked at. */
const SHOWN = 500;

const namesOf = ({ columns }: CellColumn, first: number, second: number): string[] =>
  columns.filter(({ values }) => columns.length === 1 || values[first] !== values[second]).map(({ name }) => name);

function link(features: Features, units: Int32Array | undefined): Linkage {
  const { n } = features;
  const all = cellColumns(features);
  const columns = withoutDerived(all);
  const body = columns.filter(({ free }) => !free);
  const none = {
    codes: new Int32Array(n).fill(-1),
    count: 0,
    pairs: [],
    columns: all,
    power: [0],
    complete: true,
    expected: 0,
  };
  if (body.length === 0 || n < 2)
    return { ...none, coincident: new Uint8Array(n).fill(n > 1 ? 1 : 0), oneAnswer: new Uint8Array(n) };

  const keys = new Float64Array(n);
  const hashOf = (hashed: readonly CellColumn[]) => {
    const hash = emptyHash(n);
    for (const column of hashed) addKeys(hash, column, columns.indexOf(column), keys);
    return hash;
  };
  const whole = hashOf(body);
  const contents = contentsOf(whole);
  const independent = oncePerUnit(contents, units);

  const differing = mostDiffering(body.length);
  const step = Math.max(1, Math.ceil(independent.length / Math.min(SAMPLE, Math.max(1000, CELLS / columns.length))));
  const sample = independent.filter((_, at) => at % step === 0);
  const thin = Math.ceil(columns.length / MOST_COLUMNS);
  const counted = columns.filter((_, at) => at % thin === 0).map((column) => countsIn(column, sample));
  const entropies = new Map(counted.map(({ column, entropy }) => [column, entropy]));
  const usual = mean(counted.map(({ entropy }) => entropy));
  const spreads = body.map((column) => entropies.get(column) ?? usual);
  const places = partsOf(spreads, differing + 1);
  const parts = Array.from({ length: differing + 1 }, (_, part) => hashOf(body.filter((_, at) => places[at] === part)));
  const withFree = body.length < columns.length ? hashOf(columns) : whole;

  const blank = blankRows(features);
  const areDistinct = (a: number, b: number) => blank[a] === 0 && blank[b] === 0 && (!units || units[a] !== units[b]);
  const firsts = firstRows(contents);
  const order = [...body.keys()].sort((a, b) => spreads[b] - spreads[a]);
  const near = pairsButFew(
    order.map((at) => body[at]),
    parts,
    firsts,
    areDistinct,
  );
  const rarity = rarityOf(counted, sample, contents, { units, differing });
  const scored = (pair: Omit<Candidate, 'score'>): Candidate => ({
    ...pair,
    score: rarity.score(
      rarity.cellWeights(pair.first, 2),
      rarity.keysOf([pair.first]),
      rarity.keysOf([pair.second]),
      0,
    ),
  });

  const same = ({ high, low }: RowHash, a: number, b: number) => low[a] === low[b] && high[a] === high[b];
  // Rows with times or ids of their own are copies by the rest alone.
  const rest = withFree === whole ? [] : equalPairs(contents, (a, b) => areDistinct(a, b) && !same(withFree, a, b));
  const equal = [...equalPairs(withFree === whole ? contents : contentsOf(withFree), areDistinct), ...rest];
  const model = new NullModel(rarity, sample, { columns: body.length, count: independent.length });
  const power = model.power();
  const judged = judge([...equal, ...near.pairs].map(scored), model, power);

  const { clusters, count } = clustersOf(judged.copies, n);
  const coincident = new Uint8Array(n);
  for (const { members } of equal) for (const row of members) if (clusters[row] < 0) coincident[row] = 1;
  return {
    codes: clusters,
    count,
    pairs: judged.copies.map(({ first, second, differing }) => ({ first, second, differing })),
    coincident,
    oneAnswer: coincident.map((one, row) => (one === 1 && rarity.isOneAnswer(row) ? 1 : 0)),
    columns: all,
    expected: judged.expected,
    power: near.complete ? power : power.slice(0, 1),
    complete: near.complete,
  };
}

/** One row of each content of a unit: rows that a unit repeats say nothing of how rare their values are. */
function oncePerUnit(contents: Int32Array, units: Int32Array | undefined): Int32Array {
  const rows = rowNumbers(contents.length);
  if (!units) return rows;
  const known = new Set<number>();
  return rows.filter((row) => known.size < known.add(contents[row] * contents.length + units[row]).size);
}

/** Rows that pairs put together: the cluster of each, -1 for a row on its own. */
function clustersOf(pairs: readonly Candidate[], n: number): { readonly clusters: Int32Array; readonly count: number } {
  const together = new Components(n);
  for (const { first, second, members } of pairs) {
    together.join(first, second);
    members?.forEach((row) => {
      together.join(first, row);
    });
  }
  const { codes, sizes } = together.codes();
  const clusterOf = new Int32Array(sizes.length).fill(-1);
  let count = 0;
  sizes.forEach((size, code) => {
    if (size > 1) clusterOf[code] = count++;
  });
  return { clusters: codes.map((code) => clusterOf[code]), count };
}

/** One pair for each content that rows of different units have, and all its rows. */
function equalPairs(
  contents: Int32Array,
  areDistinct: (a: number, b: number) => boolean,
): (RowPair & { members: Int32Array })[] {
  const first = firstRows(contents);
  const members = new Map<number, number[]>();
  contents.forEach((content, row) => {
    if (first[content] === row) return;
    const known = members.get(content);
    if (known) known.push(row);
    else members.set(content, [first[content], row]);
  });
  return Array.from(members.values()).flatMap((rows) => {
    const second = rows.find((row) => row !== rows[0] && areDistinct(rows[0], row));
    return second === undefined ? [] : [{ first: rows[0], second, differing: 0, members: Int32Array.from(rows) }];
  });
}

/** The columns but those that are computed from others, in which copies agree anyway. */
function withoutDerived(columns: readonly CellColumn[]): CellColumn[] {
  const isNumber = ({ free, folded, columns: { length } }: CellColumn) => !free && !folded && length === 1;
  const numbers = columns.filter(isNumber).map(({ columns: [column] }) => column);
  const kept = new Set(undeterminedColumns(independentColumns(numbers)));
  return columns.filter((column) => !isNumber(column) || kept.has(column.columns[0]));
}
