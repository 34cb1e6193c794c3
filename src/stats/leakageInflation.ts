import { overlapOf } from '../checkers/overlap.js';
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf } from '../core/format.js';
import { hasReason } from '../core/hasReason.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import { type InputOf, isPlainObject, number, optionTable, type Parsed } from '../core/options.js';
import { deriveSeed, freshSeed, randomSource } from '../core/random.js';
import { textTable, wrapText } from '../core/summaryText.js';
import type { Task } from '../data/labels.js';
import { groupsOf, type SideData, type Units, unitsOf } from '../data/sideData.js';
import { bootstrap } from '../intervals/bootstrap.js';
import {
  commonObstacle,
  foldsThatCount,
  type Interval,
  type IntervalFold,
  type IntervalInput,
  intervalFacts,
  joinNotes,
} from '../intervals/interval.js';
import type { Metric } from '../metrics/metric.js';
import type { CVResults } from '../runner/cvResults.js';
import { dataOptions } from '../runner/dataOptions.js';
import { type Problem, readData } from '../runner/readData.js';
import { withResult } from '../runner/runDirectory.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { runOptions } from '../runner/runOptions.js';
import { countingFolds } from '../splitters/derivedPlan.js';
import { type FoldPlan, foldsOf } from '../splitters/foldsOf.js';
import { type Splitter, seeded } from '../splitters/splitter.js';
import { limitsText } from './comparison/answers.js';
import {
  type EngineCall,
  engineShape,
  fixedFolds,
  groupedFolds,
  plainFolds,
  withImpliedTask,
  withRuns,
} from './manyRuns.js';
import { differenceLimits, pairedDifference } from './pairedDifference.js';
import {
  codesOf,
  foldsOfRun,
  metricFor,
  metricOption,
  orientedScore,
  resamplesOption,
  type ScoredFold,
  valuedFolds,
} from './results.js';
import { foldsOfLevel } from './subgroups/cells.js';

const { cvSplitter } = runnerOptions.shape;
const { data, groups, sampleWeight } = runOptions.shape;

export const leakageInflationOptions = optionTable('leakageInflation', {
  data,
  groups,
  sampleWeight,
  ...engineShape,
  guarded: cvSplitter
    .optional()
    .describe('The design that keeps apart what belongs apart; by default five folds of whole patients.'),
  naive: cvSplitter
    .optional()
    .describe('The design that leaks; by default shuffled folds of rows, as many as the guarded design has.'),
  metric: metricOption('What is compared'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  nBootstrap: resamplesOption('Resamples of patients, for a metric without an influence function.'),
});

export type LeakageInflationOptions = InputOf<typeof leakageInflationOptions>;

/** What `leakageInflation` gives. */
export interface LeakageInflation {
  readonly metric: string;
  /** The estimate over the folds that keep apart what belongs apart. */
  readonly guarded: Interval;
  /** The estimate over the folds that leak. What its interval covers is not the performance on new patients. */
  readonly naive: Interval;
  /** naive - guarded, paired by patient. */
  readonly difference: Interval;
  /** What the difference says, in a sentence. */
  readonly inflation: string;
  readonly notes: readonly string[];
  summary(): string;
}

/**
 * What a leak is worth: the same model is cross-validated on the same rows with two designs, one that keeps patients (or
 * times, or places) apart and one that does not, and the difference of the two estimates gets an interval. It takes as
 * many fits as the two designs have folds.
 *
 * Influences are subtracted row by row and summed per patient before they are squared ({@link pairedDifference}); rows
 * that only one design tests are left out, with a note. The standard error is multiplied with a constant that was found
 * by simulation, for what other training sets would change ({@link inflationInterval}). With fewer than ten patients
 * (rows without groups) there is no interval, since nothing can be said of how patients differ.
 *
 * The difference is naive - guarded in the unit of the metric: a leak makes it positive for `roc_auc` and negative for
 * `rmse`. Both designs must have equally many repeats; more of them make the interval steadier.
 *
 * @throws {InvalidOptionError} neither `groups` nor `guarded`; designs with identical folds or other numbers of repeats, in
 *   each other's place, or that both keep patients whole.
 * @throws {InvalidDataError} no row that both designs test.
 * @throws {CVKitError} what `run` throws for the data and the model.
 * @example
 * const price = await leakageInflation({ model, data: [X, y, patientIds] });
 * console.log(price.summary());
 */
export async function leakageInflation(input: LeakageInflationOptions): Promise<LeakageInflation> {
  refuseStrays(input);
  const parsed = leakageInflationOptions.parse(input);
  const call = { ...parsed, identity: parsed };
  return withResult(call.options, await priceOf(await withImpliedTask(call, call.options.data)));
}

async function priceOf(call: EngineCall & Parsed<typeof leakageInflationOptions.shape>): Promise<LeakageInflation> {
  const { options } = call;
  const { level, nBootstrap } = options;
  const problem = readData(options.data, options);
  const { y, data: side, weight } = problem;
  const metric = metricFor(options.metric, y.task);
  const seed = options.randomState ?? freshSeed();
  const plans = designsOf(y.task, side, options, seed, (cv) => foldsOf(seeded(cv, seed), y.length, y, side));
  const [first, second] = plans.map((plan) => fixedFolds(plan));
  const shared = { problem, cv: first, metric: metric.name, randomState: seed };
  const runs = await withRuns(call, shared, async (runOn) => [await runOn(first), await runOn(second)]);
  const units = unitsOf(side, y.length, valuedRows(metric, runs, problem));
  const tested = runs.map((run, at) => inflatedDesign(run, plans[at], units, weight));
  const { designs, notes } = sharedRows(tested, weight?.filter((each) => each > 0).length ?? y.length);
  const [guarded, naive] = designs;
  const common = { metric, level, unit: units.unit, nBootstrap };
  const intervalOf = (design: PricedDesign, name: string) =>
    bootstrap({
      ...common,
      folds: intervalFolds(metric, design),
      design: design.plan.claims,
      random: randomSource(deriveSeed(seed, 'interval', name)),
    });
  const estimates = { guarded: intervalOf(guarded, 'guarded'), naive: intervalOf(naive, 'naive') };
  const random = randomSource(deriveSeed(seed, 'interval', 'difference'));
  const difference = inflationInterval({ ...common, random }, naive, guarded);
  const price = {
    metric: metric.name,
    ...estimates,
    difference,
    inflation: inWords(metric, estimates, difference),
    notes: [...(units.note ? [units.note] : []), ...notes],
  };
  return { ...price, summary: () => summaryOf(price, designs, units) };
}

/** Rows and their side data stand in `data`, unlike in functions that take one design. */
function refuseStrays(input: unknown): void {
  const strays = Object.keys(dataOptions.shape).filter(
    (name) => isPlainObject(input) && name in input && !(name in leakageInflationOptions.shape),
  );
  if (strays.length === 0) return;
  const got = phrase(`${strays.map((name) => `\`${nameText(name)}\``).join(', ')} beside it`);
  const record = [...new Set(['X', 'y', ...strays])].join(', ');
  const must = 'be given rows and labels in `data`';
  const way = `Use \`data: { ${record} }\` instead.`;
  throw new InvalidOptionError(sentence('leakageInflation', must, got, way), { code: 'unknown_option' });
}

