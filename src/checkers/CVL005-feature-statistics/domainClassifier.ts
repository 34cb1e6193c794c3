import { hasReason } from '../../core/hasReason.js';
import { studentTQuantile, wilson } from '../../core/incompleteBeta.js';
import { logistic } from '../../core/numbers.js';
import { permutation, type RandomSource } from '../../core/random.js';
import { unitVariance } from '../../intervals/unitVariance.js';
import { rocPlacements } from '../../metrics/rocPlacements.js';
import { cholesky, solveWith } from '../features/cholesky.js';
import { dot, gram } from '../features/orthonormalBasis.js';
import type { TestShares } from '../shift/foldUnits.js';
import { columnAt, type UnitTable } from '../shift/unitTable.js';

/** How well all features together tell test rows from the others, in the fold where they do so best. */
export interface DomainClassifier {
  /** Area under the ROC curve of units that the classifier was not fitted to; null with the reason. */
  readonly auc: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly level: number;
  readonly fold?: string;
  readonly reason?: string;
}

const LEVEL = 0.99;
/** Beyond this the classifier would take longer than all other checks. */
const LIMITS = { width: 200, work: 1e8 };

/**
 * A linear discriminant between the test units of a fold and the others: either half of the units is scored by what was
 * fitted to the other half, and the two areas are averaged. Both come from the one product of the differences in either
 * half, so the interval is as wide as that of one half, by DeLong over the units, and adjusted for the choice among the
 * folds. The covariance is that of all units, shrunk by variables / units towards independence.
 *
 * Source: Lopez-Paz & Oquab 2017, arXiv:1610.06545 (two-sample test by a classifier); DeLong et al. 1988, Biometrics
 * 44:837.
 */
export function domainClassifier(
  table: UnitTable,
  folds: readonly TestShares[],
  random: RandomSource,
): DomainClassifier {
  const { count, variables } = table;
  const none = (reason: string) => ({ auc: null, lower: null, upper: null, level: LEVEL, reason });
  if (folds.length === 0 || variables.length === 0) return none('there is nothing to tell apart');
  if (variables.length > LIMITS.width || count * variables.length ** 2 > LIMITS.work) {
    return none(`${variables.length} features of ${count} units are more than it is made for`);
  }
  const half = new Uint8Array(count);
  for (const unit of permutation(random, count).subarray(0, count >> 1)) half[unit] = 1;
  const factor = cholesky(shrunkenCovariance(table), variables.length);
  const [best] = folds.map((fold) => fitted(table, fold, half, factor)).sort((a, b) => b.separation - a.separation);
  const areas = [0, 1].map((side) => areaOf(table, best, half, side));
  if (areas.some((area) => area === null)) return none('one half of the units has test rows or others alone');
  return { ...averaged(areas as Area[], folds.length), level: LEVEL, fold: best.fold.id };
}

function shrunkenCovariance({ count, variables, data }: UnitTable): Float64Array {
  const width = variables.length;
  const a = gram(variables.map((_, place) => columnAt(data, place, width)));
  for (let at = 0; at < a.length; at++) a[at] /= count - 1;
  for (let v = 0; v < width; v++) a[v * width + v] += width / count + 1e-6;
  return a;
}

interface Fitted {
  readonly fold: TestShares;
  readonly shares: Float64Array;
  readonly directions: readonly Float64Array[];
  /** How far apart the discriminant of one half puts the means of the other; the same both ways. */
  readonly separation: number;
}

function fitted(table: UnitTable, fold: TestShares, half: Uint8Array, factor: Float64Array): Fitted {
  const shares = new Float64Array(table.count);
  fold.units.forEach((unit, at) => {
    shares[unit] = fold.shares[at];
  });
  const differences = [0, 1].map((side) => meanDifferences(table, shares, half, side));
  const directions = differences.map((difference) => solveWith(factor, difference.slice()));
  return { fold, shares, directions, separation: dot(directions[0], differences[1]) };
}

function meanDifferences({ count, variables, data }: UnitTable, shares: Float64Array, half: Uint8Array, side: number) {
  const width = variables.length;
  const [tested, others] = [new Float64Array(width), new Float64Array(width)];
  let [inTest, inOthers] = [0, 0];
  for (let unit = 0; unit < count; unit++) {
    if (half[unit] !== side) continue;
    const share = shares[unit];
    inTest += share;
    inOthers += 1 - share;
    for (let v = 0, at = unit * width; v < width; v++, at++) {
      tested[v] += share * data[at];
      others[v] += (1 - share) * data[at];
    }
  }
  return tested.map((sum, v) => (inTest > 0 ? sum / inTest : 0) - (inOthers > 0 ? others[v] / inOthers : 0));
}

interface Area {
  readonly auc: number;
  readonly variance: number;
  readonly df: number;
  readonly units: number;
}

/** The area in one half by the discriminant of the other; of a split unit either part counts with its share. */
function areaOf({ variables, data }: UnitTable, fold: Fitted, half: Uint8Array, side: number): Area | null {
  const { shares, directions } = fold;
  const parts: { unit: number; test: number; share: number }[] = [];
  shares.forEach((share, unit) => {
    if (half[unit] !== side) return;
    if (share > 0) parts.push({ unit, test: 1, share });
    if (share < 1) parts.push({ unit, test: 0, share: 1 - share });
  });
  const width = variables.length;
  const units = Int32Array.from(parts, ({ unit }) => unit);
  const yTrue = Int32Array.from(parts, ({ test }) => test);
  const weight = Float64Array.from(parts, ({ share }) => share);
  const direction = directions[1 - side];
  const scores = Float64Array.from(units, (unit) => dot(direction, data.subarray(unit * width, (unit + 1) * width)));
  const placed = rocPlacements({ length: units.length, positive: 1, yTrue, weight, scores });
  if (hasReason(placed)) return null;
  const { auc, positives, negatives, values } = placed;
  const influence = values.map((value, at) => (weight[at] * (value - auc)) / (yTrue[at] === 1 ? positives : negatives));
  const isSplit = weight.some((share) => share < 1);
  return { ...unitVariance(influence, units, isSplit ? undefined : yTrue), auc, units: Math.min(positives, negatives) };
}

/** Mean of two areas with one's own spread, on the logit scale, as wide as the largest of `chosenFrom` areas needs. */
function averaged(areas: readonly Area[], chosenFrom: number): Pick<DomainClassifier, 'auc' | 'lower' | 'upper'> {
  const auc = (areas[0].auc + areas[1].auc) / 2;
  const se = Math.sqrt((areas[0].variance + areas[1].variance) / 2);
  const level = 1 - (1 - LEVEL) / chosenFrom;
  if (auc <= 0 || auc >= 1 || se < 1e-12) {
    const [lower, upper] = wilson(auc, Math.min(...areas.map(({ units }) => units)), level);
    return { auc, lower, upper };
  }
  const half = (studentTQuantile((1 + level) / 2, Math.min(...areas.map(({ df }) => df))) * se) / (auc * (1 - auc));
  const back = (shift: number) => logistic(Math.log(auc / (1 - auc)) + shift);
  return { auc, lower: back(-half), upper: back(half) };
}
