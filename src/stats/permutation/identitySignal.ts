import { studentTQuantile } from '../../core/incompleteBeta.js';
import { encode } from '../../data/encode.js';
import type { Groups } from '../../data/sideData.js';
import { blockInfluences, type Influential } from '../../intervals/influenceVariance.js';
import { allUnits } from '../../intervals/interval.js';
import { unitBlocks } from '../../intervals/unitBlocks.js';
import { unitVariance } from '../../intervals/unitVariance.js';
import type { Metric } from '../../metrics/metric.js';
import type { CVResults } from '../../runner/cvResults.js';
import { orientedScore } from '../results.js';
import { studentTCdf } from '../studentT.js';
import { chanceOf, distanceToBest } from './chance.js';
import { meanOf } from './meanOf.js';

/** How far the scores on moved labels lie above chance. */
export interface Recognition {
  /** Runs that have a value. */
  readonly used: number;
  readonly permutedMean: number;
  readonly chance: number;
  /** One-sided, of the mean being better than chance. */
  readonly pValue: number;
  /** What would be found with 95 % probability at the 1 % level, as a part of the way from chance to perfect. */
  readonly detectable: number;
}

/**
 * Looks at runs on moved labels, one after the other, and tells at the end what they have in common. Patients whose rows all
 * have weight 0 do not count.
 */
export function identitySignal(metric: Influential, { codes, count }: Groups, weight?: ArrayLike<number> | null) {
  const counting = new Set(codes.filter((_, row) => !weight || weight[row] > 0));
  const chances: number[] = [];
  const scores: number[] = [];
  const sums = new Float64Array(count);
  return {
    look(results: CVResults) {
      const folds = results.folds.flatMap((result) => {
        const { repeat, test } = result.fold;
        const facts = { repeat, units: test.map((row) => codes[row]), nTrain: 0, score: { value: 0 } };
        return result.status === 'completed' ? [{ ...facts, table: result.table }] : [];
      });
      const chance = chanceOf(metric, results);
      const unitOf = encode<number>(allUnits(folds)).classes;
      const found = unitBlocks({ metric, folds }).map((blocks) => blockInfluences(metric, blocks));
      const valued = found.filter((each) => each !== undefined);
      if (chance === null || valued.length === 0) return;
      chances.push(chance);
      scores.push(meanOf(valued.map(({ estimate }) => estimate)).mean);
      for (const { influence, units } of valued) {
        influence.forEach((each, at) => {
          sums[unitOf[units[at]]] += each / valued.length;
        });
      }
    },
    result: () =>
      tested(
        metric,
        scores,
        chances,
        sums.filter((_, unit) => counting.has(unit)),
      ),
  };
}

function tested(metric: Metric, scores: number[], chances: number[], sums: Float64Array): Recognition {
  const used = scores.length;
  const [permutedMean, chance] = [meanOf(scores).mean, meanOf(chances).mean];
  const gaps = scores.map((score, at) => orientedScore(metric, score) - orientedScore(metric, chances[at]));
  const { mean, se } = meanOf(gaps);
  const perUnit = sums.map((sum) => sum / used);
  const { variance, nUnits } = unitVariance(
    perUnit,
    perUnit.map((_, unit) => unit),
  );
  const df = nUnits - 1;
  // Without any spread (every person is always recognised) the smallest error keeps the quotient finite.
  const error = Math.max(Math.sqrt(variance + se ** 2), 1e-9);
  const seen = (studentTQuantile(0.99, df) + studentTQuantile(0.95, df)) * error;
  return {
    used,
    permutedMean,
    chance,
    // Smaller than this is rounding: a p-value is never 0.
    pValue: Math.max(1 - studentTCdf(mean / error, df), Number.EPSILON),
    detectable: seen / distanceToBest(metric, chance),
  };
}
