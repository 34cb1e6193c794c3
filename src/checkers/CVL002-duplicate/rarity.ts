/**
 * What it is worth that two rows agree in a cell: minus the logarithm of how often other rows have its value, given what
 * the rows agree in already. Fellegi & Sunter 1969, Journal of the American Statistical Association 64:1183 (weights of
 * record linkage); Newcombe et al. 1959, Science 130:954 (agreement in a rare value weighs more); Chow & Liu 1968, IEEE
 * Transactions on Information Theory 14:462 (a tree of dependences).
 */

import { power, sum } from '../../core/numbers.js';
import { presentIn } from '../../core/numbersWhere.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { tally } from '../../data/encode.js';
import { gather, rowNumbers } from '../../data/labels.js';
import { ascendingRows } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { type CellColumn, type Counts, isAlike, isMeasure, isScale, keyAt, levelKey } from './cells.js';
import { mayFollow } from './derivedColumns.js';
import { tiesOf } from './ties.js';

const [TREE_ROWS, TREE_CELLS] = [1000, 5e6];
/** Nats of dependence that are worth a parent. */
const LEAST_GAIN = 0.01;

interface Node extends ColumnRarity {
  readonly parent: number;
  readonly joint: Float64Array;
  /** 0 where the parent determines the column, 1 where it says nothing. */
  readonly freedom: number;
  /** What agreement is worth at most, in nats, where rows agree in the parent. */
  readonly most: number;
}

export interface CellWeights {
  readonly marginal: Float64Array;
  readonly conditionalWeights: Float64Array;
}

/**
 * @param contents a number for each row of the table: equal where rows are equal
 * @param pairs unit of each row, of which rows are no pair, and in how many columns a copy differs at most
 */
export async function rarityOf(
  counted: readonly Counts[],
  sample: Int32Array,
  contents: Int32Array,
  { units, differing }: { readonly units: Int32Array | undefined; readonly differing: number },
): Promise<Rarity> {
  const columns = counted.map(({ column }) => column);
  const alike = { of: contents, counts: tally(gather(contents, sample), contents.length) };
  const single = columns.filter(({ free }) => !free).length === 1;
  let following: ReadonlySet<Column> | undefined;
  const followers = () => (following ??= mayFollow(columns.flatMap((column) => column.columns)));
  const known = counted
    .map((counts) => columnRarity(counts, sample, alike, single, followers))
    .sort((a, b) => b.entropy - a.entropy);
  const step = Math.max(1, Math.floor(sample.length / TREE_ROWS));
  const rows = sample.filter((_, at) => at % step === 0);
  const codes = known.map(({ codes, placeOf }) => rows.map((_, at) => codes[placeOf[at * step]]));
  const reach = Math.max(8, Math.floor(TREE_CELLS / (rows.length * known.length)));
  const isPair = (a: number, b: number) =>
    contents[sample[a]] !== contents[sample[b]] && (!units || units[sample[a]] !== units[sample[b]]);
  const ties = tiesOf(known, isPair, differing);
  const spreads = codes.map((of, at) => spreadOf(of, known[at].ofCode.length));
  const mostInformative = (at: number) => {
    let [parent, gain] = [-1, LEAST_GAIN];
    for (let other = Math.max(0, at - reach); other < at; other++) {
      const shared = information(spreads[other], spreads[at]);
      if (shared > gain) [parent, gain] = [other, shared];
    }
    return parent;
  };
  const nodes: Node[] = [];
  for (const [at, each] of known.entries()) {
    await yieldToPage();
    const { parent, share } = ties[at] ?? { parent: mostInformative(at), share: 0 };
    const free = { joint: new Float64Array(), freedom: 1 };
    const bound = parent < 0 ? free : dependence(codes[parent], codes[at], known[parent], each, gather(contents, rows));
    nodes.push({ ...each, parent, ...bound, most: -Math.log(share) });
  }
  return rarityIn(nodes, sample, rows.length, alike);
}

export interface Rarity {
  readonly columns: readonly CellColumn[];
  /** `shared` rows (itself, or a copy as well) do not count in the frequencies, nor do all that may be copies of it. */
  cellWeights(row: number, shared: number): CellWeights;
  isOneAnswer(row: number): boolean;
  /** What it is worth that two rows agree in the cells in which they do. */
  score(first: number, second: number): number;
}