function inWords(
  metric: Metric,
  { guarded, naive }: Pick<LeakageInflation, 'guarded' | 'naive'>,
  { estimate, lower, upper, level, reason }: Interval,
): string {
  if (estimate === null || lower === null || upper === null || guarded.estimate === null || naive.estimate === null) {
    return `There is no answer: ${reason}.`;
  }
  const [least, most] = [lower, upper].map(Math.abs).sort((a, b) => a - b);
  const size = `${formatNumber(Math.abs(estimate))} (${percentOf(level)} interval ${formatNumber(least)} to ${formatNumber(most)})`;
  if (lower <= 0 && upper >= 0) {
    return `No price is seen: the interval of the difference, ${formatNumber(lower)} to ${formatNumber(upper)}, covers 0, which does not rule out a smaller price.`;
  }
  return orientedScore(metric, naive.estimate) > orientedScore(metric, guarded.estimate)
    ? `The naive folds make ${nameText(metric.name)} look better than it is by ${size}.`
    : `The naive folds make ${nameText(metric.name)} look worse by ${size}, so no price of a leak is seen.`;
}

function summaryOf(
  { metric, guarded, naive, difference, inflation, notes }: Omit<LeakageInflation, 'summary'>,
  designs: readonly PricedDesign[],
  { unit }: { readonly unit: string },
): string {
  const line = (name: string, interval: Interval, split: string) => {
    const cells = [name, formatNumber(interval.estimate), limitsText(interval)];
    return unit === 'row' ? cells : [...cells, split];
  };
  const [kept, leaking] = designs;
  const heads = ['', nameText(metric), `${percentOf(difference.level)} interval`];
  const rows = [
    unit === 'row' ? heads : [...heads, `${unit}s on both sides`],
    line('guarded', guarded, String(kept.split)),
    line('naive', naive, String(leaking.split)),
    line('naive - guarded', difference, ''),
  ];
  return [
    `Price of a leak: ${nameText(metric)} of one model on the same rows, ${counted(difference.nUnits, unit)}`,
    '',
    textTable(rows, { numbers: true }),
    '',
    wrapText(inflation),
    wrapText(`Guarded: ${kept.plan.design}. Naive: ${leaking.plan.design}.`),
    ...(difference.note ? [wrapText(difference.note)] : []),
    ...notes.map((note) => wrapText(note)),
  ].join('\n');
}

