/**
 * What it is worth that two rows agree in a cell: minus the logarithm of how often other rows have its value, given what
 * the rows agree in already. Fellegi & Sunter 1969, Journal of the American Statistical Association 64:1183 (weights of
 * record linkage); Newcombe et al. 1959, Science 130:954 (agreement in a rare value weighs more); Chow & Liu 1968, IEEE
 * Transactions on Information Theory 14:462 (a tree of dependences).
 */
import { sum } from '../../core/numbers.js';
import { type CellColumn, keyAt } from './cells.js';
import { mayFollow } from './derivedColumns.js';
import { isOffGrid } from './isOffGrid.js';

/** Columns of more different numbers are cut into so many bins, where it is asked what they go along with. */
const [LEVELS, BINS] = [24, 8];
/** Categories of more levels: the rarer ones count as one. */
const MOST_LEVELS = 256;
/** Rows and cells that dependences are learnt from. */
const [TREE_ROWS, TREE_CELLS] = [1000, 5e6];
/** Bits of dependence (in nats) that are worth a parent. */
const LEAST_GAIN = 0.01;
/** Rows that a conditional frequency starts from. */
const PRIOR = 2;
/** Stands for a missing cell, to be equal to another. */
const MISSING = 3 * Number.MIN_VALUE;
/** Equal rows, in all or of all, that may be copies of one. */
const FEW = { rows: 4, share: 0.05 };
/** The only column tells copies when its numbers have all their decimals and so many are there twice. */
const [TWICE, PROOF] = [3, 12];

/** What is known of the values of one column. */
interface ColumnRarity {
  readonly column: CellColumn;
  /** Place of each value, by its key; NaN is one of them. */
  readonly places: Map<number, number>;
  /** Rows of each value, and whether they all have one content. */
  readonly rows: Int32Array;
  readonly once: Uint8Array;
  /** Chance of a value that no other row has. */
  readonly unseen: number;
  readonly bonus: number;
  /** Code (level or bin) of each value, and the rows of each code. */
  readonly codes: Int32Array;
  readonly ofCode: Float64Array;
  readonly entropy: number;
  readonly cuts?: Float64Array;
}

/** A column whose frequencies are known, and the one before it that it goes along with. */
interface Node extends ColumnRarity {
  /** Place of the parent among the nodes, or -1. */
  readonly parent: number;
  /** Rows by code of the parent and own code. */
  readonly joint: Float64Array;
  /** 0 where the parent determines the column, 1 where it says nothing. */
  readonly freedom: number;
}

/** Weights of cells; `weights` of a row are what it is worth that a row agrees with it in each column. */
export interface Rarity {
  readonly columns: readonly CellColumn[];
  /** The weights of a row, `shared` rows (itself, or a copy as well) left out of the frequencies. */
  cellWeights(row: number, shared: number): CellWeights;
  /** The cells of some rows, `[rows, columns]`. */
  keysOf(rows: ArrayLike<number>): Float64Array;
  /** What it is worth, in nats, that a row agrees with another: its weights, its keys, and those of the other at a place. */
  score(weights: CellWeights, keys: Float64Array, others: Float64Array, at: number): number;
}

/** By column: where the parent differs, and where it agrees. */
export interface CellWeights {
  readonly marginal: Float64Array;
  readonly given: Float64Array;
}

/**
 * @param columns what rows are compared by
 * @param sample rows whose frequencies are taken
 * @param contents a number for each row of the table: equal where rows are equal
 */
