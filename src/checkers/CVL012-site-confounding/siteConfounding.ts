import { counted, formatNumber, wholePercent } from '../../core/format.js';
import { mean, sum } from '../../core/numbers.js';
import { permutationPValue } from '../../core/pValues.js';
import { type RandomSource, sample, shuffle } from '../../core/random.js';
import { numberPerRow } from '../../data/classCounts.js';
import { tally } from '../../data/encode.js';
import { gather, type Labels, rowNumbers } from '../../data/labels.js';
import type { SideData } from '../../data/sideData.js';
import { concordance } from '../../metrics/rocPlacements.js';
import { type Check, type Evidence, notApplicable, notDetectable, passed } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { cholesky, solveWith } from '../features/cholesky.js';
import { columnRanks } from '../features/columnRanks.js';
import { countedLevel, type HierarchyLevel, hierarchyLevels, pluralOf } from '../features/levels.js';
import { dot } from '../features/orthonormalBasis.js';
import { type CodedRows, featureMeans, type UnitVariable } from '../features/unitMeans.js';
import { openQuestion, SITE_SIGNS } from '../openQuestion.js';
import { overlapOf } from '../overlap.js';
import { meansOf } from '../shift/unitTable.js';
import {
  detectableEffect,
  type PatientLabels,
  type PatientSites,
  siteAssociation,
  statisticOf,
} from './association.js';

/** Family-wise over all levels: within the .01 of one call, with room to spare. */
const ALPHA = 0.005;
const ALONE = 0.98;
/** A smaller association is not worth a finding, however certain. */
const LEAST_EFFECT = 0.1;
const MOST_PATIENTS = 500;

/** What CVL012 measured at the level on which the label depends most. */
export type SiteDetails = {
  readonly level: string;
  readonly levels: readonly string[];
  readonly ids: number;
  readonly patients: number;
  readonly effect: number;
  readonly measure: 'cramers_v' | 'root_epsilon_squared';
  readonly pValue: number;
  /** The least effect that would have been found. */
  readonly detectable: number;
  /** AUC of the site alone, of a binary label. */
  readonly siteAuc: number | null;
  /** How well features tell the site, and how well naming the largest does. */
  readonly siteAccuracy?: number;
  readonly siteChance?: number;
  readonly largestShareGap: Evidence;
};

/**
 * CVL012: the label depends on the site (scanner, batch), so that a model that knows the site knows part of the label.
 * Labels of whole patients are permuted over the sites. How far the folds differ in their sites, and how well the
 * features tell the site, is described.
 *
 * Source: Zech et al. 2018, PLoS Medicine 15:e1002683.
 */
export const siteConfounding: Check<SiteDetails> = {
  code: 'CVL012',
  type: 'site_confounding',
  kind: 'leakage',
  cost: 'slow',
  page: 'docs/checks/CVL012.md',
  description: 'The label depends on the site, scanner or batch that the patient is from.',
  needs: ['X', 'y', 'hierarchy'],
  whenMissing: (input) => openQuestion('site_confounding', input, SITE_SIGNS),
  async assess(input) {
    const { folds, data } = input;
    const y = input.y as Labels;
    const table = patientTable(y, data, folds.n);
    const { labels, levels, unit, without } = table;
    const n = labels.values.length;
    const more = without.count > 0 ? `${without.count} more have no ${without.levels.join(' or ')}` : undefined;
    if (levels.length === 0)
      return notApplicable('No level above the patients has several ids, so there are no sites to compare.');
    if (labels.values.every((value) => value === labels.values[0])) {
      const of = labels.classes ? 'commonest label' : 'mean label';
      const same = varies(y) ? `The ${of} of every ${unit} is the same` : 'All patients have the same label';
      return notDetectable(`${same}${more ? ` (${more})` : ''}.`, 'Use patients of several labels.');
    }
    const found = levels
      .map((level) => ({ level, ...siteAssociation(labels, level) }))
      .reduce((a, b) => (standardised(b.statistic, b.degrees) > standardised(a.statistic, a.degrees) ? b : a));
    const { level, effect } = found;
    const sizes = [countedLevel(level.count, level.name), counted(n, unit), ...(more ? [more] : [])].join(', ');
    const least = detectableEffect(
      found,
      Math.min(n, MOST_TESTED),
      labels.classes ? Math.min(labels.classes, level.count) - 1 : 1,
    );
    const measure = labels.classes ? "Cramér's V" : 'root of epsilon squared';
    if (least > 1) {
      const message = `Whether the label depends on ${level.name} is not detectable at this n (${sizes}).`;
      return notDetectable(message, 'Use more patients per site.');
    }
    const random = input.random(siteConfounding.code);
    const pValue = await permutedAssociation(labels, levels, random);
    const area = labels.classes === 2 ? siteArea(labels.values as Int32Array, level, random) : null;
    const bySite = await siteFromFeatures(input, table, level, random);
    const evidence: SiteDetails = {
      level: level.name,
      levels: levels.map(({ name }) => name),
      ids: level.count,
      patients: n,
      effect,
      measure: labels.classes ? 'cramers_v' : 'root_epsilon_squared',
      pValue,
      detectable: least,
      siteAuc: area,
      ...(bySite ? { siteAccuracy: bySite.accuracy, siteChance: bySite.chance } : {}),
      largestShareGap: largestGap(input, level),
    };
    const strength = `${measure} ${formatNumber(effect)}, p = ${formatNumber(pValue)}; ${sizes}`;
    const tells = bySite
      ? ` Features tell the ${level.name} of ${wholePercent(bySite.accuracy)} of the ${pluralOf(unit)} (${wholePercent(bySite.chance)} by naming the largest).`
      : '';
    if (pValue > ALPHA || effect < LEAST_EFFECT) {
      const would = `${formatNumber(Math.max(LEAST_EFFECT, least))} or more would have been found`;
      return passed(`No dependence of the label on ${level.name} was found (${strength}; ${would}).${tells}`, evidence);
    }
    const alone =
      area === null
        ? `The label depends on ${level.name}`
        : `${level.name} alone predicts the label with AUC ${formatNumber(area)}`;
    return {
      status: 'needs_review',
      severity: 'medium',
      message: `${alone} (${strength}).${tells}`,
      evidence,
      fix: fixFor(level, effect, input),
    };
  },
};