/** @param learnt rows of the sample that the tree was learnt from */
function rarityIn(nodes: readonly Node[], sample: Int32Array, learnt: number, alike: Alike): Rarity {
  const columns = nodes.map(({ column }) => column);
  const scale = learnt / sample.length;
  const inSample = new Uint8Array(alike.of.length);
  for (const row of sample) inSample[row] = 1;
  const sizes = nodes.map(({ places }) => places.size);
  const answersOf = oneAnswerIn(columns, sizes);
  /** What remains of the weight of a column where rows agree in its parent; `excluded` rows do not count in the frequencies. */
  const withinParent = (weight: number, at: number, own: Int32Array, excluded: number) => {
    const { parent, ofCode, joint, freedom, most } = nodes[at];
    const among = ofCode[own[at]] * scale;
    const usual = Math.min(1, Math.max(0.5, among - excluded + 0.5) / learnt);
    const parents = nodes[parent].ofCode[own[parent]] * scale;
    const both = joint[own[parent] * ofCode.length + own[at]];
    const conditional =
      (Math.max(0, both - excluded) + PRIOR * power(usual, freedom)) /
      (Math.max(0, parents - excluded, both - excluded) + PRIOR);
    return Math.min(most, Math.max(0, weight + Math.log(usual) - Math.log(Math.min(1, conditional))));
  };
  const cellWeights = (row: number, shared: number) => {
    const [marginal, conditional] = [new Float64Array(nodes.length), new Float64Array(nodes.length)];
    const own = new Int32Array(nodes.length);
    const shown = inSample[row] * shared;
    const copies = Math.max(shown, alike.counts[alike.of[row]]);
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at];
      const key = keyAt(node.column, row);
      const place = node.places.placeOf(key);
      const excluded = node.telling[place] === 1 ? copies : shown;
      own[at] = place < 0 ? codeOfUnknown(node, key) : node.codes[place];
      const others = place < 0 || node.alone[place] === 1 ? 0 : Math.max(0, node.rows[place] - excluded);
      const chance = others === 0 ? node.unseen : (others + 0.5) / sample.length;
      const weight = Math.max(0, -Math.log(Math.min(1, chance))) + (others === 0 ? node.bonus : 0);
      marginal[at] = weight;
      conditional[at] = node.parent < 0 ? weight : withinParent(weight, at, own, excluded * scale);
    }
    // One answer to all questions is worth what one of them is.
    const answers = answersOf(row);
    return { marginal: asOne(marginal, answers), conditionalWeights: asOne(conditional, answers) };
  };
  return {
    columns,
    cellWeights,
    isOneAnswer: (row) => answersOf(row).length > 0,
    score(first, second) {
      const { marginal, conditionalWeights } = cellWeights(first, 2);
      const agrees = columns.map((column) => isAlike(column, first, second));
      const worthOf = ({ parent }: Node, at: number) => (agrees[parent] ? conditionalWeights[at] : marginal[at]);
      return sum(nodes.map((node, at) => (agrees[at] ? worthOf(node, at) : 0)));
    },
  };
}

function asOne(weights: Float64Array, places: readonly number[]): Float64Array {
  const largest = places.reduce((most, place) => Math.max(most, weights[place]), 0);
  for (const place of places) weights[place] = largest / places.length;
  return weights;
}

/** Equal rows that may be copies of one: at most so many, or this share of all rows. */
const FEW = { rows: 4, share: 0.05 };
/** The only column tells copies when so many of its numbers with all decimals are there twice: worth so many nats more. */
const [TWICE, PROOF] = [3, 12];

interface ColumnRarity extends Codes {
  /** By value, 1 where the rows that have it are copies of one, as far as this column tells. */
  readonly alone: Uint8Array;
  /** By value, 1 for one of many that is no end of numbers, nor the commonest level: those many rows may hold. */
  readonly telling: Uint8Array;
  readonly unseen: number;
  /** What agreement in a value that no other row has is worth beyond its rarity, in nats. */
  readonly bonus: number;
}

interface Alike {
  /** A number for each row of the table that is equal where rows may be copies of one. */
  readonly of: Int32Array;
  /** Rows of each number in the sample. */
  readonly counts: Int32Array;
}

