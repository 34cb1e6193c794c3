import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf } from '../core/format.js';
import type { MetricName } from '../core/knownNames.js';
import { MOST_DRAWS } from '../core/numbers.js';
import { type InputOf, integer, isPlainObject, number, optionTable, type Parsed, string } from '../core/options.js';
import { deriveSeed, freshSeed, randomSource } from '../core/random.js';
import { textTable, wrapText } from '../core/summaryText.js';
import { unitsOf } from '../data/sideData.js';
import { bootstrap } from '../intervals/bootstrap.js';
import type { Interval } from '../intervals/interval.js';
import type { Metric } from '../metrics/metric.js';
import { metricsFor } from '../metrics/registry.js';
import { dataOptions } from '../runner/dataOptions.js';
import { readData } from '../runner/readData.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { runOptions } from '../runner/runOptions.js';
import { foldsOf } from '../splitters/foldsOf.js';
import { seeded } from '../splitters/splitter.js';
import { designsOf } from './leakage/designsOf.js';
import { inflatedDesign, intervalFolds, type PricedDesign, sharedRows } from './leakage/inflatedDesign.js';
import { inflationInterval } from './leakage/inflationInterval.js';
import { engineShape, FixedFolds, withImpliedTask, withRuns } from './manyRuns.js';
import { DEFAULT_METRIC, orientedScore } from './results.js';

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
  metric: string<MetricName>()
    .optional()
    .describe("What is compared; by default 'roc_auc' for a binary task, 'rmse' for regression, else 'accuracy'."),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  nBootstrap: integer({ min: 100, max: MOST_DRAWS })
    .default(1000)
    .describe('Resamples of patients, for a metric without an influence function.'),
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
 * times, or places) apart and one that does not, and the difference of the two estimates is given with an interval. It
 * takes as many fits as the two designs have folds.
 *
 * Every row is predicted under both designs, so influences are subtracted row by row and summed per patient before they
 * are squared ({@link pairedDifference}); rows that only one design tests are left out, with a note. The two designs train
 * on different rows, which the predictions of one partition cannot show: the standard error is multiplied with a constant
 * that was found by simulation ({@link inflationInterval}).
 *
 * The difference is naive - guarded in the unit of the metric: a leak makes it positive for `roc_auc` and negative for
 * `rmse`. Both designs must have equally many repeats; more of them make the interval steadier.
 *
 * @throws {InvalidOptionError} neither `groups` nor `guarded`; designs with identical folds or other numbers of repeats, in
 *   each other's place, or that both keep patients whole.
 * @throws {InvalidDataError} no row that both designs test.
 * @throws {CVKitError} what `run` throws for the data and the model.
 * @example
 * const price = await leakageInflation({ model: () => new Forest(), data: [X, y, patientIds] });
 * console.log(price.summary());
 */
export async function leakageInflation(input: LeakageInflationOptions): Promise<LeakageInflation> {
  refuseStrays(input);
  const call = leakageInflationOptions.parse(input);
  return priceOf(await withImpliedTask(call, call.options.data));
}

async function priceOf(call: Parsed<typeof leakageInflationOptions.shape>): Promise<LeakageInflation> {
  const { options } = call;
  const { level, nBootstrap } = options;
  const problem = readData(options.data, options);
  const { y, data: side, weight } = problem;
  const metric = metricsFor([options.metric ?? DEFAULT_METRIC[y.task]], y.task)[0];
  const seed = options.randomState ?? freshSeed();
  const plans = designsOf(y.task, side, options, seed, (cv) => foldsOf(seeded(cv, seed), y.length, y, side));
  const units = unitsOf(side, y.length, weight);
  const fixed = plans.map((plan) => new FixedFolds(plan));
  const shared = { problem, cv: fixed[0], metric: metric.name, randomState: seed };
  const tested = await withRuns(call, shared, async (runOn) => {
    const priced: PricedDesign[] = [];
    for (const [at, plan] of plans.entries()) priced.push(inflatedDesign(await runOn(fixed[at]), plan, units, weight));
    return priced;
  });
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

/** Rows and what belongs to them stand in `data`, not beside the model as for functions that take one design. */
function refuseStrays(input: unknown): void {
  const strays = Object.keys(dataOptions.shape).filter(
    (name) => isPlainObject(input) && name in input && !(name in leakageInflationOptions.shape),
  );
  if (strays.length === 0) return;
  const got = phrase(`${strays.map((name) => `\`${nameText(name)}\``).join(', ')} beside it`);
  const record = [...new Set(['X', 'y', ...strays])].join(', ');
  throw new InvalidOptionError(
    sentence('leakageInflation', 'be given rows and labels in `data`', got, `Use \`data: { ${record} }\` instead.`),
    { code: 'unknown_option' },
  );
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
  const limits = ({ lower, upper }: Interval) =>
    lower === null ? '—' : `[${formatNumber(lower)}, ${formatNumber(upper)}]`;
  const row = (name: string, interval: Interval, split: string) => [
    name,
    formatNumber(interval.estimate),
    limits(interval),
    split,
  ];
  const [kept, leaking] = designs;
  return [
    `Price of a leak: ${nameText(metric)} of one model on the same rows, ${counted(difference.nUnits, unit)}`,
    '',
    textTable(
      [
        [
          '',
          nameText(metric),
          `${percentOf(difference.level)} interval`,
          ...(unit === 'row' ? [] : [`${unit}s on both sides`]),
        ],
        row('guarded', guarded, unit === 'row' ? '' : String(kept.split)),
        row('naive', naive, unit === 'row' ? '' : String(leaking.split)),
        row('naive - guarded', difference, ''),
      ],
      { numbers: true },
    ),
    '',
    wrapText(inflation),
    wrapText(`Guarded: ${kept.plan.design}. Naive: ${leaking.plan.design}.`),
    ...(difference.note ? [wrapText(difference.note)] : []),
    ...notes.map((note) => wrapText(note)),
  ].join('\n');
}