const DESIGNS = 'The two designs of leakageInflation';

interface PricedDesign {
  readonly plan: FoldPlan;
  readonly folds: readonly ScoredFold[];
  readonly failed: readonly IntervalFold[];
  readonly split: number;
}

/**
 * The weights of the rows in folds that have a value, under both designs: the coarsest units of which ten or more have
 * such a row count as independent, and a site whose folds have no value is none of them.
 */
function valuedRows(metric: Metric, runs: readonly CVResults[], { y, weight }: Problem): Float64Array {
  const valued = runs.map(({ folds }) => {
    const completed = folds.filter((fold) => fold.status === 'completed');
    return new Set(foldsThatCount(metric, completed).flatMap(({ fold }) => Array.from(fold.test)));
  });
  const counts = (row: number) => valued.every((rows) => rows.size === 0 || rows.has(row));
  return Float64Array.from({ length: y.length }, (_, row) => (counts(row) ? (weight?.[row] ?? 1) : 0));
}

function inflatedDesign(run: CVResults, plan: FoldPlan, { codes }: Units, weight: Problem['weight']): PricedDesign {
  const counting = countingFolds(plan, weight);
  const nTrain = (index: number) => new Set(codesOf(counting.at(index).train, codes)).size;
  const nCodes = codes ? 1 + codes.reduce((most, code) => Math.max(most, code), 0) : 0;
  const split = codes ? overlapOf(counting, codes, nCodes).split.length : 0;
  return { ...foldsOfRun(run, { codes, weight, nTrain }), plan, split };
}

const intervalFolds = (metric: Metric, { folds, failed }: PricedDesign): IntervalFold[] => [
  ...valuedFolds(metric, folds),
  ...failed,
];

function sharedRows(designs: readonly PricedDesign[], n: number) {
  const tested = designs.map(({ folds }) => new Set(folds.flatMap(({ rows }) => Array.from(rows))));
  const shared = (row: number) => tested.every((rows) => rows.has(row));
  const count = Array.from(tested[0]).filter(shared).length;
  if (count === 0) {
    throw new InvalidDataError(sentence(DESIGNS, 'test some of the same rows', phrase('not one row that both test')));
  }
  const notes = count < n ? [`Compared on the ${counted(count, 'row')}, of ${n}, that both designs test.`] : [];
  const whole = tested.every(({ size }) => size === count);
  const cut = whole ? designs : designs.map((each) => ({ ...each, folds: foldsOfLevel(each.folds, shared) }));
  return { designs: cut, notes };
}

/** The largest `seInflation` in the simulation: that of losses, which cancel almost wholly between two designs. */
const LARGEST = 1.6;

/**
 * The variance is that of {@link pairedDifference}, with the models held fixed. Other partitions and training sets add to
 * it, by a constant per metric from simulations without a leak (60 patients of 5 rows, 100 to 300 of one, five learners):
 * the interval covers 0 in at least 94 % of them; docs/leakage-inflation.md has the table, and the one case that fails,
 * sensitivity of a tree on noise. Where a design is no random part of the rows the constant is unknown.
 */
function inflationInterval(
  input: Pick<IntervalInput, 'metric' | 'level' | 'unit' | 'nBootstrap' | 'random'>,
  naive: PricedDesign,
  guarded: PricedDesign,
): Interval {
  const { metric, level, unit } = input;
  const shuffled = [naive, guarded].every(isShuffled);
  const facts = {
    ...intervalFacts({ folds: [naive, guarded].flatMap(({ folds }) => foldsThatCount(metric, folds)), level, unit }),
    method: 'paired_difference',
    estimand: shuffled ? 'procedure' : 'predictions',
  } as const;
  const found = pairedDifference(input, naive.folds, guarded.folds);
  const none = (reason: string): Interval => ({ ...facts, estimate: found.estimate, lower: null, upper: null, reason });
  if (hasReason(found)) return none(found.reason);
  const obstacleOf = (design: PricedDesign) =>
    commonObstacle({ ...input, folds: foldsThatCount(metric, intervalFolds(metric, design)) }, facts.nUnits);
  const obstacle = obstacleOf(naive) ?? obstacleOf(guarded);
  if (obstacle !== undefined) return none(obstacle);
  const { estimate, variance, df, notes } = found;
  if (!(variance > (1e-12 * Math.max(1, Math.abs(estimate))) ** 2)) {
    return none(`every ${unit} has the same difference`);
  }
  const seInflation = shuffled ? (metric.seInflation ?? LARGEST) : 1;
  const half = studentTQuantile((1 + level) / 2, df) * seInflation * Math.sqrt(variance);
  const note = shuffled
    ? `The standard error of these predictions is multiplied with ${seInflation}, found by simulation, to allow for other partitions and training sets.`
    : 'The designs are not both shuffled folds: the interval is about these predictions alone.';
  return { ...facts, estimate, ...differenceLimits(metric, estimate, half), ...joinNotes(note, ...notes) };
}