/** Where each site has labels of its own, no folds can tell what the model learns. */
function fixFor({ name, rows, count }: SiteLevel, effect: number, { folds }: CheckInput): string {
  if (effect >= ALONE)
    return `Add patients of every label from every ${name}: with these, no folds can tell the label from the ${name}.`;
  const report = `report the score by ${name}`;
  return overlapOf(folds, rows, count).split.length === 0
    ? `The folds keep every ${name} whole, as they should; ${report}.`
    : `Keep every ${name} whole (HierarchicalGroupKFold with \`hierarchyLevel: '${name}'\`), and ${report}.`;
}

/** Labels that differ within patients may still be the same for all of them. */
const varies = ({ codes, indicators, numbers }: Labels) =>
  [codes, indicators, numbers].some((values) => values.some((value) => value !== values[0]));

/** Mean and spread of the chi-square with as many degrees bring levels of many and of few sites together. */
const standardised = (statistic: number, degrees: number) => (statistic - degrees) / Math.sqrt(2 * degrees);

/** Undefined without features, and with so many sites that there are few patients of each. */
async function siteFromFeatures(
  { features }: CheckInput,
  { rows, labels }: PatientTable,
  level: SiteLevel,
  random: RandomSource,
): Promise<SiteAccuracy | undefined> {
  const n = labels.values.length;
  const chosen = n > MOST_PATIENTS ? sample(random, n, MOST_PATIENTS).sort() : rowNumbers(n);
  if (level.count > chosen.length / 5) return undefined;
  const place = new Map(Array.from(chosen, (patient, at) => [patient, at]));
  const codes = rows.codes.map((patient) => place.get(patient) ?? -1);
  const variables = featureMeans({ codes, count: chosen.length }, await features());
  const sites = { codes: gather(level.codes, chosen), count: level.count };
  return variables.length > 0 ? siteAccuracy(variables, sites, random) : undefined;
}

/** Where a site's share of the test rows of a fold differs most from its share of all rows. */
function largestGap({ folds, nameOf }: CheckInput, level: SiteLevel): Record<string, unknown> {
  const overall = siteShares(rowNumbers(folds.n), level);
  let largest = { fold: '', site: 0, share: 0, gap: -1 };
  for (const { id, test } of folds.sides()) {
    siteShares(test, level).forEach((share, site) => {
      const gap = Math.abs(share - overall[site]);
      if (gap > largest.gap) largest = { fold: id, site, share, gap };
    });
  }
  const { fold, site, share } = largest;
  return { fold, [level.name]: nameOf(level.ids[site]), shareOfTest: share, shareOfAll: overall[site] };
}

/** The test goes on until p > .05 is certain, further than a finding needs: p is shown where there is none, too. */
const TEST = { alpha: 0.05, permutations: 999 };
/** An association that matters shows among as many patients; more would cost time alone. */
const MOST_TESTED = 2000;

