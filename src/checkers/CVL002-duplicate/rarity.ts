/**
 * What it is worth that two rows agree in a cell: minus the logarithm of how often other rows have its value, given what
 * the rows agree in already. Fellegi & Sunter 1969, Journal of the American Statistical Association 64:1183 (weights of
 * record linkage); Newcombe et al. 1959, Science 130:954 (agreement in a rare value weighs more); Chow & Liu 1968, IEEE
 * Transactions on Information Theory 14:462 (a tree of dependences).
 */
import { power } from '../../core/numbers.js';
import { tally } from '../../data/encode.js';
import { gather } from '../../data/labels.js';
import type { Column } from '../features/columns.js';
import { type CellColumn, keyAt } from './cells.js';
import { type Alike, type ColumnRarity, columnRarity } from './columnRarity.js';
import type { Counts } from './counts.js';
import { codeOf, dependence, information, PRIOR, spreadOf } from './dependence.js';
import { mayFollow } from './derivedColumns.js';
import { OneAnswer } from './oneAnswer.js';
import { tiesOf } from './ties.js';

/** Rows and cells that dependences are learnt from. */
const [TREE_ROWS, TREE_CELLS] = [1000, 5e6];
/** Nats of dependence that are worth a parent. */
const LEAST_GAIN = 0.01;
/** Stands for a missing cell, to be equal to another. */
const MISSING = 3 * Number.MIN_VALUE;

/** A column whose frequencies are known, and the one before it that it goes along with. */
interface Node extends ColumnRarity {
  /** Place of the parent among the nodes, or -1. */
  readonly parent: number;
  /** Rows by code of the parent and own code. */
  readonly joint: Float64Array;
  /** 0 where the parent determines the column, 1 where it says nothing. */
  readonly freedom: number;
  /** What agreement is worth at most, in nats, where rows agree in the parent. */
  readonly most: number;
}

/** By column: where the parent differs, and where it agrees. */
export interface CellWeights {
  readonly marginal: Float64Array;
  readonly given: Float64Array;
}

/**
 * @param counted the columns that rows are compared by
 * @param sample rows whose frequencies are taken
 * @param contents a number for each row of the table: equal where rows are equal
 * @param pairs unit of each row, of which rows are no pair, and in how many columns a copy differs at most
 */
export function rarityOf(
  counted: readonly Counts[],
  sample: Int32Array,
  contents: Int32Array,
  { units, differing }: { readonly units: Int32Array | undefined; readonly differing: number },
): Rarity {
  const columns = counted.map(({ column }) => column);
  const copies = { of: contents, counts: tally(gather(contents, sample), contents.length) };
  const single = columns.filter(({ free }) => !free).length === 1;
  let following: ReadonlySet<Column> | undefined;
  const followers = () => (following ??= mayFollow(columns.flatMap((column) => column.columns)));
  const known = counted
    .map((counts) => columnRarity(counts, sample, copies, single, followers))
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
  const nodes = known.map((each, at): Node => {
    const { parent, share } = ties[at] ?? { parent: mostInformative(at), share: 0 };
    const most = -Math.log(share);
    if (parent < 0) return { ...each, parent, joint: new Float64Array(), freedom: 1, most };
    return { ...each, parent, ...dependence(codes[parent], codes[at], known[parent], each, rows, contents), most };
  });
  return new Rarity(nodes, { rows, sample, alike: copies });
}

/** Places of the learnt rows, and what is known of their cells. */
interface Learnt {
  /** Rows that dependences were learnt from, among those whose frequencies were taken. */
  readonly rows: Int32Array;
  readonly sample: Int32Array;
  readonly alike: Alike;
}

/** Weights of cells; `weights` of a row are what it is worth that a row agrees with it in each column. */
export class Rarity {
  readonly columns: readonly CellColumn[];
  readonly #nodes: readonly Node[];
  readonly #learnt: Learnt;
  readonly #parents: Int32Array;
  readonly #answers: OneAnswer;
  readonly #inSample: Uint8Array;

