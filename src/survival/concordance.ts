import { censoringInfluence } from './ipcw.js';
import { type NoValue, type Ranking, ranked, type TimedOutcomes } from './outcomes.js';

export interface ConcordanceOptions {
  /** Uno's C: pairs count 1 / G^2, with G just before the time of the row with the earlier event. Left out, Harrell's C. */
  readonly before?: Float64Array | undefined;
  /** Pairs whose earlier event is later than this do not count (`ymax` of R's `concordance`). */
  readonly tau?: number;
}

export interface ConcordanceInfluence {
  readonly ownCensoring?: TimedOutcomes | undefined;
  readonly centre?: number;
}

/** Weights of pairs of rows, as R's `concordance` counts them. */
export interface TimedConcordance {
  /** Share of the comparable pairs in which the row with the earlier event has the larger risk; equal risks count 1/2. */
  readonly value: number;
  readonly concordant: number;
  readonly discordant: number;
  /** Comparable pairs of equal risk. */
  readonly tiedRisk: number;
  /**
   * Of every row on the value: R's `dfbeta`, whose sums by patient, squared and summed, are the variance. `centre`: about
   * another estimate than this value. `ownCensoring`: the outcomes of these rows, with all causes, that G was estimated on with
   * these weights; its part is added, which R leaves out.
   */
  influence(options?: ConcordanceInfluence): Float64Array;
}

/**
 * Concordance of risks (larger: earlier event) with times. A pair is comparable if one row has its event before the time of
 * the other, or at the time at which the other is censored. Any event that is not 0 counts: for one cause the caller recodes
 * the outcomes by `ofCause`, so that events of other causes are censored at their time. O(n log n).
 *
 * Sources: Harrell et al. 1982, JAMA 247:2543; Uno et al. 2011, Stat Med 30:1105 (`timewt = 'n/G2'` of R's `survival`); ties
 * and influence as in its `concordance`.
 */
export function timedConcordance(
  outcomes: TimedOutcomes,
  risk: Float64Array,
  weight: Float64Array | null,
  { before, tau = Number.POSITIVE_INFINITY }: ConcordanceOptions = {},
): TimedConcordance | NoValue {
  const { time, event } = outcomes;
  const n = time.length;
  const earlier = new Float64Array(n); // what a pair counts in which the row has the earlier event
  for (let row = 0; row < n; row++) {
    if (event[row] === 0 || time[row] > tau || weight?.[row] === 0) continue;
    if (before?.[row] === 0)
      return { reason: 'the curve of being censored is 0 before an event: choose a smaller tau' };
    earlier[row] = before ? 1 / before[row] ** 2 : 1;
  }
  const pairs: Pairs = { event, weight, earlier, times: ranked(time), risks: ranked(risk) };
  const later = laterRows(pairs);
  let [concordant, discordant, tiedRisk] = [0, 0, 0];
  for (let row = 0; row < n; row++) {
    const w = (weight ? weight[row] : 1) * earlier[row];
    if (w === 0) continue;
    concordant += w * later.lower[row];
    tiedRisk += w * later.equal[row];
    discordant += w * later.higher[row];
  }
  const comparable = concordant + discordant + tiedRisk;
  if (!(comparable > 0)) return { reason: 'no two rows are comparable' };
  const value = (concordant + tiedRisk / 2) / comparable;

  const influence = ({ ownCensoring, centre = value }: ConcordanceInfluence = {}) => {
    const out = new Float64Array(n);
    const parts = new Float64Array(n);
    const sooner = earlierEvents(pairs);
    for (let row = 0; row < n; row++) {
      const w = weight ? weight[row] : 1;
      const asEarlier = w * earlier[row] * excess(later.lower[row], later.equal[row], later.higher[row], centre);
      const asLater = w * excess(sooner.higher[row], sooner.equal[row], sooner.lower[row], centre);
      out[row] = (asEarlier + asLater) / comparable;
      parts[row] = (2 * asEarlier) / comparable; // in proportion to 1 / G^2
    }
    if (!before || !ownCensoring) return out;
    const added = censoringInfluence(ownCensoring, weight, { before: parts, at: [] });
    return out.map((each, row) => each + added[row]);
  };
  return { value, concordant, discordant, tiedRisk, influence };
}