/**
 * Over all levels together, by the largest standardised statistic: Westfall & Young 1993, Resampling-based multiple
 * testing.
 */
export async function permutedAssociation(
  labels: PatientLabels,
  levels: readonly PatientSites[],
  random: RandomSource,
): Promise<number> {
  const n = labels.values.length;
  const chosen = n > MOST_TESTED ? sample(random, n, MOST_TESTED) : rowNumbers(n);
  const here = { ...labels, values: gather(labels.values, chosen) };
  const tests = levels.flatMap(({ codes, count }) => {
    const sites = { codes: gather(codes, chosen), count };
    const { statistic, degrees } = siteAssociation(here, sites);
    // One site or label alone among those chosen says nothing.
    if (!Number.isFinite(standardised(statistic, degrees))) return [];
    const ofValues = statisticOf(here, sites);
    return [(values: ArrayLike<number>) => standardised(ofValues(values), degrees)];
  });
  const largest = (values: ArrayLike<number>) => tests.reduce((most, test) => Math.max(most, test(values)), -Infinity);
  const observed = largest(here.values);
  const values = here.values.slice();
  const least = observed - 1e-9 * Math.abs(observed);
  return (await permutationPValue(() => largest(shuffle(random, values)) >= least, TEST)).pValue;
}

const FOLDS = 5;

/**
 * Over five folds of patients, by the share of class 1 at the site among the others; null when no fold has both
 * classes.
 */
export function siteArea(labels: Int32Array, { codes, count }: PatientSites, random: RandomSource): number | null {
  const folds = shuffle(
    random,
    labels.map((_, patient) => patient % FOLDS),
  );
  const overall = mean(labels);
  let [pairs, concordant] = [0, 0];
  for (let fold = 0; fold < FOLDS; fold++) {
    const positive = new Float64Array(count).fill(overall);
    const sizes = new Float64Array(count).fill(1);
    labels.forEach((label, patient) => {
      if (folds[patient] === fold) return;
      positive[codes[patient]] += label;
      sizes[codes[patient]]++;
    });
    const tested = Array.from(labels.keys()).filter((patient) => folds[patient] === fold);
    const found = concordance({
      length: tested.length,
      positive: 1,
      yTrue: Int32Array.from(tested, (patient) => labels[patient]),
      scores: Float64Array.from(tested, (patient) => positive[codes[patient]] / sizes[codes[patient]]),
    });
    pairs += found.positives * found.negatives;
    concordant += found.concordant;
  }
  return pairs > 0 ? concordant / pairs : null;
}

interface SiteLevel extends PatientSites {
  readonly name: string;
  readonly ids: HierarchyLevel['ids'];
  readonly rows: Int32Array;
}

interface PatientTable {
  /** What counts as one patient; rows where nobody names patients. */
  readonly unit: string;
  readonly rows: CodedRows;
  readonly labels: PatientLabels;
  /** Patients left out, since none of their rows has an id of each level, and the levels that lack some. */
  readonly without: { readonly count: number; readonly levels: readonly string[] };
  readonly levels: readonly SiteLevel[];
}

/**
 * The commonest class and site of each patient, or the mean rank of its numbers. Without named patients the innermost
 * of several levels stands for them, else each row.
 */
function patientTable(y: Labels, data: SideData, n: number): PatientTable {
  const levels = hierarchyLevels(data, n);
  const unplaced = levels.filter(({ place }) => place === 'unplaced');
  const patients = levels.find(({ place }) => place === 'patient') ?? (levels.length > 1 ? unplaced.at(-1) : undefined);
  const above = levels.filter(
    (level) =>
      level !== patients && level.count > 1 && !level.unclear && (unplaced.includes(level) || level.place === 'above'),
  );
  const codes = (patients?.codes ?? rowNumbers(n)).map((code, row) =>
    above.some((level) => level.codes[row] < 0) ? -1 : code,
  );
  const all = patients?.count ?? n;
  const { codes: rows, count } = renumbered(codes, all);
  return {
    unit: patients?.name ?? 'row',
    rows: { codes: rows, count },
    labels: patientLabels(y, rows, count),
    without: {
      count: all - count,
      levels: above.filter((level) => level.codes.includes(-1)).map(({ name }) => name),
    },
    levels: above
      .map(({ name, ids, codes, count: sites }) => ({
        name,
        ids,
        rows: codes,
        codes: commonest(rows, count, codes, sites),
        count: sites,
      }))
      .filter(({ codes }) => codes.some((code) => code !== codes[0])),
  };
}