  constructor(nodes: readonly Node[], learnt: Learnt) {
    this.columns = nodes.map(({ column }) => column);
    this.#nodes = nodes;
    this.#learnt = learnt;
    this.#parents = Int32Array.from(nodes, ({ parent }) => parent);
    this.#answers = new OneAnswer(
      this.columns,
      nodes.map(({ places }) => places.size),
    );
    this.#inSample = new Uint8Array(this.columns[0]?.values.length ?? 0);
    for (const row of learnt.sample) this.#inSample[row] = 1;
  }

  /**
   * The weights of a row, `shared` rows (itself, or a copy as well) left out of the frequencies, and all that may be copies of
   * it, as far as its values tell them.
   */
  cellWeights(row: number, shared: number): CellWeights {
    const { rows, sample, alike } = this.#learnt;
    const nodes = this.#nodes;
    const [marginal, given] = [new Float64Array(nodes.length), new Float64Array(nodes.length)];
    const own = new Int32Array(nodes.length);
    const scale = rows.length / sample.length;
    const shown = this.#inSample[row] * shared;
    const copies = Math.max(shown, alike.counts[alike.of[row]]);
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at];
      const place = node.places.placeOf(keyAt(node.column, row));
      const apart = node.telling[place] === 1 ? copies : shown;
      own[at] = place < 0 ? codeOf(node, keyAt(node.column, row)) : node.codes[place];
      const others = place < 0 || node.alone[place] === 1 ? 0 : Math.max(0, node.rows[place] - apart);
      const chance = others === 0 ? node.unseen : (others + 0.5) / sample.length;
      const weight = Math.max(0, -Math.log(Math.min(1, chance))) + (others === 0 ? node.bonus : 0);
      marginal[at] = weight;
      given[at] = node.parent < 0 ? weight : this.#given(weight, at, own, apart * scale);
    }
    // One answer to all questions is worth what one of them is.
    const answers = this.#answers.placesOf(row);
    return { marginal: asOne(marginal, answers), given: asOne(given, answers) };
  }

  /** What is left of the weight of a column where rows agree in its parent; `left` rows are left out of the frequencies. */
  #given(weight: number, at: number, own: Int32Array, left: number): number {
    const { rows, sample } = this.#learnt;
    const { parent, ofCode, joint, freedom, most } = this.#nodes[at];
    const scale = rows.length / sample.length;
    const among = ofCode[own[at]] * scale;
    const usual = Math.min(1, Math.max(0.5, among - left + 0.5) / rows.length);
    const parents = this.#nodes[parent].ofCode[own[parent]] * scale;
    const both = joint[own[parent] * ofCode.length + own[at]];
    const conditional =
      (Math.max(0, both - left) + PRIOR * power(usual, freedom)) / (Math.max(0, parents - left, both - left) + PRIOR);
    return Math.min(most, Math.max(0, weight + Math.log(usual) - Math.log(Math.min(1, conditional))));
  }

  /** Whether a row gives one answer to all questions of a questionnaire. */
  isOneAnswer(row: number): boolean {
    return this.#answers.placesOf(row).length > 0;
  }

  /** The cells of some rows, `[rows, columns]`. */
  keysOf(rows: ArrayLike<number>): Float64Array {
    const width = this.columns.length;
    const keys = new Float64Array(rows.length * width);
    for (let place = 0; place < width; place++) {
      const column = this.columns[place];
      for (let at = 0; at < rows.length; at++) {
        const key = keyAt(column, rows[at]);
        keys[at * width + place] = Number.isNaN(key) ? MISSING : key;
      }
    }
    return keys;
  }

  /** What it is worth, in nats, that a row agrees with another: its weights, its keys, and those of the other at a place. */
  score({ marginal, given }: CellWeights, keys: Float64Array, others: Float64Array, at: number): number {
    const parents = this.#parents;
    const from = at * parents.length;
    let total = 0;
    for (let place = 0; place < parents.length; place++) {
      if (keys[place] !== others[from + place]) continue;
      const parent = parents[place];
      total += parent >= 0 && keys[parent] === others[from + parent] ? given[place] : marginal[place];
    }
    return total;
  }
}

/** Weights, of which those at some places are worth as much together as the largest of them. */
function asOne(weights: Float64Array, places: readonly number[]): Float64Array {
  const largest = places.reduce((most, place) => Math.max(most, weights[place]), 0);
  for (const place of places) weights[place] = largest / places.length;
  return weights;
}