/** By how much pairs are more concordant than the value says. */
const excess = (concordant: number, tied: number, discordant: number, value: number) =>
  concordant * (1 - value) + tied * (0.5 - value) - discordant * value;

interface Pairs {
  readonly event: Int32Array;
  readonly weight: Float64Array | null;
  readonly earlier: Float64Array;
  readonly times: Ranking;
  readonly risks: Ranking;
}

/** By row, weights of the rows that it is compared with, by their risk beside its own. */
interface Compared {
  readonly lower: Float64Array;
  readonly equal: Float64Array;
  readonly higher: Float64Array;
}

const comparedRows = (n: number): Compared => ({
  lower: new Float64Array(n),
  equal: new Float64Array(n),
  higher: new Float64Array(n),
});

/** For rows with an event that counts: whoever lives longer. Times descend, so that weights are only ever added. */
function laterRows({ event, weight, earlier, times, risks }: Pairs): Compared {
  const { order, starts } = times;
  const compared = comparedRows(order.length);
  const tree = new WeightsBelow(risks);
  for (let at = times.values.length - 1; at >= 0; at--) {
    const [from, to] = [starts[at], starts[at + 1]];
    for (let i = from; i < to; i++) if (event[order[i]] === 0) tree.add(order[i], weight ? weight[order[i]] : 1);
    for (let i = from; i < to; i++) if (earlier[order[i]] > 0) tree.compare(order[i], compared);
    for (let i = from; i < to; i++) if (event[order[i]] !== 0) tree.add(order[i], weight ? weight[order[i]] : 1);
  }
  return compared;
}

/** For every row: events that count and come before it, in what their pairs count. */
function earlierEvents({ event, weight, earlier, times, risks }: Pairs): Compared {
  const { order, starts } = times;
  const compared = comparedRows(order.length);
  const tree = new WeightsBelow(risks);
  for (let at = 0; at < times.values.length; at++) {
    const [from, to] = [starts[at], starts[at + 1]];
    for (let i = from; i < to; i++) if (event[order[i]] !== 0) tree.compare(order[i], compared);
    for (let i = from; i < to; i++) {
      const row = order[i];
      if (earlier[row] > 0) tree.add(row, (weight ? weight[row] : 1) * earlier[row]);
    }
    for (let i = from; i < to; i++) if (event[order[i]] === 0) tree.compare(order[i], compared);
  }
  return compared;
}

/** Sums of weights below a rank in O(log n) (Fenwick 1994, Software: Practice and Experience 24:327). */
class WeightsBelow {
  readonly #rank: Int32Array;
  readonly #sums: Float64Array;
  readonly #own: Float64Array;
  #total = 0;

  constructor({ rank, values }: Ranking) {
    this.#rank = rank;
    this.#sums = new Float64Array(values.length + 1);
    this.#own = new Float64Array(values.length);
  }

  add(row: number, weight: number): void {
    const rank = this.#rank[row];
    this.#own[rank] += weight;
    this.#total += weight;
    for (let at = rank + 1; at < this.#sums.length; at += at & -at) this.#sums[at] += weight;
  }

  /** Enters the weights of those that were added, in the place of the row. */
  compare(row: number, { lower, equal, higher }: Compared): void {
    const rank = this.#rank[row];
    let below = 0;
    for (let at = rank; at > 0; at -= at & -at) below += this.#sums[at];
    lower[row] = below;
    equal[row] = this.#own[rank];
    higher[row] = this.#total - below - this.#own[rank];
  }
}
