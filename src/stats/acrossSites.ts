import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf, points } from '../core/format.js';
import { groupBy } from '../core/groupBy.js';
import { hasReason } from '../core/hasReason.js';
import { arrayLike, type InputOf, number, optionTable, seed } from '../core/options.js';
import { deriveSeed, freshSeed, randomSource } from '../core/random.js';
import { resultFingerprint } from '../core/resultFingerprint.js';
import { textTable, wrapText } from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import { checkLength, groupsOf } from '../data/sideData.js';
import {
  foldsThatCount,
  type Interval,
  type IntervalInput,
  intervalFacts,
  joinNotes,
  tooFewUnits,
} from '../intervals/interval.js';
import { limitsOf, type Scale, scaleOf } from '../intervals/limits.js';
import { resampleUnits } from '../intervals/resampleUnits.js';
import { influenceVariance, isInfluential, unitBlocks } from '../intervals/unitBlocks.js';
import { combinedEstimate } from '../metrics/combineFolds.js';
import type { Metric } from '../metrics/metric.js';
import { limitsText } from './comparison/answers.js';
import { type RandomEffects, randomEffects } from './randomEffects.js';
import {
  checkResults,
  isFixedIn,
  metadataIn,
  metricIn,
  metricOf,
  metricOption,
  resamplesOption,
  type ScoredFold,
  type ScoredResults,
  scoredFolds,
  valuedFolds,
} from './results.js';
import { countsOf, foldsOfLevel } from './subgroups/cells.js';