/** Test sets that are random parts of the rows or patients, every row in one of them, none a single patient alone. */
function isShuffled({ plan: { claims }, folds }: PricedDesign): boolean {
  const { partition, timeOrdered, keepsTies, purged, separated, exhaustive } = claims;
  const single = folds.length > 2 && folds.every(({ units }) => units.every((unit) => unit === units[0]));
  return Boolean(partition) && !(timeOrdered || keepsTies || purged || separated || exhaustive || single);
}

/** The folds of both designs, guarded first; refused where they cannot be compared or have nothing to compare. */
function designsOf(
  task: Task,
  data: SideData,
  { guarded, naive }: { readonly guarded?: Splitter | undefined; readonly naive?: Splitter | undefined },
  randomState: number | string,
  planOf: (cv: Splitter) => FoldPlan,
): [FoldPlan, FoldPlan] {
  if (!guarded && !data.groups) {
    const must = 'be given `groups`, or the `guarded` design';
    throw new InvalidOptionError(sentence('leakageInflation', must, phrase('neither')), { code: 'missing_option' });
  }
  const ofNaive = naive && planOf(naive);
  const kept = planOf(guarded ?? groupedFolds(task, { nRepeats: ofNaive?.repeats, randomState }));
  const { repeats } = kept;
  const leaking =
    ofNaive ?? planOf(plainFolds(task, { nSplits: Math.round(kept.length / repeats), nRepeats: repeats, randomState }));
  if (kept.fingerprint === leaking.fingerprint) {
    const got = phrase(`the same folds twice (${kept.design} and ${leaking.design})`);
    throw new InvalidOptionError(sentence(DESIGNS, 'differ', got), { code: 'same_folds' });
  }
  if (repeats !== leaking.repeats) {
    const got = phrase(`${repeats} (guarded) and ${leaking.repeats} (naive)`);
    throw new InvalidOptionError(sentence(DESIGNS, 'have equally many repeats', got));
  }
  checkDesigns(kept, leaking, data);
  return [kept, leaking];
}

function separatedBy({ claims }: FoldPlan, whole: boolean): string[] {
  const { timeOrdered, keepsTies, purged, separated } = claims;
  const kept = {
    'keeps patients whole': whole,
    'trains on earlier rows only': timeOrdered,
    'keeps rows of one time together': keepsTies,
    'keeps label intervals apart': purged,
    'keeps test rows apart in space': separated,
  };
  return Object.entries(kept).flatMap(([what, is]) => (is ? [what] : []));
}

function checkDesigns(guarded: FoldPlan, naive: FoldPlan, { groups, hierarchy = {} }: SideData): void {
  const patients = groups && groupsOf(groups, guarded.n);
  const isWhole = (plan: FoldPlan) =>
    patients !== undefined && overlapOf(plan, patients.codes, patients.count).split.length === 0;
  const [kept, leaking] = [guarded, naive].map((plan) => separatedBy(plan, isWhole(plan)));
  const more = leaking.filter((what) => !kept.includes(what));
  if (more.length > 0 && kept.every((what) => leaking.includes(what))) {
    const subject = 'The `guarded` design of leakageInflation';
    const must = 'keep apart what the `naive` one mixes';
    const got = phrase(`the reverse: ${naive.design} as \`naive\`, which alone ${more.join(' and ')}`);
    throw new InvalidOptionError(sentence(subject, must, got, 'Exchange the two.'), { code: 'swapped_designs' });
  }
  // Folds of whole patients guard nothing else, unless a level above the patients is at stake.
  const onlyPatients = guarded.claims.disjointGroups && Object.keys(hierarchy).every((level) => level === 'patient');
  if (!patients || !onlyPatients || kept.length > 1 || leaking.length === 0) return;
  const single = patients.count === guarded.n;
  const must = 'have patients with rows on both sides of a fold';
  const got = single ? 'data with one row per patient' : `${naive.design}, which keeps patients whole, too`;
  const way = single
    ? 'There is no leak between patients that could have a price.'
    : 'Leave it out for shuffled folds of rows.';
  const subject = 'The `naive` design of leakageInflation';
  throw new InvalidOptionError(sentence(subject, must, phrase(got), way), { code: 'nothing_to_price' });
}
