import { InvalidOptionError, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { formatNumber } from '../core/format.js';
import { groupBy } from '../core/groupBy.js';
import { hasReason } from '../core/hasReason.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import {
  custom,
  type InputOf,
  integer,
  isList,
  isPlainObject,
  listOf,
  number,
  optionTable,
  seed,
} from '../core/options.js';
import { deriveSeed, freshSeed, randomSource } from '../core/random.js';
import { resultFingerprint } from '../core/resultFingerprint.js';
import { textTable, wrapText } from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import { foldsThatCount, type Interval, intervalFacts, joinNotes } from '../intervals/interval.js';
import { intervalMethods } from '../intervals/registry.js';
import type { Metric } from '../metrics/metric.js';
import { metricsFor } from '../metrics/metricsFor.js';
import { differenceLimits, pairedDifference } from './pairedDifference.js';
import {
  checkResults,
  DEFAULT_METRIC,
  metadataIn,
  metricIn,
  resamplesOption,
  type ScoredFold,
  type ScoredResults,
  scoredFolds,
  valuedFolds,
} from './results.js';
import {
  type Cell,
  type CellCounts,
  contributingUnits,
  countsOf,
  subgroupCells,
  variableLevels,
} from './subgroups/cells.js';

const isNames = (value: unknown) =>
  Array.isArray(value) && value.length > 1 && value.every((name) => typeof name === 'string');