export const acrossSitesOptions = optionTable('acrossSites', {
  sites: arrayLike<Label>('id[]').describe('Site (hospital, scanner) of each row of the data.'),
  patients: arrayLike<Label>('id[]')
    .optional()
    .describe('Patient of each row of the data, when the groups of the run were not patients but sites.'),
  metric: metricOption('What is estimated'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  nBootstrap: resamplesOption('Resamples for a metric without an influence function.'),
  randomState: seed().default(42).describe('Seed of the resamples.'),
});

export type AcrossSitesOptions = InputOf<typeof acrossSitesOptions>;

/**
 * Internal-external validation: the performance at each site, its mean over sites, and what to expect at a new one. Best
 * from folds that leave out a site each (`LeaveOneGroupOut` over sites). Estimates are put together by
 * {@link randomEffects} on the scale on which their interval is symmetric (logit for an AUC): REML, Hartung-Knapp
 * interval, prediction interval with k - 1 degrees of freedom.
 *
 * Sites with fewer than ten patients, without predictions or a value, or with one at the bound of its range take no part;
 * the notes say which. Models of different sites share training data, which makes the interval of the mean approximate.
 *
 * Source: Debray et al. 2013, Statistics in Medicine 32:3158; on the logit scale, Snell, Ensor, Debray, Moons & Riley
 * 2018, Statistical Methods in Medical Research 27:3505.
 *
 * @throws {InvalidDataError} `sites` or `patients` of another length than the data; fewer than two sites.
 * @example
 * const bySite = new UniversalCVRunner({ cvSplitter: new LeaveOneGroupOut(), verbose: 0 });
 * const results = await bySite.run({ model, data: { X, y, groups: sites } });
 * console.log(acrossSites(results, { sites, metric: 'roc_auc' }).summary());
 */
export function acrossSites(results: ScoredResults, input: AcrossSitesOptions): AcrossSites {
  checkResults('The first argument of acrossSites', results);
  const { sites, patients, metric: name, level, nBootstrap, randomState } = acrossSitesOptions.resolve(input);
  const { codes, ids } = groupsOf(sites, results.plan.n, 'sites');
  const metric = metricIn(results, metricOf(name, results));
  const { groups, note } = patientsOf(results, codes, patients);
  const { folds, unit } = scoredFolds(results, groups);
  const seed = randomState ?? freshSeed();
  const scale = scaleOf(metric.range);
  const found = ids.flatMap((site, code) => {
    const part = foldsOfLevel(folds, (row) => codes[row] === code);
    const random = randomSource(deriveSeed(seed, 'site', code));
    return part.length === 0
      ? []
      : [{ site, part, ...siteEstimate(part, { metric, level, unit, nBootstrap, random }) }];
  });
  if (found.length < 2) {
    const got = phrase(`tested rows of ${counted(found.length, 'site')}`);
    const subject = 'The rows of acrossSites';
    throw new InvalidDataError(sentence(subject, 'be of two sites or more', got), { code: 'one_site' });
  }
  const taken = found.flatMap(({ interval: { estimate }, se }) =>
    estimate !== null && se !== null ? [{ value: scale.to(estimate), se: se * scale.slope(estimate) }] : [],
  );
  const [values, variances] = [taken.map(({ value }) => value), taken.map(({ se }) => se ** 2)];
  const pooled = taken.length < 2 ? null : randomEffects(values, variances, { level });
  const weights = [...(pooled?.weights ?? [])];
  const binary = metadataIn(results).task === 'binary';
  const estimates = found.map(({ site, part, interval, se }): SiteEstimate => {
    const { rows: n, units: nUnits, events } = countsOf(part);
    const weight = se === null ? 0 : (weights.shift() ?? 0);
    return { site, n, nUnits, events: binary ? events : null, interval, weight };
  });
  const named = (those: readonly Label[]) => those.map((site) => nameText(String(site))).join(', ');
  const excluded = found.filter(({ se }) => se === null);
  const atBound = excluded.some(({ interval: { reason } }) => reason === undefined);
  const tested = new Set(results.outOfFold.row.map((row) => codes[row]));
  const untested = ids.filter((_, code) => !tested.has(code));
  const parts = {
    metric: metric.name,
    sites: estimates,
    mean: meanOf(pooled, scale, { ...intervalFacts({ folds, level, unit: 'site' }), nUnits: taken.length }),
    prediction: pooled?.prediction ? backTransformed(pooled.prediction, scale) : null,
    scale: scaleName(metric.range),
    tau2: pooled?.tau2 ?? null,
    i2: pooled?.i2 ?? null,
    q: pooled?.q ?? null,
    df: pooled?.df ?? null,
    level,
    notes: [
      ...(isFixedIn(results, metric) ? [] : [SHARED]),
      ...(excluded.length > 0 ? [`Not in the mean: ${excluded.map(whyOut).join(', ')}.`] : []),
      ...(atBound ? ['Leaving out sites at the bound draws the mean towards the others.'] : []),
      ...(untested.length > 0 ? [`Without a prediction: ${named(untested)}.`] : []),
      ...(taken.length === 2 ? ['Two sites tell next to nothing about a third: there is no prediction interval.'] : []),
      ...(note ? [note] : []),
    ],
    fingerprint: resultFingerprint(metadataIn(results)),
  };
  return { ...parts, summary: () => sitesText(parts) };
}

const SHARED =
  'Models of different sites share training data, so their estimates are not independent: the intervals over sites are approximate.';

const whyOut = ({ site, interval: { reason } }: { readonly site: Label; readonly interval: Interval }) =>
  `${nameText(String(site))} (${reason ?? 'at the bound of its range, or without spread'})`;

/** A patient is the unit, or the row itself when the groups of the run were the sites. */
function patientsOf(
  { outOfFold: { row, group } }: ScoredResults,
  siteOf: Int32Array,
  patients: ArrayLike<Label> | undefined,
): { groups: ArrayLike<Label> | null; note?: string } {
  if (patients) {
    checkLength(patients, siteOf.length, 'patients');
    return { groups: Array.from(row, (each) => patients[each]) };
  }
  if (!group) return { groups: null };
  const places = groupBy(row.keys(), (at) => siteOf[row[at]]);
  if ([...places.values()].some(([first, ...more]) => more.some((at) => group[at] !== group[first]))) {
    return { groups: group };
  }
  return {
    groups: null,
    note: 'The groups of the run are the sites, so rows count as patients. Give `patients` when patients have several rows.',
  };
}

type Settings = Pick<IntervalInput, 'metric' | 'level' | 'unit' | 'nBootstrap' | 'random'>;

/** `se` is null for a site that cannot take part in the mean. */
function siteEstimate(part: readonly ScoredFold[], settings: Settings): { interval: Interval; se: number | null } {
  const { metric, level, unit } = settings;
  const folds = foldsThatCount(metric, part);
  const facts = { ...intervalFacts({ folds, level, unit }), method: 'influence', estimand: 'predictions' } as const;
  const none = (estimate: number | null, reason: string) => ({
    interval: { ...facts, estimate, lower: null, upper: null, reason },
    se: null,
  });
  const combined = combinedEstimate(metric, unitBlocks({ metric, folds: valuedFolds(metric, part) }));
  if (combined.value === null) return none(null, combined.reason);
  const estimate = combined.value;
  const obstacle = tooFewUnits(facts.nUnits, unit);
  if (obstacle !== undefined) return none(estimate, obstacle);
  const repeats = unitBlocks({ metric, folds: valuedFolds(metric, folds) });
  const spread = isInfluential(metric)
    ? influenceVariance({ metric, sampling: 'cohort' }, repeats)
    : { df: facts.nUnits - 1, ...resampleUnits(settings, repeats) };
  if (hasReason(spread)) return none(estimate, spread.reason);
  const se = Math.sqrt(spread.variance);
  const { note, ...limits } = limitsOf(settings, repeats.flat(), { estimate, se, df: spread.df });
  const inside = Number.isFinite(scaleOf(metric.range).to(estimate)) && se > 1e-12 * Math.abs(estimate);
  return { interval: { ...facts, estimate, ...limits, ...joinNotes(combined.note, note) }, se: inside ? se : null };
}

const backTransformed = ({ lower, upper }: { readonly lower: number; readonly upper: number }, { back }: Scale) => ({
  lower: back(lower),
  upper: back(upper),
});

function meanOf(pooled: RandomEffects | null, scale: Scale, facts: ReturnType<typeof intervalFacts>): Interval {
  const about = { ...facts, method: 'random_effects', estimand: 'procedure' } as const;
  if (!pooled) {
    const reason = `${counted(facts.nUnits, 'site')} with an estimate and its standard error, fewer than 2`;
    return { ...about, estimate: null, lower: null, upper: null, reason };
  }
  return { ...about, estimate: scale.back(pooled.estimate), ...backTransformed(pooled, scale) };
}

function scaleName(range: Metric['range']): AcrossSites['scale'] {
  const finite = range.filter(Number.isFinite).length;
  return finite === 2 ? 'logit' : finite === 1 ? 'log' : 'plain';
}

/** One site. */
export interface SiteEstimate {
  readonly site: Label;
  readonly n: number;
  /** Patients; rows when no patients are known. */
  readonly nUnits: number;
  /** Positive rows, for a binary task. */
  readonly events: number | null;
  /** Estimate at the site, about these predictions; null with the reason where there is none. */
  readonly interval: Interval;
  /** Share in the mean over sites; 0 for a site that could not take part. */
  readonly weight: number;
}

/** What `acrossSites` gives. */
export interface AcrossSites {
  readonly metric: string;
  readonly sites: readonly SiteEstimate[];
  /** Mean over sites with its Hartung-Knapp interval; `unit` is the site. */
  readonly mean: Interval;
  /** Where the performance at a new site is expected to lie; null below three sites. */
  readonly prediction: { readonly lower: number; readonly upper: number } | null;
  /** `logit`, `log` or `plain`: the scale of `tau2`. */
  readonly scale: 'logit' | 'log' | 'plain';
  /** Variance between sites, on that scale. */
  readonly tau2: number | null;
  /** Share of the variance that is between sites, from 0 to 1. */
  readonly i2: number | null;
  /** Cochran's Q with its degrees of freedom. */
  readonly q: number | null;
  readonly df: number | null;
  readonly level: number;
  readonly notes: readonly string[];
  /** Of the result that it was computed from: the report of another one refuses it. */
  readonly fingerprint: string;
  summary(): string;
}

function sitesText(results: Omit<AcrossSites, 'summary'>): string {
  const { metric, sites, mean, prediction, level, tau2, i2, q, df, scale, notes } = results;
  const { unit } = sites[0].interval;
  const sizes = (units: number, n: number) => (unit === 'row' ? [String(n)] : [String(units), String(n)]);
  const rows = sites.map(({ site, nUnits, n, events, interval: { estimate, lower, upper }, weight }) => [
    nameText(String(site)),
    ...sizes(nUnits, n),
    events === null ? '—' : String(events),
    formatNumber(estimate),
    limitsText({ lower, upper }),
    `${points(weight)} %`,
  ]);
  const units = unit === 'row' ? [] : [`${unit}s`];
  const heads = ['site', ...units, 'rows', 'events', metric, `${percentOf(level)} interval`, 'weight'];
  return [
    textTable([heads, ...rows], { numbers: true }),
    '',
    `  Mean over sites: ${formatNumber(mean.estimate)} ${limitsText(mean)} (REML, Hartung-Knapp)${mean.reason ? `: ${mean.reason}` : ''}`,
    ...(prediction ? [`  A new site: ${limitsText(prediction)} (prediction interval)`] : []),
    ...(q === null || i2 === null
      ? []
      : [
          `  Heterogeneity: tau2 ${formatNumber(tau2)} (${scale} scale), I2 ${(100 * i2).toFixed(0)} %, Q ${formatNumber(q)} on ${counted(df ?? 0, 'degree')} of freedom`,
        ]),
    ...notes.map((note) => wrapText(note)),
  ].join('\n');
}
