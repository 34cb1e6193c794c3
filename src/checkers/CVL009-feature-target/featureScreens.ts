/** Looks at every feature against every class (or the numbers) of y: what gives y away, and what is strongest. */
import { falseDiscovery } from '../../core/falseDiscovery.js';
import type { Labels } from '../../data/labels.js';
import type { SideData } from '../../data/sideData.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { AREA, type Association, areaExceeds, correlationExceeds, pearson, targetAssociation } from './association.js';
import { type Copy, classCopy } from './classCopies.js';
import { curveCopy, LEAST } from './curveCopies.js';
import { beyondNoise } from './nullModel.js';
import { type Independent, independentOf, type Target, targetsOf } from './targets.js';

/** Chance of any finding about a feature that is just below a bound, over all looks. */
const ALPHA = 0.01;

/** A copy is proof where it is known in at least half of the rows: what is missing in most rows gives few of them away. */
const KNOWN = 0.5;

/** A feature that gives y away, or a class of it. */
export interface ScreenedFeature {
  readonly name: string;
  readonly kind: Copy['kind'] | 'missingness' | 'auc' | 'correlation';
  readonly score: number;
  readonly target: string;
  /** y follows from the feature where it has a value. */
  readonly copy?: Copy;
  /** Share of the rows in which it has one. */
  readonly known: number;
  /** A copy in at least {@link KNOWN} of the rows: a fault without a further look. */
  readonly proof: boolean;
}

/** A feature with what it goes with best. */
export interface Strength {
  readonly feature: string;
  readonly class?: string;
  readonly auc?: number;
  readonly r?: number;
  /** Adjusted for all looks by Benjamini and Hochberg: describes, decides nothing. */
  readonly pAdjusted: number | null;
}

export interface FeatureScreens {
  readonly features: number;
  /** Pairs of a feature and a class (label, y) that were looked at. */
  readonly tests: number;
  readonly unit: Independent['unit'];
  readonly units: number;
  /** Share of the rarest class; undefined for a regression. */
  readonly share: number | undefined;
  /** A feature of two values could be told from luck. */
  readonly detectable: boolean;
  /** One per feature: copies first, then by score. */
  readonly found: readonly ScreenedFeature[];
  /** By strength. */
  readonly strongest: readonly Strength[];
}

/** @param decides the threshold is the caller's own: a correlation above it is a fault without a further look */
export function screenFeatures(
  columns: readonly Column[],
  y: Labels,
  data: SideData,
  { threshold, decides }: { readonly threshold: number; readonly decides: boolean },
): FeatureScreens {
  const independent = independentOf(data, y.length);
  const targets = targetsOf(y);
  const candidates = columns
    .flatMap((column): Candidate[] => [{ name: column.name, column, kind: undefined }, ...missingnessOf(column)])
    .filter(({ column }) => columnRanks(column).distinct > 1);
  const tests = candidates.length * targets.count;
  const looks = candidates.map((): ScreenedFeature[] => []);
  const associations = candidates.map((): Strong[] => []);
  for (const target of targets) {
    for (const [at, { name, column, kind }] of candidates.entries()) {
      const association = targetAssociation(column, target, independent);
      const ordered = column.kind === 'number';
      if (ordered && kind === undefined) associations[at].push({ ...association, name, target: target.name });
      const copy = target.classes
        ? classCopy(column, target, independent, tests)
        : curveCopy(column, target, independent);
      const seen = copy
        ? { kind: kind ?? directionOf(copy, association, column), score: 1 - copy.errors / copy.rows, copy }
        : decides && ordered && kind === undefined && pearson(column, target) > threshold
          ? { kind: 'correlation' as const, score: pearson(column, target), proof: true }
          : ordered
            ? almost({ name, column, kind, target }, association, independent, threshold, tests)
            : undefined;
      if (!seen) continue;
      const known = columnRanks(column).order.length / y.length;
      looks[at].push({ name, target: target.name, known, proof: copy !== undefined && known >= KNOWN, ...seen });
    }
  }
  // Feature by feature, so that the first of equals is that of the first feature.
  const found = new Map<string, ScreenedFeature>();
  for (const look of looks.flat()) {
    const best = found.get(look.name);
    if (!best || strengthOf(look) > strengthOf(best)) found.set(look.name, look);
  }
  const { shares } = targets;
  const share = shares.length > 0 ? shares.reduce((least, each) => Math.min(least, each)) : undefined;
  return {
    features: columns.length,
    tests,
    unit: independent.unit,
    units: independent.count,
    share,
    detectable:
      share === undefined
        ? independent.count >= LEAST.curve
        : shares.some((each) => beyondNoise(independent.count, each, 0, tests)),
    found: [...found.values()].sort((a, b) => strengthOf(b) - strengthOf(a)),
    strongest: strongestOf(associations.flat()),
  };
}

/** How strongly a feature goes with a class (or y). */
interface Strong extends Association {
  readonly name: string;
  readonly target: string;
}

interface Candidate {
  readonly name: string;
  readonly column: Column;
  readonly kind: 'missingness' | undefined;
}

/** Whether a cell is missing, as a feature of its own. */
function missingnessOf({ name, values }: Column): Candidate[] {
  if (!values.some(Number.isNaN)) return [];
  const missing = values.map((value) => Number(Number.isNaN(value)));
  return [{ name, column: { name, kind: 'number', values: missing }, kind: 'missingness' }];
}

/** Some noise lets y turn often on the way: what counts is whether it rises or falls on the whole. */
const directionOf = ({ kind }: Copy, { auc, r }: Association, column: Column): Copy['kind'] =>
  column.kind === 'number' && (auc ?? r ?? 0) > AREA ? 'monotone' : kind;

/** A feature that is too good, though y does not follow from it. */
function almost(
  { column, kind, target }: Candidate & { readonly target: Target },
  { auc, r }: Association,
  independent: Independent,
  threshold: number,
  tests: number,
): Pick<ScreenedFeature, 'kind' | 'score'> | undefined {
  const alpha = ALPHA / tests;
  const units = (columnRanks(column).order.length * independent.count) / independent.codes.length;
  if (target.classes && !beyondNoise(units, target.share, 0, tests)) return undefined;
  if (auc !== null && auc > AREA && areaExceeds(column, target, independent, alpha)) {
    return { kind: kind ?? 'auc', score: auc };
  }
  if (r !== null && r > threshold && correlationExceeds(r, threshold, units, alpha)) {
    return { kind: kind ?? 'correlation', score: r };
  }
  return undefined;
}

const strengthOf = ({ copy, proof, score }: ScreenedFeature) => Number(copy !== undefined) + Number(proof) + score;

function strongestOf(strengths: readonly Strong[]): Strength[] {
  const adjusted = falseDiscovery(strengths.map(({ p }) => p));
  const best = new Map<string, Strength & { readonly size: number }>();
  strengths.forEach(({ name, target, auc, r }, at) => {
    const size = auc ?? r;
    if (size === null || (best.get(name)?.size ?? 0) >= size) return;
    best.set(name, {
      feature: name,
      ...(target ? { class: target } : {}),
      ...(auc === null ? { r: size } : { auc }),
      pAdjusted: adjusted[at],
      size,
    });
  });
  return [...best.values()].sort((a, b) => b.size - a.size).map(({ size, ...strength }) => strength);
}
