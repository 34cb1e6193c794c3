import { InvalidOptionError, sentence } from '../core/errors.js';
import { MOST_DRAWS } from '../core/numbers.js';
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
import { freshSeed } from '../core/random.js';
import type { Label } from '../data/labels.js';
import { metricsFor } from '../metrics/registry.js';
import { checkResults, DEFAULT_METRIC, factsOf, type ScoredResults, scoredFolds } from './results.js';
import { cellsOf, levelsOf } from './subgroups/cells.js';
import { type Table, visibleRows } from './subgroups/layout.js';
import { EQUAL_FOLDS, type Job, type SubgroupRow } from './subgroups/rows.js';
import { type SubgroupTable, subgroupText } from './subgroups/text.js';

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
      "What is estimated; by default ['roc_auc'] for a binary task, ['rmse'] for regression, else ['accuracy'].",
    ),
  minCell: integer({ min: 1 })
    .default(10)
    .describe('Cells with fewer patients (rows without groups), or patients with or without the event, are hidden.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  nBootstrap: integer({ min: 100, max: MOST_DRAWS })
    .default(1000)
    .describe('Resamples for metrics without an influence function.'),
  randomState: seed().default(42).describe('Seed of the resamples.'),
});

export type SubgroupTableOptions = InputOf<typeof subgroupTableOptions>;

/**
 * Performance by subgroup, from the out-of-fold predictions: counts, each metric with a patient-level interval, and the
 * difference to all other rows with an interval that allows for patients who are on both sides. Metrics are estimated
 * within folds as for all rows.
 *
 * Small cells are hidden: counts below `minCell` patients, event counts with fewer patients with or without the event
 * (and the metrics that rest on the classes), and as many further cells as it takes that none can be computed from the
 * totals. There are no p-values: intervals show what the data can tell, and the notes say how many were looked at.
 *
 * @throws {InvalidDataError} labels of another length than the data, or missing ones: name a level for what is unknown.
 * @throws {InvalidOptionError} an intersection of a variable that `by` lacks; a metric of another task.
 * @example
 * const table = subgroupTable(results, { by: { sex, ageBand }, intersections: [['sex', 'ageBand']], metrics: ['roc_auc'] });
 * console.log(table.summary());
 */
export function subgroupTable(results: ScoredResults, input: SubgroupTableOptions): SubgroupTable {
  checkResults('The first argument of subgroupTable', results);
  const {
    by,
    intersections,
    metrics: names,
    minCell,
    level,
    nBootstrap,
    randomState,
  } = subgroupTableOptions.resolve(input);
  const { task } = factsOf(results);
  const metrics = metricsFor(names ?? [DEFAULT_METRIC[task]], task);
  const levels = levelsOf(by, results.plan.n);
  const odd = intersections.flat().find((name) => !levels.has(name));
  if (odd !== undefined) {
    const known = `name variables of \`by\`: ${[...levels.keys()].join(', ')}`;
    throw new InvalidOptionError(sentence('The `intersections` option of subgroupTable', known, odd));
  }
  const { folds, unit } = scoredFolds(results);
  const job: Job = {
    metrics,
    unit,
    minCell,
    level,
    nBootstrap,
    seed: randomState ?? freshSeed(),
    design: results.plan.claims,
    binary: task === 'binary',
  };
  const tables = [...[...levels.keys()].map((name) => [name]), ...intersections]
    .sort((a, b) => a.length - b.length)
    .map((variables): Table => ({ variables, cells: cellsOf(folds, variables, levels) }));
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
  };
  return { ...table, summary: () => subgroupText(table) };
}

function notesOn({ metrics, level, minCell, unit }: Job, rows: readonly SubgroupRow[]): string[] {
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
      ? [`Cells below ${minCell} ${unit}s are hidden, and so are others from which they could be computed.`]
      : []),
    ...(metrics.some(({ combine }) => combine === 'mean')
      ? ['Ranks are compared within folds; a fold in which a subgroup has one class alone is left out.']
      : []),
    ...unequal.slice(0, 1),
  ];
}