function renumbered(codes: Int32Array, count: number): CodedRows {
  const known = codes.filter((code) => code >= 0);
  let next = 0;
  const place = tally(known, count).map((size) => (size > 0 ? next++ : -1));
  return { codes: codes.map((code) => (code < 0 ? -1 : place[code])), count: next };
}

function patientLabels(y: Labels, rows: Int32Array, count: number): PatientLabels {
  if (y.codes.length > 0)
    return { values: commonest(rows, count, y.codes, y.classes.length), classes: y.classes.length };
  const width = y.classes.length;
  const setIn = (row: number) => sum(y.indicators.subarray(row * width, (row + 1) * width));
  const numbers = y.numbers.length > 0 ? numberPerRow(y) : new Float64Array(y.length).map((_, row) => setIn(row));
  const { ranks } = columnRanks({ values: numbers });
  return { values: columnRanks({ values: meansOf(ranks, rows, count) }).ranks };
}

/** The value that most rows of each patient have; of equally common ones the first. */
function commonest(rows: Int32Array, count: number, values: Int32Array, width: number): Int32Array {
  const out = new Int32Array(count).fill(-1);
  const best = new Int32Array(count);
  const counts = new Map<number, number>();
  rows.forEach((patient, row) => {
    if (patient < 0) return;
    const key = patient * width + values[row];
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    if (times < best[patient] || (times === best[patient] && values[row] > out[patient])) return;
    best[patient] = times;
    out[patient] = values[row];
  });
  return out;
}

function siteShares(rows: Int32Array, { rows: sites, count }: SiteLevel): Float64Array {
  const known = gather(sites, rows).filter((site) => site >= 0);
  return Float64Array.from(tally(known, count), (size) => size / Math.max(1, known.length));
}

/** Share of the patients whose site is told by the others' features, and by always naming the largest site. */
interface SiteAccuracy {
  readonly accuracy: number;
  readonly chance: number;
}

/**
 * The covariance within sites is drawn towards the identity by d / (d + n), so that it can be inverted with any number
 * d of features: Friedman 1989, JASA 84:165 (regularised discriminant analysis).
 */
function siteAccuracy(
  variables: readonly UnitVariable[],
  { codes, count }: PatientSites,
  random: RandomSource,
): SiteAccuracy {
  const [n, d] = [codes.length, variables.length];
  const folds = shuffle(
    random,
    codes.map((_, patient) => patient % FOLDS),
  );
  const rows = Array.from(codes, (_, i) => Float64Array.from(variables, ({ values }) => values[i]));
  let right = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const trained = rowNumbers(n).filter((patient) => folds[patient] !== fold);
    const { sizes, means, products } = sumsOf(trained);
    for (let at = 0; at < means.length; at++) means[at] /= sizes[Math.floor(at / d)] || 1;
    const factor = cholesky(withinSites(products, means, sizes, trained.length), d);
    const weights = Array.from({ length: count }, (_, site) =>
      solveWith(factor, means.slice(site * d, (site + 1) * d)),
    );
    const offsets = weights.map((weight, site) => {
      const own = means.subarray(site * d, (site + 1) * d);
      return Math.log(sizes[site] / trained.length) - dot(weight, own) / 2;
    });
    for (let patient = 0; patient < n; patient++) {
      if (folds[patient] !== fold) continue;
      const scores = weights.map((weight, site) => dot(weight, rows[patient]) + offsets[site]);
      if (scores.indexOf(Math.max(...scores)) === codes[patient]) right++;
    }
  }
  return { accuracy: right / n, chance: Math.max(...tally(codes, count)) / n };

  function sumsOf(patients: Int32Array) {
    const [sizes, means, products] = [count, count * d, d * d].map((length) => new Float64Array(length));
    for (const patient of patients) {
      const row = rows[patient];
      sizes[codes[patient]]++;
      for (let i = 0; i < d; i++) {
        means[codes[patient] * d + i] += row[i];
        for (let j = 0; j <= i; j++) products[i * d + j] += row[i] * row[j];
      }
    }
    return { sizes, means, products };
  }
}

/** Lower triangle of the covariance within sites, drawn towards the identity. */
function withinSites(products: Float64Array, means: Float64Array, sizes: Float64Array, n: number): Float64Array {
  const d = means.length / sizes.length;
  for (let site = 0; site < sizes.length; site++) {
    const mean = means.subarray(site * d, (site + 1) * d);
    for (let i = 0; i < d; i++) {
      const scaled = sizes[site] * mean[i];
      for (let j = 0; j <= i; j++) products[i * d + j] -= scaled * mean[j];
    }
  }
  const shrink = d / (d + n);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) products[i * d + j] *= (1 - shrink) / n;
    products[i * d + i] += shrink;
  }
  return products;
}
