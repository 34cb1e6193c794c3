/** How easily what looks like a copy of y could be luck. */
import { incompleteBeta } from '../../core/incompleteBeta.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { normalTail } from '../../intervals/normalTail.js';

/** Chance of luck below which a copy is believed. */
const CHANCE = 0.001;

/** The strongest predictor that is still taken for a real one, as its area under the ROC curve. */
const STRONGEST = 0.98;

/** Distance between two normal classes of equal spread at which the area is {@link STRONGEST}. */
const DISTANCE = Math.SQRT2 * normalQuantile(STRONGEST);

/**
 * Share of the rows that the best threshold of the strongest real predictor gets wrong: two normal classes of equal
 * spread, the threshold where both are equally likely; .073 for halves.
 *
 * @param share of the rarer class
 */
export function leastError(share: number): number {
  const threshold = DISTANCE / 2 + Math.log((1 - share) / share) / DISTANCE;
  return share * normalTail(DISTANCE - threshold) + (1 - share) * normalTail(threshold);
}

/**
 * Whether a real predictor could hardly do with so few errors. A threshold is chosen where it errs least, which saves
 * about one row each: they are added to the errors.
 */
export function beyondPredictor(
  units: number,
  share: number,
  errors: number,
  thresholds: number,
  chance = CHANCE,
): boolean {
  const most = errors + thresholds;
  return most < units && incompleteBeta(1 - leastError(share), units - most, most + 1) < chance;
}

/** Chance that such a predictor tells the classes without an error, its threshold chosen afterwards. */
export const chanceOfNone = (units: number, share: number): number =>
  incompleteBeta(1 - leastError(share), Math.max(1, units - 1), 2);

/** Fewest units among which {@link beyondPredictor} holds for one threshold without an error. */
export function unitsNeeded(share: number): number {
  let units = 2;
  while (!beyondPredictor(units, share, 0, 1)) units++;
  return units;
}

/**
 * Whether labels dealt out at random would hardly fall together with a feature of few values, up to `errors`, in any of
 * `tests` looks: there are C(units, units in the rarer class) ways to deal them (Stirling).
 */
export function beyondNoise(units: number, share: number, errors: number, tests: number): boolean {
  const spread = share * (1 - share);
  const entropy = -share * Math.log(share) - (1 - share) * Math.log(1 - share);
  const ways = units * entropy - Math.log(2 * Math.PI * units * spread) / 2;
  return errors * Math.log(units) - ways + Math.log(2 * tests) < Math.log(CHANCE);
}