/** `single`: it is the only column but times and ids. `followers`: the columns that may follow from coarse ones. */
function columnRarity(
  counts: Counts,
  sample: Int32Array,
  alike: Alike,
  single: boolean,
  followers: () => ReadonlySet<Column>,
): ColumnRarity {
  const { column, rows, places } = counts;
  const once = ofOneContent(counts, sample, alike);
  const valuesOf = (wanted: (count: number, isOnce: boolean) => boolean) =>
    rows.reduce((total, count, at) => total + Number(wanted(count, once[at] === 1)), 0);
  const repeated = valuesOf((count, isOnce) => count > 1 && isOnce);
  // Numbers on no grid that do not go along with coarse ones are not equal by chance.
  const isProof = () => isOffGrid(firstOfEach(column, sample, alike.of)) && !followers().has(column.columns[0]);
  const copies = repeated > 0 && !column.folded && isProof();
  // Of numbers with all their decimals, what few rows of one content share is theirs alone, and a value inside of any number.
  const few = Math.max(FEW.rows, FEW.share * sample.length);
  const inside = insideOf(places.numbers);
  const alone = once.map((one, at) => (copies && (rows[at] <= few || inside[at] === 1) ? one : 0));
  const twice = valuesOf((count, isOnce) => count === 2 && !(copies && isOnce));
  // Good & Turing: what is there once is seen again as often as what is there twice says.
  const singles = valuesOf((count) => count === 1) + (copies ? repeated : 0);
  const unseen = Math.min(1.5, (2 * twice + 1) / (singles + 1)) / sample.length;
  const bonus = copies && single && repeated + twice >= TWICE ? PROOF : 0;
  const telling = isScale(counts) ? new Uint8Array(rows.length) : isMeasure(counts) ? inside : notCommonest(counts);
  return { ...coded(counts), alone, telling, unseen, bonus };
}

function notCommonest({ rows, places }: Counts): Uint8Array {
  const most = rows.reduce((best, count) => Math.max(best, count), 0);
  return Uint8Array.from(rows, (count, at) => Number(count < most && !Number.isNaN(places.numbers[at])));
}

function insideOf(numbers: Float64Array): Uint8Array {
  const known = presentIn(numbers);
  const [low, high] = [
    known.reduce((a, b) => Math.min(a, b), Infinity),
    known.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  return Uint8Array.from(numbers, (value) => Number(value > low && value < high));
}

/** By value, 1 where its rows may all be copies of one. */
function ofOneContent({ placeOf, rows, places }: Counts, sample: Int32Array, { of }: Alike): Uint8Array {
  const firsts = new Int32Array(rows.length).fill(-1);
  const once = new Uint8Array(rows.length).fill(1);
  for (let at = 0; at < placeOf.length; at++) {
    const [place, content] = [placeOf[at], of[sample[at]]];
    if (firsts[place] < 0) firsts[place] = content;
    if (firsts[place] !== content) once[place] = 0;
  }
  const missing = places.placeOf(Number.NaN);
  if (missing >= 0) once[missing] = 0;
  return once;
}

function firstOfEach({ values }: CellColumn, sample: Int32Array, contents: Int32Array): Float64Array {
  const visited = new Set<number>();
  return Float64Array.from(
    sample.filter((row) => visited.size < visited.add(contents[row]).size),
    (row) => values[row],
  );
}

/** So many of the values that are known must be different. */
const DIFFERENT = 0.8;
/** On a grid more of the gaps between values have the width of another gap. */
const TIED = 0.1;
/** Rounding errors, of the largest value; gaps of fewer than so many of these are not seen. */
const [EXACT, SEEN] = [1e-12, 1000];

/** A grid may be seen in the values or, where these were computed from rounded ones, in what undoes it. */
const UNDO: readonly ((value: number) => number)[] = [
  (value) => value,
  Math.exp,
  (value) => power(2, value),
  (value) => power(10, value),
  (value) => value ** 2,
  (value) => 1 / value,
];

/**
 * Numbers with all their decimals, most of them different: rounded ones, in whatever unit, leave gaps that are
 * multiples of one step.
 */
function isOffGrid(values: Float64Array): boolean {
  const known = presentIn(values);
  const different = [...new Set(known)];
  if (known.length === 0) return false;
  if (different.length < DIFFERENT * known.length || !different.every(Number.isFinite)) return false;
  return UNDO.every((undo) => !hasTiedGaps(Float64Array.from(different, undo)));
}

function hasTiedGaps(values: Float64Array): boolean {
  const sorted = values.filter(Number.isFinite).sort();
  const same = EXACT * Math.max(Math.abs(sorted[0]), Math.abs(sorted[sorted.length - 1]));
  const gaps = sorted
    .map((value, at) => value - sorted[at - 1])
    .filter((gap) => gap > SEEN * same)
    .sort();
  let tied = 0;
  for (let at = 1; at < gaps.length; at++) if (gaps[at] - gaps[at - 1] <= same) tied++;
  return tied > TIED * gaps.length;
}

/** Columns of more different numbers are cut into so many bins, where it is asked what they go along with. */
const [LEVELS, BINS] = [24, 8];
const MOST_LEVELS = 256;
const PRIOR = 2;
interface Codes extends Counts {
  readonly codes: Int32Array;
  readonly ofCode: Float64Array;
  /** The largest key of each bin. */
  readonly cuts?: Float64Array;
}

function coded(counts: Counts): Codes {
  const { column, places, placeOf, rows } = counts;
  let codes: Int32Array;
  let cuts: Float64Array | undefined;
  if (column.folded || places.size <= LEVELS || column.columns.length > 1) {
    const order = rowNumbers(places.size).sort((a, b) => rows[b] - rows[a] || a - b);
    codes = new Int32Array(rows.length);
    order.forEach((place, at) => {
      codes[place] = Math.min(at, MOST_LEVELS - 1);
    });
  } else {
    const { numbers } = places;
    const total = placeOf.length - (rows[places.placeOf(Number.NaN)] ?? 0);
    codes = new Int32Array(rows.length).fill(BINS);
    cuts = new Float64Array(BINS).fill(Infinity);
    let before = 0;
    for (const place of ascendingRows(numbers)) {
      const bin = Math.min(BINS - 1, Math.floor((BINS * (before + rows[place] / 2)) / total));
      codes[place] = bin;
      cuts[bin] = numbers[place];
      before += rows[place];
    }
  }
  const ofCode = new Float64Array(codes.reduce((most, code) => Math.max(most, code), 0) + 1);
  codes.forEach((code, place) => {
    ofCode[code] += rows[place];
  });
  return { ...counts, codes, ofCode, ...(cuts ? { cuts } : {}) };
}

function codeOfUnknown({ cuts, ofCode }: Codes, key: number): number {
  const bin = cuts ? cuts.findIndex((cut) => key <= cut) : -1;
  return bin < 0 ? ofCode.length - 1 : Math.min(bin, ofCode.length - 1);
}

interface Spread {
  readonly codes: Int32Array;
  readonly width: number;
  readonly nats: number;
  readonly cells: number;
}

const spreadOf = (codes: Int32Array, width: number): Spread => ({ codes, width, ...natsOf(tally(codes, width)) });

/** Mutual information in nats, less what as many cells give by chance (Miller 1955). */
function information(a: Spread, b: Spread): number {
  const n = a.codes.length;
  const joint = new Int32Array(a.width * b.width);
  for (let at = 0; at < n; at++) joint[a.codes[at] * b.width + b.codes[at]]++;
  const { nats, cells } = natsOf(joint);
  return (nats - a.nats - b.nats) / n + Math.log(n) - (cells - a.cells - b.cells + 1) / (2 * n);
}

function natsOf(counts: Int32Array): Pick<Spread, 'nats' | 'cells'> {
  let [nats, cells] = [0, 0];
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at];
    if (count === 0) continue;
    nats += count * Math.log(count);
    cells++;
  }
  return { nats, cells };
}