export function rarityOf(columns: readonly CellColumn[], sample: Int32Array, contents: Int32Array): Rarity {
  const known = columns
    .map((column) => columnRarity(column, sample, contents, columns))
    .sort((a, b) => b.entropy - a.entropy);
  const step = Math.max(1, Math.floor(sample.length / TREE_ROWS));
  const rows = sample.filter((_, at) => at % step === 0);
  const codes = known.map((each) => rows.map((row) => codeAt(each, row)));
  const reach = Math.max(8, Math.floor(TREE_CELLS / (rows.length * known.length)));
  const nodes = known.map((each, at): Node => {
    let [parent, gain] = [-1, LEAST_GAIN];
    for (let other = Math.max(0, at - reach); other < at; other++) {
      const shared = information(codes[other], codes[at], known[other].ofCode.length, each.ofCode.length);
      if (shared > gain) [parent, gain] = [other, shared];
    }
    if (parent < 0) return { ...each, parent, joint: new Float64Array(), freedom: 1 };
    return { ...each, parent, ...dependence(codes[parent], codes[at], known[parent], each, rows, contents) };
  });
  const parents = Int32Array.from(nodes, ({ parent }) => parent);
  const scale = rows.length / sample.length;
  const inSample = new Uint8Array(columns[0]?.values.length ?? 0);
  for (const row of sample) inSample[row] = 1;

  return {
    columns: nodes.map(({ column }) => column),
    cellWeights(row, shared) {
      const [marginal, given] = [new Float64Array(nodes.length), new Float64Array(nodes.length)];
      const own = new Int32Array(nodes.length);
      const apart = inSample[row] * shared;
      nodes.forEach((node, at) => {
        const place = node.places.get(keyAt(node.column, row)) ?? -1;
        own[at] = place < 0 ? codeOf(node, keyAt(node.column, row)) : node.codes[place];
        const others = place < 0 || node.once[place] === 1 ? 0 : Math.max(0, node.rows[place] - apart);
        const chance = others === 0 ? node.unseen : (others + 0.5) / sample.length;
        const weight = Math.max(0, -Math.log(Math.min(1, chance))) + (others === 0 ? node.bonus : 0);
        marginal[at] = weight;
        given[at] = weight;
        if (node.parent < 0) return;
        const left = apart * scale;
        const among = node.ofCode[own[at]] * scale;
        const usual = Math.min(1, Math.max(0.5, among - left + 0.5) / rows.length);
        const width = node.ofCode.length;
        const parents = nodes[node.parent].ofCode[own[node.parent]] * scale;
        const both = node.joint[own[node.parent] * width + own[at]];
        const start = usual ** node.freedom;
        const conditional =
          (Math.max(0, both - left) + PRIOR * start) / (Math.max(0, parents - left, both - left) + PRIOR);
        given[at] = Math.max(0, weight + Math.log(usual) - Math.log(Math.min(1, conditional)));
      });
      return { marginal, given };
    },
    keysOf(rows) {
      const keys = new Float64Array(rows.length * nodes.length);
      nodes.forEach(({ column }, place) => {
        for (let at = 0; at < rows.length; at++) {
          const key = keyAt(column, rows[at]);
          keys[at * nodes.length + place] = Number.isNaN(key) ? MISSING : key;
        }
      });
      return keys;
    },
    score({ marginal, given }, keys, others, at) {
      const from = at * nodes.length;
      let total = 0;
      for (let place = 0; place < nodes.length; place++) {
        if (keys[place] !== others[from + place]) continue;
        const parent = parents[place];
        total += parent >= 0 && keys[parent] === others[from + parent] ? given[place] : marginal[place];
      }
      return total;
    },
  };
}

function columnRarity(
  column: CellColumn,
  sample: Int32Array,
  contents: Int32Array,
  columns: readonly CellColumn[],
): ColumnRarity {
  const places = new Map<number, number>();
  const [counts, firsts, once]: number[][] = [[], [], []];
  for (const row of sample) {
    const key = keyAt(column, row);
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, counts.length);
      counts.push(1);
      firsts.push(contents[row]);
      once.push(1);
    } else {
      counts[place]++;
      if (firsts[place] !== contents[row]) once[place] = 0;
    }
  }
  const rows = Int32Array.from(counts);
  const how = (wanted: (count: number, isOnce: boolean) => boolean) =>
    rows.reduce((total, count, at) => total + Number(wanted(count, once[at] === 1)), 0);
  const repeated = how((count, isOnce) => count > 1 && isOnce);
  const copies = repeated > 0 && !column.folded && isProof(firstOfEach(column, sample, contents), column, columns);
  // Of numbers with all their decimals, what rows of one content share is theirs alone, however many they are; but what
  // many rows hold is a pattern, such as a questionnaire of zeros.
  const few = copies ? Math.max(FEW.rows, FEW.share * sample.length) : 0;
  const alone = Uint8Array.from(once, (one, at) => (rows[at] <= few ? one : 0));
  const twice = how((count, isOnce) => count === 2 && !(copies && isOnce));
  // Good & Turing: what is there once is seen again as often as what is there twice says.
  const singles = how((count) => count === 1) + (copies ? repeated : 0);
  const unseen = Math.min(1.5, (2 * twice + 1) / (singles + 1)) / sample.length;
  const bonus = copies && columns.filter(({ free }) => !free).length === 1 && repeated + twice >= TWICE ? PROOF : 0;
  return { column, places, rows, once: alone, unseen, bonus, ...coded(column, places, rows) };
}

/** Whether numbers lie on no grid and do not go along with coarse ones: equal ones are no chance. */
function isProof(values: Float64Array, column: CellColumn, columns: readonly CellColumn[]): boolean {
  if (!isOffGrid({ kind: 'number', values })) return false;
  const others = columns.filter((other) => other !== column).flatMap((other) => other.columns);
  return !mayFollow(column, others);
}