export const subgroupTableOptions = optionTable('subgroupTable', {
  by: custom<Readonly<Record<string, ArrayLike<Label>>>>(
    'record of variable -> label[]',
    'be a record of variable name to one label per row of the data',
    (v) => isPlainObject(v) && Object.values(v).every(isList),
  ).describe('Variables that make subgroups, for example { sex, ageBand }; one label per row of the data.'),
  intersections: listOf<readonly string[]>('string[]', 'be a list of lists of two variables or more', isNames)
    .default([])
    .describe("Variables that are crossed, for example [['sex', 'ageBand']]."),
  metrics: listOf<string>('string', 'be a list of metric names', (v) => typeof v === 'string')
    .optional()
    .describe(
      "What is estimated; by default ['roc_auc'] for a binary task, ['rmse'] for regression, ['concordance'] for survival, else ['accuracy'].",
    ),
  minCell: integer({ min: 1 })
    .default(10)
    .describe('Cells with fewer patients (rows without groups), or patients with or without the event, are hidden.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  nBootstrap: resamplesOption('Resamples for metrics without an influence function.'),
  randomState: seed().default(42).describe('Seed of the resamples.'),
});

export type SubgroupTableOptions = InputOf<typeof subgroupTableOptions>;

/**
 * Performance by subgroup, from the out-of-fold predictions: counts, each metric with a patient-level interval, and the
 * difference to all other rows with an interval that allows for patients who are on both sides. Metrics are estimated
 * within folds as for all rows, and over all rows of a fixed model.
 *
 * Small cells are hidden: counts below `minCell` patients, event counts with fewer patients with or without the event
 * (and all metrics, of which a Brier score tells as much), and as many further cells as it takes that none can be computed from the
 * totals. There are no p-values: intervals show what the data can tell, and the notes say how many were looked at.
 *
 * @throws {InvalidDataError} labels of another length than the data, or missing ones: name a level for what is unknown.
 * @throws {InvalidOptionError} an intersection of a variable that `by` lacks; a metric of another task.
 * @example
 * const size = X.map(([radius]) => (radius > 14 ? 'large' : 'small'));
 * const table = subgroupTable(results, { by: { size }, metrics: ['roc_auc'] });
 * console.log(table.summary());
 */
export function subgroupTable(results: ScoredResults, input: SubgroupTableOptions): SubgroupTable {
  checkResults('The first argument of subgroupTable', results);
  const { by, intersections, metrics: names, randomState, ...settings } = subgroupTableOptions.resolve(input);
  const { task } = metadataIn(results);
  const metrics = metricsFor(names ?? [DEFAULT_METRIC[task]], task).map((metric) => metricIn(results, metric));
  const levels = variableLevels(by, results.plan.n);
  const invalid = intersections.flat().find((name) => !levels.has(name));
  if (invalid !== undefined) {
    const known = `name variables of \`by\`: ${[...levels.keys()].join(', ')}`;
    throw new InvalidOptionError(sentence('The `intersections` option of subgroupTable', known, invalid));
  }
  const { folds, unit } = scoredFolds(results);
  const { minCell } = settings;
  const facts = { design: results.plan.claims, binary: task === 'binary' };
  const job: Job = { ...settings, metrics, unit, ...facts, seed: randomState ?? freshSeed() };
  const tables = [...[...levels.keys()].map((name) => [name]), ...intersections]
    .sort((a, b) => a.length - b.length)
    .map((variables): Table => ({ variables, cells: subgroupCells(folds, variables, levels) }));
  const overall: Table = { variables: [], cells: [{ by: {}, inside: folds, outside: [] }] };
  const rows = visibleRows(job, [overall, ...tables]);
  const notes = notesOn(job, rows.slice(1));
  const table = {
    overall: rows[0],
    rows: rows.slice(1),
    metrics: metrics.map(({ name }) => name),
    unit,
    minCell,
    notes,
    fingerprint: resultFingerprint(metadataIn(results)),
  };
  return { ...table, summary: () => subgroupText(table) };
}

function notesOn({ metrics, level, minCell, unit, binary }: Job, rows: readonly SubgroupRow[]): string[] {
  const shown = rows
    .flatMap(({ differences }) => Object.values(differences ?? {}))
    .filter(({ lower }) => lower !== null);
  const intervals = rows.flatMap((row) => Object.values(row.metrics));
  const unequal = intervals.flatMap(({ note = '' }) =>
    note.split(/(?<=\.) /).filter((each) => each.startsWith(EQUAL_FOLDS)),
  );
  const byChance = ((1 - level) * shown.length).toFixed(1);
  return [
    ...(shown.length > 1
      ? [
          `${shown.length} differences are shown. Without any true difference about ${byChance} of their intervals would exclude 0: one that does is no finding by itself.`,
        ]
      : []),
    ...(rows.some(({ suppressed }) => suppressed)
      ? [
          `What rests on fewer than ${minCell} ${unit}s (\`minCell\`)${binary ? ', of all or of those with or without the event,' : ''} is hidden (—), and so is what would give it away.`,
        ]
      : []),
    ...(metrics.some(({ combine }) => combine === 'mean')
      ? ['Ranks are compared within folds; a fold in which a subgroup has one class alone is left out.']
      : []),
    ...unequal.slice(0, 1),
  ];
}

interface Table {
  readonly variables: readonly string[];
  readonly cells: readonly Cell[];
}

interface Hidden {
  readonly cells: ReadonlySet<number>;
  readonly events: ReadonlySet<number>;
}

/** Tables of fewer variables come first: what is hidden there is hidden in their intersections. */
function visibleRows(job: Job, tables: readonly Table[]): SubgroupRow[] {
  const hiddenIn = new Map<Table, Hidden>();
  return tables.flatMap((table, at) => {
    const margins = tables
      .slice(0, at)
      .filter(({ variables }) => variables.every((name) => table.variables.includes(name)));
    const lines = margins.flatMap((margin) => [...linesOf(table, margin.variables)]);
    const counts = table.cells.map(({ inside }) => countsOf(inside));
    const inherited = (which: keyof Hidden) =>
      new Set(
        table.cells.flatMap((cell, place) =>
          margins.some((margin) => hiddenIn.get(margin)?.[which].has(placeIn(margin, cell))) ? [place] : [],
        ),
      );
    const hide = (of: readonly (readonly number[])[], hidden: ReadonlySet<number>) =>
      hiddenCells(of, lines, job.minCell, hidden);
    const cells = hide(
      counts.map(({ units }) => [units]),
      inherited('cells'),
    );
    const events = job.binary
      ? hide(
          counts.map((each) => [each.eventUnits, each.otherUnits]),
          new Set([...cells, ...inherited('events')]),
        )
      : cells;
    hiddenIn.set(table, { cells, events });
    const ofMetric = job.metrics.map((metric) =>
      hide(
        table.cells.map(({ inside }) => [contributingUnits(metric, inside)]),
        events,
      ),
    );
    return table.cells.map((cell, place) =>
      rowOf(job, cell, counts[place], {
        counts: cells.has(place),
        events: events.has(place),
        metrics: new Set(job.metrics.filter((_, metric) => ofMetric[metric].has(place))),
      }),
    );
  });
}

const linesOf = ({ cells }: Table, variables: readonly string[]): Iterable<number[]> =>
  groupBy(cells.keys(), (place) => JSON.stringify(variables.map((name) => cells[place].by[name]))).values();

const placeIn = ({ variables, cells }: Table, cell: Cell) =>
  cells.findIndex(({ by }) => variables.every((name) => by[name] === cell.by[name]));

/**
 * Hides the cells with a count below `minCell`, then, in every line with something hidden, the smallest of the others
 * until two or more are hidden and their counts together reach `minCell`: the total less what is shown then reveals no
 * small count. Guards against subtraction within a table and its margins, not against what other publications say of
 * the same patients.
 *
 * Source: Hundepool et al. 2012, Statistical Disclosure Control, chapter 4 (primary and secondary suppression).
 *
 * @param counts by cell, which is small when one of its counts is
 * @param lines cells that add up to a published total, as places in `counts`
 * @param preset cells that are hidden for another reason
 */
export function hiddenCells(
  counts: readonly (readonly number[])[],
  lines: readonly (readonly number[])[],
  minCell: number,
  preset: ReadonlySet<number> = new Set(),
): Set<number> {
  const isSmall = (values: readonly number[]) => values.some((count) => count < minCell);
  const hidden = new Set(preset);
  counts.forEach((values, cell) => {
    if (isSmall(values)) hidden.add(cell);
  });
  const guarded = (line: readonly number[]): boolean => {
    const covered = line.filter((cell) => hidden.has(cell));
    if (covered.length === 0) return true;
    const sums = counts[covered[0]].map((_, at) => covered.reduce((sum, cell) => sum + counts[cell][at], 0));
    return covered.length > 1 && !isSmall(sums);
  };
  for (let open = true; open; ) {
    open = false;
    for (const line of lines) {
      const shown = line.filter((cell) => !hidden.has(cell));
      if (shown.length === 0 || guarded(line)) continue;
      hidden.add(
        shown.reduce((least, cell) => (Math.min(...counts[cell]) < Math.min(...counts[least]) ? cell : least)),
      );
      open = true;
    }
  }
  return hidden;
}

/** Scores by subgroup, with their differences. */
export interface SubgroupTable {
  readonly overall: SubgroupRow;
  readonly rows: readonly SubgroupRow[];
  readonly metrics: readonly string[];
  readonly unit: string;
  readonly minCell: number;
  readonly notes: readonly string[];
  /** Of the result that it was computed from: the report of another one refuses it. */
  readonly fingerprint: string;
  summary(): string;
}

function subgroupText({ overall, rows, metrics, unit, notes }: Omit<SubgroupTable, 'summary'>): string {
  const ofUnits = <T>(value: T): T[] => (unit === 'row' ? [] : [value]);
  const heads = metrics.flatMap((name) => [name, 'less the rest']);
  const header = ['subgroup', ...ofUnits(`${unit}s`), 'rows', 'events', ...heads];
  const line = (row: SubgroupRow) => [
    nameOf(row),
    ...ofUnits(count(row.nUnits)),
    count(row.n),
    count(row.events),
    ...metrics.flatMap((name) => [written(row.metrics[name]), row.differences ? written(row.differences[name]) : '']),
  ];
  const reasons = rows
    .flatMap(({ metrics: values }) => Object.values(values))
    .flatMap(({ estimate, lower, reason }) => (estimate !== null && lower === null && reason ? [reason] : []));
  return [
    textTable([header, ...[overall, ...rows].map(line)], { numbers: true }),
    '',
    ...[...new Set(reasons)].map((reason) => wrapText(`No interval: ${reason}.`)),
    ...notes.map((note) => wrapText(note)),
  ].join('\n');
}

const nameOf = ({ by }: SubgroupRow) =>
  Object.entries(by)
    .map(([name, level]) => `${nameText(name)} ${nameText(String(level))}`)
    .join(', ') || 'all';

const count = (value: number | null) => (value === null ? '—' : String(value));

const written = ({ estimate, lower, upper }: Interval) =>
  lower === null
    ? formatNumber(estimate)
    : `${formatNumber(estimate)} [${formatNumber(lower)}, ${formatNumber(upper)}]`;

/** One subgroup. Null counts and estimates are hidden ones, or have a `reason` of their own. */
export interface SubgroupRow {
  /** Variable to level; empty for all rows. */
  readonly by: Readonly<Record<string, Label>>;
  /** Number of rows. */
  readonly n: number | null;
  /** Number of patients; of rows when there are no groups. */
  readonly nUnits: number | null;
  /** Number of positive rows, for a binary task. */
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

function rowOf(job: Job, cell: Cell, counts: CellCounts, hidden: SuppressedCells): SubgroupRow {
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
  const least = binary ? Math.min(eventUnits, otherUnits, contributingUnits(metric, folds)) : units;
  return least < minCell;
}

/** The same for all metrics, so that those which mirror each other vary alike. */
const randomFor = ({ seed }: Job, { by }: Cell) => randomSource(deriveSeed(seed, 'subgroup', JSON.stringify(by)));

function estimateOf(job: Job, metric: Metric, cell: Cell): Interval {
  const { level, unit, nBootstrap, design } = job;
  const input = { metric, folds: valuedFolds(metric, cell.inside), level, unit, nBootstrap, design };
  // A table of subgroups shows no p-value.
  const { heterogeneity: _, ...interval } = intervalMethods.bootstrap({ ...input, random: randomFor(job, cell) });
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

const EQUAL_FOLDS = 'Every fold counts alike:';

const UNEQUAL = 4;

function differenceOf(job: Job, metric: Metric, cell: Cell): Interval {
  const { level, unit, nBootstrap } = job;
  const found = pairedDifference({ metric, nBootstrap, random: randomFor(job, cell) }, cell.inside, cell.outside);
  const folds = [cell.inside, cell.outside].flatMap((side) => foldsThatCount(metric, side));
  const facts = { ...intervalFacts({ folds, level, unit }), method: 'paired', estimand: 'predictions' } as const;
  if (hasReason(found)) return { ...facts, estimate: found.estimate, lower: null, upper: null, reason: found.reason };
  const { estimate, variance, df, notes } = found;
  const half = studentTQuantile((1 + level) / 2, df) * Math.sqrt(variance);
  if (half === 0) return { ...facts, estimate, lower: null, upper: null, reason: `the ${unit}s have no spread` };
  return { ...facts, estimate, ...differenceLimits(metric, estimate, half), ...joinNotes(...notes) };
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