/** How often codes come together, and how far the parent leaves the column free, where each content counts once. */
function dependence(
  a: Int32Array,
  b: Int32Array,
  parent: Codes,
  own: Codes,
  contents: Int32Array,
): Pick<Node, 'joint' | 'freedom'> {
  const width = own.ofCode.length;
  const joint = new Float64Array(parent.ofCode.length * width);
  const distinct = new Float64Array(joint.length);
  const visited = new Set<number>();
  contents.forEach((content, at) => {
    const cell = a[at] * width + b[at];
    joint[cell]++;
    if (visited.size < visited.add(content).size) distinct[cell]++;
  });
  const total = sum(own.ofCode);
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

// * Rows with one answer to all questions (straight-lining) are equal though none is a copy: Meade & Craig 2012,
// Psychological Methods 17:437.

/** Questions have so many answers, and a questionnaire so many of them. */
const [FEWEST, MOST] = [3, 12];
const QUESTIONS = 5;
/** The share of the questions that have the one answer. */
const NEARLY_ALL = 0.9;

/** The places of the columns in which a row gives one answer to nearly all questions; none where it gives several. */
export function oneAnswerIn(columns: readonly CellColumn[], counts: readonly number[]): (row: number) => number[] {
  const questions = columns.flatMap((column, place) =>
    column.free || counts[place] < FEWEST || counts[place] > MOST
      ? []
      : [{ place, column, answerOf: answersOf(column) }],
  );
  if (questions.length < QUESTIONS) return () => [];
  return (row) => {
    const byAnswer = new Map<string | number, number[]>();
    let most: number[] = [];
    for (const { place, column, answerOf } of questions) {
      const answer = answerOf(column.values[row]);
      if (answer === undefined) continue;
      const places = byAnswer.get(answer) ?? [];
      byAnswer.set(answer, places);
      places.push(place);
      if (places.length > most.length) most = places;
    }
    return most.length >= NEARLY_ALL * questions.length ? most : [];
  };
}

function answersOf({ columns, folded }: CellColumn): (value: number) => string | number | undefined {
  if (columns.length > 1) return (value) => (Number.isNaN(value) ? undefined : `dummy ${value}`);
  if (!folded) return (value) => (Number.isNaN(value) ? undefined : value);
  const keys = (columns[0].levels ?? []).map(levelKey);
  return (value) => keys[value];
}