/** The values of one row of each content. */
function firstOfEach({ values }: CellColumn, sample: Int32Array, contents: Int32Array): Float64Array {
  const seen = new Set<number>();
  return Float64Array.from(
    sample.filter((row) => seen.size < seen.add(contents[row]).size),
    (row) => values[row],
  );
}

/** Levels, or bins of as many rows each. */
function coded(column: CellColumn, places: Map<number, number>, rows: Int32Array) {
  const n = sum(rows);
  let codes: Int32Array;
  let cuts: Float64Array | undefined;
  if (column.folded || places.size <= LEVELS || column.columns.length > 1) {
    const order = [...places.values()].sort((a, b) => rows[b] - rows[a] || a - b);
    codes = new Int32Array(rows.length);
    order.forEach((place, at) => {
      codes[place] = Math.min(at, MOST_LEVELS - 1);
    });
  } else {
    const keys = Float64Array.from(places.keys())
      .filter((key) => !Number.isNaN(key))
      .sort();
    const total = n - (rows[places.get(Number.NaN) ?? -1] ?? 0);
    codes = new Int32Array(rows.length).fill(BINS);
    cuts = new Float64Array(BINS).fill(Infinity);
    let before = 0;
    for (const key of keys) {
      const place = places.get(key)!;
      const bin = Math.min(BINS - 1, Math.floor((BINS * (before + rows[place] / 2)) / total));
      codes[place] = bin;
      cuts[bin] = key;
      before += rows[place];
    }
  }
  const ofCode = new Float64Array(codes.reduce((most, code) => Math.max(most, code), 0) + 1);
  codes.forEach((code, place) => {
    ofCode[code] += rows[place];
  });
  const entropy = rows.reduce((bits, count) => bits - (count / n) * Math.log(count / n), 0);
  return { codes, ofCode, entropy, cuts };
}

const codeAt = (rarity: ColumnRarity, row: number): number => codeOf(rarity, keyAt(rarity.column, row));

function codeOf({ places, codes, cuts, ofCode }: ColumnRarity, key: number): number {
  const place = places.get(key);
  if (place !== undefined) return codes[place];
  const bin = cuts ? cuts.findIndex((cut) => key <= cut) : -1;
  return bin < 0 ? ofCode.length - 1 : Math.min(bin, ofCode.length - 1);
}

/** Mutual information in nats, less what as many cells give by chance (Miller 1955). */
function information(a: Int32Array, b: Int32Array, height: number, width: number): number {
  const n = a.length;
  const joint = new Int32Array(height * width);
  for (let at = 0; at < n; at++) joint[a[at] * width + b[at]]++;
  const [left, right] = [new Int32Array(height), new Int32Array(width)];
  let [sum, cells] = [0, 1];
  joint.forEach((count, cell) => {
    if (count === 0) return;
    left[Math.floor(cell / width)] += count;
    right[cell % width] += count;
    sum += count * Math.log(count);
    cells++;
  });
  for (const counts of [left, right]) {
    for (const count of counts) {
      if (count === 0) continue;
      sum -= count * Math.log(count);
      cells--;
    }
  }
  return sum / n + Math.log(n) - cells / (2 * n);
}

/** How often codes come together, and how far the parent leaves the column free, where each content counts once. */
function dependence(
  a: Int32Array,
  b: Int32Array,
  parent: ColumnRarity,
  own: ColumnRarity,
  rows: Int32Array,
  contents: Int32Array,
): Pick<Node, 'joint' | 'freedom'> {
  const width = own.ofCode.length;
  const joint = new Float64Array(parent.ofCode.length * width);
  const distinct = new Float64Array(joint.length);
  const seen = new Set<number>();
  rows.forEach((row, at) => {
    const cell = a[at] * width + b[at];
    joint[cell]++;
    if (seen.size < seen.add(contents[row]).size) distinct[cell]++;
  });
  const total = own.ofCode.reduce((sum, count) => sum + count, 0);
  let [alike, byChance, groups] = [0, 0, 0];
  for (let from = 0; from < distinct.length; from += width) {
    let [count, pairs, chance] = [0, 0, 0];
    for (let at = 0; at < width; at++) {
      const here = distinct[from + at];
      count += here;
      pairs += here * (here - 1);
      chance += (here * own.ofCode[at]) / total;
    }
    if (count < 2) continue;
    alike += pairs / (count * (count - 1));
    byChance += chance / count;
    groups++;
  }
  if (groups === 0) return { joint, freedom: 1 };
  const usual = byChance / groups;
  const together = (alike + PRIOR * usual) / (groups + PRIOR);
  const freedom = usual >= 1 ? 1 : Math.min(1, Math.max(0, Math.log(together) / Math.log(usual)));
  return { joint, freedom };
}
