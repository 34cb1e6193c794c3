/**
 * Permutation importance: what the score of the test rows loses when one feature is exchanged between patients. The drops of
 * a fold are made where its model is; what they add up to is made of their outcomes.
 */
import { InvalidOptionError, phrase, sentence, suggestion, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { mean } from '../core/numbers.js';
import { deriveSeed, permutation, type RandomSource, randomInterval, randomSource } from '../core/random.js';
import type { Labels } from '../data/labels.js';
import { mapParts } from '../data/rowKinds.js';
import { type Column, type Rows, rowsOf } from '../data/rows.js';
import { groupsOf, type SideData } from '../data/sideData.js';
import { unfitDesign } from '../intervals/correctedT.js';
import { isFixed } from '../intervals/foldEstimate.js';
import { type Interval, intervalFacts, joinNotes } from '../intervals/interval.js';
import { type IntervalFolds, intervalFolds, sideOf } from '../intervals/intervalFolds.js';
import { intervalMethods } from '../intervals/registry.js';
import { type Metric, type Score, score } from '../metrics/metric.js';
import { isBuiltIn, metricsFor } from '../metrics/metricsFor.js';
import { metricRegistry } from '../metrics/registry.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { FoldResult } from './foldResult.js';
import type { Batch } from './frameworkAdapter.js';
import {
  type FeatureImportance,
  type FoldImportance,
  type ImportanceChoice,
  type ImportancePlan,
  importanceOptions,
  type PermutationImportance,
  type PermutedColumn,
} from './importanceOptions.js';
import type { Scorer } from './scoring.js';

const OWNER = 'The `importance` option of run';
const MOST = 200;

interface Planned {
  readonly X: Rows;
  readonly y: Labels;
  readonly groups: SideData['groups'];
  readonly scorers: readonly Scorer[];
  /** Folds run where only the metrics of cvkit are known. */
  readonly elsewhere: boolean;
}

/** Refuses what cannot be done before anything is trained. */
export function importancePlan(
  option: boolean | ImportanceChoice,
  { X, y, groups, scorers, elsewhere }: Planned,
): ImportancePlan | undefined {
  if (option === false) return undefined;
  const { features, repeats, metric } = importanceOptions.resolve(option === true ? {} : option);
  const { columns, skipped } = columnsOf(X);
  return {
    unit: groups ? 'patient' : 'row',
    repeats,
    metrics: metricsOf(metric, scorers, y, elsewhere),
    columns: chosenColumns(columns, features),
    skipped,
  };
}

function columnsOf(X: Rows): { columns: PermutedColumn[]; skipped: string[] } {
  const { parts } = X;
  const of = ({ rowShape, featureNames }: Rows, input?: string): PermutedColumn[] =>
    Array.from({ length: rowShape?.length === 1 ? rowShape[0] : 0 }, (_, column) => {
      const feature = featureNames?.[column] ?? `feature ${column}`;
      return input === undefined ? { feature, column } : { feature: `${input}.${feature}`, column, input };
    });
  const columns = parts ? Object.entries(parts).flatMap(([input, part]) => of(part, input)) : of(X);
  const skipped = Object.keys(parts ?? {}).filter((input) => !columns.some((each) => each.input === input));
  if (columns.length > 0) return { columns, skipped };
  const got = X.rowShape ? `rows of shape [${X.rowShape}]` : 'rows without columns that are known before they are read';
  throw new InvalidOptionError(sentence('`importance`', 'have rows with columns', phrase(got)), {
    code: 'not_a_table',
  });
}

function chosenColumns(all: readonly PermutedColumn[], features: readonly (string | number)[] | undefined) {
  if (features === undefined) {
    if (all.length <= MOST) return all;
    const way = 'Choose some: importance: { features: [...] }.';
    throw new InvalidOptionError(sentence(OWNER, `permute at most ${MOST} features`, phrase(String(all.length)), way));
  }
  if (features.length === 0) {
    throw new InvalidOptionError(sentence('The `features` option of importance', 'name a feature', phrase('none')));
  }
  const found = features.map((wanted) => {
    const one = typeof wanted === 'number' ? all[wanted] : all.find(({ feature }) => feature === wanted);
    if (one) return one;
    const must = `name features of X, by name or from 0 to ${all.length - 1}`;
    const names = all.map(({ feature }) => feature);
    const way = typeof wanted === 'string' ? suggestion(wanted, names) : undefined;
    throw new InvalidOptionError(sentence('The `features` option of importance', must, wanted, way), {
      code: 'unknown_feature',
    });
  });
  return [...new Set(found)];
}

function metricsOf(named: string | undefined, scorers: readonly Scorer[], { task }: Labels, elsewhere: boolean) {
  const must = 'be a metric that is better the larger or the smaller it is';
  const way = `Choose one: importance: { metric: '${task === 'regression' ? 'mse' : task === 'survival' ? 'concordance' : 'roc_auc'}' }.`;
  const whyNot = (metric: Metric) =>
    metric.direction === 'target'
      ? 'has a target'
      : elsewhere && !isBuiltIn(metric)
        ? 'is known in this thread alone'
        : undefined;
  if (named !== undefined) {
    const [metric] = metricsFor([named], task);
    const why = whyNot(metric);
    if (why === undefined) return [metric.name];
    const got = phrase(`${nameText(metric.name)}, which ${why}`);
    throw new InvalidOptionError(sentence('The `metric` option of importance', must, got, way));
  }
  const able = scorers.flatMap(({ metric }) => (metric && !whyNot(metric) ? [metric] : []));
  if (able.length === 0) {
    const got = phrase(scorers.map(({ name }) => nameText(name)).join(', '));
    throw new InvalidOptionError(sentence('A score of a run with `importance`', must, got, way));
  }
  const rank = ({ name, dependsOnPrevalence }: Metric) =>
    /^(roc_auc(_ov[ro].*)?|concordance)$/.test(name) ? 0 : dependsOnPrevalence ? 2 : 1;
  return able.sort((a, b) => rank(a) - rank(b)).map(({ name }) => name);
}

interface FoldTested {
  readonly test: Batch;
  /** What the model predicts for the test rows as they are. */
  readonly table: ScoreTable;
  readonly groups: SideData['groups'];
  readonly seed: number;
  predict(rows: Batch): Promise<ScoreTable>;
}

/** The loss of one fold by each feature. One permuted copy of the test rows is there at a time. */
export async function foldImportance(plan: ImportancePlan, fold: FoldTested): Promise<FoldImportance> {
  const { test, table, groups } = fold;
  const metrics = plan.metrics.map((name) => metricRegistry.get(name));
  const metric = metrics.find(({ needs }) => needs === 'labels' || table.yProba) ?? metrics[0];
  const scored = (of: ScoreTable): Score => {
    try {
      return score(metric, of);
    } catch (error) {
      const subject = `The metric '${nameText(metric.name)}'`;
      return threw(subject, 'give a value', 'score_failed', InvalidOptionError)(error);
    }
  };
  const before = scored(table);
  const patients = plan.unit === 'patient' && groups ? rowsByPatient(groups, test.indices) : undefined;
  const dropOf = async ({ feature, column, input }: PermutedColumn): Promise<Score> => {
    if (before.value === null) return before;
    if ((patients ?? test.indices).length < 2)
      return { value: null, reason: `one ${plan.unit} has none to exchange with` };
    const random = randomSource(deriveSeed(fold.seed, 'importance', feature, column));
    let sum = 0;
    for (let repeat = 0; repeat < plan.repeats; repeat++) {
      const order = patients
        ? exchanged(patients, test.indices.length, random)
        : permutation(random, test.indices.length);
      const after = scored(await fold.predict({ ...test, X: permuted(test.X, order, column, input) }));
      if (after.value === null) return after;
      sum += metric.direction === 'maximize' ? before.value - after.value : after.value - before.value;
    }
    return { value: sum / plan.repeats };
  };
  const drops: FoldImportance['drops'][number][] = [];
  for (const each of plan.columns) drops.push({ feature: each.feature, ...(await dropOf(each)) });
  return { metric: metric.name, drops };
}

function rowsByPatient(groups: NonNullable<SideData['groups']>, test: Int32Array): readonly number[][] {
  const { codes, count } = groupsOf(
    Array.from(test, (row) => groups[row]),
    test.length,
  );
  const rows = Array.from({ length: count }, (): number[] => []);
  for (const [at, code] of codes.entries()) rows[code].push(at);
  return rows;
}

/** For each row the one whose value it takes: patients exchange what they have. */
function exchanged(patients: readonly number[][], n: number, random: RandomSource): Int32Array {
  const order = new Int32Array(n);
  const matched = permutation(random, patients.length);
  for (const [at, own] of patients.entries()) {
    const other = patients[matched[at]];
    const from = other.length === own.length ? 0 : randomInterval(random, other.length - 1);
    for (const [place, row] of own.entries()) order[row] = other[(from + place) % other.length];
  }
  return order;
}

const permuted = (X: Rows, order: Int32Array, column: number, input: string | undefined): Rows =>
  input === undefined || !X.parts
    ? withColumnOf(X, X.take(order), column)
    : rowsOf(mapParts(X.parts, (part, at) => (at === input ? withColumnOf(part, part.take(order), column) : part)));

/** The rows of a table with one column of as many others. */
function withColumnOf(own: Rows, others: Rows, column: number): Rows {
  const { length, kind, featureNames, rowShape, window } = own;
  const both = async <T>(read: (rows: Rows) => Promise<T>, put: (rows: T, from: T) => void): Promise<T> => {
    const rows = await read(own);
    put(rows, await read(others));
    return rows;
  };
  const putCells = (rows: unknown[], from: unknown[]) => {
    const key = Array.isArray(rows[0]) ? column : (featureNames?.[column] ?? column);
    for (const [at, row] of rows.entries()) Reflect.set(row as object, key, Reflect.get(from[at] as object, key));
  };
  const toDense = () =>
    both(
      // A row source may give the same numbers again.
      async (rows) => {
        const { data, shape } = await rows.toDense();
        return { data: rows === own ? data.slice() : data, shape };
      },
      ({ data, shape: [n, width] }, from) => {
        for (let at = column; at < n * width; at += width) data[at] = from.data[at];
      },
    );
  const toArrays = () => both((rows) => rows.toArrays(), putCells);
  return Object.freeze({
    ...{ length, kind, featureNames, rowShape, window, toDense, toArrays },
    take: (rows: Int32Array) => withColumnOf(own.take(rows), others.take(rows), column),
    toShaped: toArrays,
    toColumns: () =>
      both(
        async (rows) => [...(await rows.toColumns())],
        (columns: Column[], from) => {
          columns[column] = from[column];
        },
      ),
    toInputs: async () => [await toDense()],
  });
}

interface Folds {
  readonly folds: readonly FoldResult[];
  readonly plan: FoldPlan;
  readonly metadata: { readonly fixedModel: string | null };
}

interface About extends Pick<PermutationImportance, 'metric' | 'unit' | 'repeats' | 'note'> {
  readonly features: readonly { readonly feature: string }[];
}

const aboutPlan = ({ unit, repeats, metrics, columns, skipped }: ImportancePlan): About => {
  const who = unit === 'patient' ? 'whole patients' : 'rows';
  const aside =
    skipped.length > 0
      ? ` Inputs without columns are not permuted: ${skipped.map((each) => nameText(each)).join(', ')}.`
      : '';
  const note = `The loss of the score when ${who} among the test rows exchange their values of a feature, mean of ${counted(repeats, 'permutation')} in each fold. It says what these models use, not what causes the outcome. Features that tell the same share it, so that each may look small; one that leaks the outcome looks large.${aside}`;
  return { metric: metrics[0], unit, repeats, features: columns, note };
};

/** At .95; the validator has a level of its own. */
export function runImportance(
  {
    importance,
    ...prepared
  }: Parameters<typeof sideOf>[0] & Pick<Folds, 'plan'> & { readonly importance: ImportancePlan },
  folds: readonly FoldResult[],
  metadata: Folds['metadata'],
): PermutationImportance {
  const cv = { folds, plan: prepared.plan, metadata };
  return importanceOf(cv, aboutPlan(importance), intervalFolds(cv, sideOf(prepared)), {
    level: 0.95,
  });
}

/** Over folds, at any level: from `about`, which the same of another level will do for, too. */
export function importanceOf(
  cv: Folds,
  { unit, repeats, features, note, metric: fallback }: About,
  { folds, unit: independent }: Pick<IntervalFolds, 'folds' | 'unit'>,
  { level, sampling = 'cohort' }: { readonly level: number; readonly sampling?: Interval['sampling'] },
): PermutationImportance {
  const found = cv.folds.map((fold) => (fold.status === 'completed' ? fold.importance : undefined));
  const metric = metricRegistry.get(found.find((each) => each)?.metric ?? fallback);
  const width = metric.range[1] - metric.range[0];
  const { claims } = cv.plan;
  const adjustments = cv.folds.map((fold) => ({ adjustment: fold.status === 'completed' ? fold.adjustment : null }));
  const fixedModel = isFixed({ ...cv, foldDetails: adjustments }, metric);
  const shared = {
    // A difference of two values. What stratified folds do to its spread is said by `obstacle`, in words of its own.
    metric: {
      ...metric,
      range: [-width, width] as const,
      dependsOnPrevalence: sampling === 'case_control' && metric.dependsOnPrevalence === true,
    },
    ...{ level, unit: independent, sampling, fixedModel, design: claims, nBootstrap: 0, random: randomSource(0) },
    obstacle:
      sampling === 'cohort' && claims.stratified && metric.dependsOnPrevalence
        ? `${nameText(metric.name)} changes with the prevalence, which stratified folds hold alike: choose another \`metric\` of \`importance\``
        : undefined,
  };
  const unfit = unfitDesign(claims, folds);
  const ofFeature = ({ feature }: { readonly feature: string }): FeatureImportance => {
    const scores = cv.folds.map((fold, at): Score => {
      if (fold.status === 'failed') return { value: null, reason: `fold failed: ${fold.error.message}` };
      const drop = found[at]?.drops.find((each) => each.feature === feature);
      return drop ?? { value: null, reason: 'not permuted' };
    });
    const values = scores.map(({ value }) => value);
    const input = { ...shared, folds: folds.map((fold, at) => ({ ...fold, score: scores[at] })) };
    const present = values.filter((value) => value !== null);
    const none = { estimate: present.length > 0 ? mean(present) : null, lower: null, upper: null } as const;
    const interval: Interval =
      unfit === undefined
        ? intervalMethods.corrected_t(input)
        : {
            ...{ ...intervalFacts(input), method: 'corrected_t', estimand: 'procedure', ...none },
            reason: `corrected_t is for folds that are random parts of the data, not ${unfit}`,
          };
    const about = fixedModel ? 'A fixed model: folds show spread, not training.' : undefined;
    return {
      feature,
      interval: { ...interval, ...(fixedModel ? { estimand: 'predictions' } : {}), ...joinNotes(interval.note, about) },
      values,
    };
  };
  const largest = ({ interval }: FeatureImportance) => interval.estimate ?? -Infinity;
  const sorted = features.map(ofFeature).sort((a, b) => largest(b) - largest(a) || 0);
  return { metric: metric.name, unit, repeats, features: sorted, note };
}
