import { nameText } from '../core/foreignText.js';
import { sum } from '../core/numbers.js';
import { lossOf, type Metric, type Score, score } from './metric.js';
import { labelWidth, type ScoreTable } from './scoreTable.js';
import { joinTables, takeRows } from './tableRows.js';

export interface Bootstrap632Input {
  readonly apparent: number;
  readonly outOfBag: number;
  /** Value when predictions and outcomes are independent: {@link noInformation}. */
  readonly noInformation: number;
  readonly metric: Pick<Metric, 'direction' | 'target'>;
}

export interface Bootstrap632 {
  readonly value: number;
  /** Relative overfitting rate R, from 0 (none) to 1 (no information about new rows). Only of `.632+`. */
  readonly overfitting: number;
  /** Weight of the rows left out, from .632 to 1. */
  readonly weight: number;
}

/** .368 times the apparent value and .632 times that of the rows left out. Source: Efron 1983, JASA 78:316. */
export const bootstrap632 = ({ apparent, outOfBag }: Omit<Bootstrap632Input, 'noInformation' | 'metric'>): number =>
  0.368 * apparent + 0.632 * outOfBag;

/**
 * The .632+ estimate: the more a model overfits, the more the rows left out count. A value of the rows left out that is
 * worse than no information counts as no information, in the weight and in the estimate (where equation 32 of Efron and
 * Tibshirani differs from its form with a weight, this is the form with a weight). It serves losses and gains; for the
 * area under the curve, no information is one half.
 * Source: Efron & Tibshirani 1997, JASA 92:548, section 3; for areas, Adler & Lausen 2009, CSDA 53:718.
 */
export function bootstrap632Plus({ apparent, outOfBag, noInformation, metric }: Bootstrap632Input): Bootstrap632 {
  const [fit, out, none] = [apparent, outOfBag, noInformation].map((value) => lossOf(metric, value));
  const clipped = out > none ? noInformation : outOfBag;
  const lost = Math.min(out, none) - fit;
  const overfitting = lost > 0 && none > fit ? lost / (none - fit) : 0;
  const weight = 0.632 / (1 - 0.368 * overfitting);
  return { value: (1 - weight) * apparent + weight * clipped, overfitting, weight };
}

const MOST_PAIRS = 4e6;
const MOST_TIMED = 250_000;

/**
 * The value of a metric when every prediction meets every outcome: the no-information rate gamma. For classes each
 * prediction is paired with every class, weighted by the share of the class. For numbers and outcomes by time all pairs are
 * taken, or those of evenly spaced rows that give 4 million, of outcomes by time 250,000. Multilabel tables have no such rate,
 * since the labels of a row belong together.
 */
export function noInformation(metric: Metric, table: ScoreTable): Score {
  if (table.task === 'multilabel' || labelWidth(table) > 1)
    return { value: null, reason: 'no-information rates are for one outcome per row' };
  if (table.task !== 'regression' && table.task !== 'survival' && !metric.weighted) {
    const reason = `${nameText(metric.name)} does not declare \`weighted\`, so classes would not count by their shares`;
    return { value: null, reason };
  }
  const found = score(metric, withoutInformation(table));
  // Chance is 0 for kappa and similar metrics; sums over all pairs leave a rounding error, which is set to 0.
  const rounding = found.value !== null && metric.range[1] === 1 && Math.abs(found.value) < 1e-12;
  return rounding ? { value: 0 } : found;
}

/**
 * The table in which every prediction meets every outcome, as {@link noInformation} says.
 *
 * @param mostPairs of numbers; the rows of the classes of a classification are never thinned
 */
export function withoutInformation(table: ScoreTable, mostPairs = MOST_PAIRS): ScoreTable {
  if (table.task === 'survival') return allPairs(table, Math.min(mostPairs, MOST_TIMED));
  return table.task === 'regression' ? allPairs(table, mostPairs) : everyClass(table);
}

function everyClass(table: ScoreTable): ScoreTable {
  const { classes, length, yTrue } = table;
  const weight = table.weight ?? new Float64Array(length).fill(1);
  const shares = new Float64Array(classes.length);
  for (let row = 0; row < length; row++) shares[yTrue[row]] += weight[row];
  const total = sum(shares);
  return joinTables(
    classes.map((_, code) => ({
      ...table,
      yTrue: new Int32Array(length).fill(code),
      weight: weight.map((each) => (each * shares[code]) / total),
    })),
  );
}

function allPairs(table: ScoreTable, mostPairs: number): ScoreTable {
  const { length } = table;
  const count = Math.min(length, Math.floor(Math.sqrt(mostPairs)));
  const n = count ** 2;
  const rowOf = (at: number) => Math.floor((at * length) / count);
  const first = takeRows(
    table,
    Int32Array.from({ length: n }, (_, at) => rowOf(Math.floor(at / count))),
  );
  const second = takeRows(
    table,
    Int32Array.from({ length: n }, (_, at) => rowOf(at % count)),
  );
  const weight = first.weight?.map((each, at) => each * (second.weight as Float64Array)[at]);
  const { yPred, yProba } = second;
  return { ...first, yPred, ...(yProba ? { yProba } : {}), ...(weight ? { weight } : {}) };
}
