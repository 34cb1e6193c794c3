import { hasReason } from '../../core/hasReason.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { deriveSeed, randomSource } from '../../core/random.js';
import type { Label } from '../../data/labels.js';
import { foldsThatCount, type Interval, intervalFacts, joinNotes } from '../../intervals/interval.js';
import { intervalMethods } from '../../intervals/registry.js';
import type { Metric } from '../../metrics/metric.js';
import { differenceLimits, pairedDifference } from '../pairedDifference.js';
import { type ScoredFold, type ScoredResults, valuedFolds } from '../results.js';
import { type Cell, type CellCounts, contributingUnits, countsOf } from './cells.js';

/** One subgroup. Null counts and estimates are hidden ones, or have a `reason` of their own. */
export interface SubgroupRow {
  readonly by: Readonly<Record<string, Label>>;
  readonly n: number | null;
  /** Number of patients; of rows when there are no groups. */
  readonly nUnits: number | null;
  readonly events: number | null;
  /** Something in the row is hidden, because it is small or would give away what is. */
  readonly suppressed: boolean;
  readonly metrics: Readonly<Record<string, Interval>>;
  /** Estimate of the subgroup less that of all other rows. Null for all rows. */
  readonly differences: Readonly<Record<string, Interval>> | null;
}

export interface Job {
  readonly metrics: readonly Metric[];
  readonly unit: string;
  readonly minCell: number;
  readonly level: number;
  readonly nBootstrap: number;
  readonly seed: number | string;
  readonly design: ScoredResults['plan']['claims'];
  readonly binary: boolean;
}

interface SuppressedCells {
  readonly counts: boolean;
  readonly events: boolean;
  readonly metrics: ReadonlySet<Metric>;
}

export function rowOf(job: Job, cell: Cell, counts: CellCounts, hidden: SuppressedCells): SubgroupRow {
  const record = (value: (metric: Metric) => Interval) =>
    Object.fromEntries(job.metrics.map((metric) => [metric.name, value(metric)]));
  return {
    by: cell.by,
    n: hidden.counts ? null : counts.rows,
    nUnits: hidden.counts ? null : counts.units,
    events: hidden.events || !job.binary ? null : counts.events,
    suppressed: hidden.counts || hidden.events || hidden.metrics.size > 0,
    metrics: record((metric) =>
      hidden.metrics.has(metric) ? withheld(job, cell.inside, 'bootstrap') : estimateOf(job, metric, cell),
    ),
    differences:
      Object.keys(cell.by).length === 0
        ? null
        : record((metric) =>
            hidden.metrics.has(metric) || isSmall(job, metric, cell.outside)
              ? withheld(job, cell.inside, 'paired')
              : differenceOf(job, metric, cell),
          ),
  };
}

function isSmall({ binary, minCell }: Job, metric: Metric, folds: readonly ScoredFold[]): boolean {
  const { units, eventUnits, otherUnits } = countsOf(folds);
  const least = binary && metric.stratum ? Math.min(eventUnits, otherUnits, contributingUnits(metric, folds)) : units;
  return least < minCell;
}

/** The same for all metrics, so that those which mirror each other vary alike. */
const randomFor = ({ seed }: Job, { by }: Cell) => randomSource(deriveSeed(seed, 'subgroup', JSON.stringify(by)));

function estimateOf(job: Job, metric: Metric, cell: Cell): Interval {
  const { level, unit, nBootstrap, design } = job;
  const folds = valuedFolds(metric, cell.inside);
  // A table of subgroups shows no p-value.
  const { heterogeneity: _, ...interval } = intervalMethods.bootstrap({
    metric,
    folds,
    level,
    unit,
    nBootstrap,
    random: randomFor(job, cell),
    design,
  });
  return { ...interval, ...joinNotes(interval.note, unequalFolds(metric, foldsThatCount(metric, cell.inside))) };
}

function unequalFolds({ combine }: Metric, folds: readonly ScoredFold[]): string | undefined {
  const sizes = folds.map((fold) => {
    const { rows, events } = countsOf([fold]);
    return { pairs: events * (rows - events), text: `${events} x ${rows - events}` };
  });
  const [least, ...others] = sizes.sort((a, b) => a.pairs - b.pairs);
  const most = others.at(-1);
  if (combine !== 'mean' || folds[0].table.task !== 'binary' || !most || most.pairs < UNEQUAL * least.pairs)
    return undefined;
  return `${EQUAL_FOLDS} one of ${least.text} rows (positive x negative) weighs as much as one of ${most.text}.`;
}

export const EQUAL_FOLDS = 'Every fold counts alike:';

const UNEQUAL = 4;

function differenceOf(job: Job, metric: Metric, cell: Cell): Interval {
  const { level, unit, nBootstrap } = job;
  const found = pairedDifference({ metric, nBootstrap, random: randomFor(job, cell) }, cell.inside, cell.outside);
  const facts = {
    ...intervalFacts({
      folds: [cell.inside, cell.outside].flatMap((side) => foldsThatCount(metric, side)),
      level,
      unit,
    }),
    method: 'paired',
    estimand: 'predictions',
  } as const;
  if (hasReason(found)) return { ...facts, estimate: found.estimate, lower: null, upper: null, reason: found.reason };
  const { estimate, variance, df, notes } = found;
  const half = studentTQuantile((1 + level) / 2, df) * Math.sqrt(variance);
  if (half === 0) return { ...facts, estimate, lower: null, upper: null, reason: `the ${unit}s have no spread` };
  return {
    ...facts,
    estimate,
    ...differenceLimits(metric, estimate, half),
    ...joinNotes(...notes),
  };
}

function withheld({ level, unit, minCell }: Job, folds: readonly ScoredFold[], method: string): Interval {
  return {
    ...intervalFacts({ folds, level, unit }),
    nUnits: 0,
    nTrain: null,
    estimate: null,
    lower: null,
    upper: null,
    method,
    estimand: 'predictions',
    reason: `hidden: it rests on fewer than ${minCell} ${unit}s, or would give away what does`,
  };
}
