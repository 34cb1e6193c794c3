/** Puts the chunks of the coverage study together. */
import { chunksOf } from './results.mjs';
import { METRICS } from './scenarios.mjs';
import { meanOf, wilson } from './verdicts.mjs';

/** A warning marks a run whose p-value lies below this, as in the package. */
const MARKED = 0.01;

/** The interval methods by the kind of chunk that holds them. */
const METHODS = {
  intervals: ['fits10', 'corrected_t', 'bayle_all', 'bayle_within'],
  fewer: ['fits5', 'fits0'],
  competitors: ['conservative_z', 'cv_bootstrap', 'nested_cv'],
};

/**
 * Per scenario and metric: `truth` and its standard error, `trueAuc`; `methods`, by name `{ covered, limits, n,
 * missing, width }` (coverage of the truth, its Wilson limits, given and missing intervals); `ratios`, the mean width
 * over that of the corrected t interval of the same repetitions; `bias`, mean estimate less truth in standard
 * deviations of the estimate; `predictions`, what `ciFits: 0` covers of the mean performance of the models of each
 * repetition, and the share of runs that the warning marks; `unseen`, the share of intervals with a training part of 0, and
 * what they cover. Scenarios that have not been run are left out; so are
 * metrics without any interval, which depend on the prevalence in a case-control study.
 */
export function summarise(scenarios, folderOf) {
  return scenarios.flatMap((scenario) => {
    const folder = folderOf(scenario);
    const truths = chunksOf(folder, scenario.id, 'truth').map(({ found }) => found);
    const chunks = Object.fromEntries(Object.keys(METHODS).map((kind) => [kind, chunksOf(folder, scenario.id, kind)]));
    if (truths.length === 0 || chunks.intervals.length === 0) return [];
    const trueAuc = truthOf(truths, 'roc_auc').truth;
    return METRICS.flatMap((metric) => {
      const { truth, truthSe } = truthOf(truths, metric);
      const limits = {};
      for (const [kind, methods] of Object.entries(METHODS)) {
        for (const method of methods) limits[method] = byRepetition(chunks[kind], method, metric);
      }
      const methods = Object.fromEntries(
        Object.entries(limits).flatMap(([method, found]) => {
          const counted = coverage(found, () => truth);
          return counted ? [[method, counted]] : [];
        }),
      );
      if (!methods.fits10) return [];
      const ratios = Object.fromEntries(
        Object.keys(methods).map((method) => [method, ratio(limits[method], limits.corrected_t)]),
      );
      const predictions = ofPredictions(chunks.fewer, metric, limits.fits0);
      const bias = biasOf(chunks.intervals, metric, truth);
      const unseen = ofUnseen(chunks.intervals, metric, limits.fits10, truth);
      return [{ ...scenario, metric, truth, truthSe, trueAuc, bias, methods, ratios, predictions, unseen }];
    });
  });
}

function truthOf(chunks, metric) {
  const sum = (key) => chunks.reduce((total, chunk) => total + chunk[metric][key], 0);
  const n = sum('count');
  const truth = sum('sum') / n;
  return { truth, truthSe: Math.sqrt(Math.max(0, sum('squares') / n - truth ** 2) / n) };
}

/** A Map of repetition to [lower, upper], null where a method gave no interval. */
function byRepetition(chunks, method, metric) {
  const found = new Map();
  for (const { from, found: chunk } of chunks) {
    chunk[method].lower[metric].forEach((lower, at) => {
      const upper = chunk[method].upper[metric][at];
      found.set(from + at, lower === null || upper === null ? null : [lower, upper]);
    });
  }
  return found;
}

/** How often intervals hold `target(repetition)`; undefined where there is none. */
function coverage(found, target) {
  const given = [...found].filter(([, limits]) => limits !== null);
  if (given.length === 0) return undefined;
  const hits = given.filter(([at, [lower, upper]]) => lower <= target(at) && target(at) <= upper).length;
  return {
    covered: hits / given.length,
    limits: wilson(hits, given.length),
    n: given.length,
    missing: found.size - given.length,
    width: meanOf(given.map(([, [lower, upper]]) => upper - lower)),
  };
}

function ratio(ours, ruler) {
  let [width, unit] = [0, 0];
  for (const [at, limits] of ours) {
    const other = ruler.get(at);
    if (!limits || !other) continue;
    width += limits[1] - limits[0];
    unit += other[1] - other[0];
  }
  return unit > 0 ? width / unit : Number.NaN;
}

function biasOf(chunks, metric, truth) {
  const estimates = chunks.flatMap(({ found }) => found.estimates[metric].filter((value) => value !== null));
  const mean = meanOf(estimates);
  return (mean - truth) / Math.sqrt(meanOf(estimates.map((value) => (value - mean) ** 2)));
}

/** Of intervals whose halves show no effect of training; undefined where all do. */
function ofUnseen(chunks, metric, limits, truth) {
  const shares = new Map();
  for (const { from, found } of chunks) {
    found.trainingShares[metric].forEach((value, at) => {
      if (value !== null) shares.set(from + at, value);
    });
  }
  const counted = coverage(new Map([...limits].filter(([at]) => shares.get(at) === 0)), () => truth);
  return counted && { ...counted, share: counted.n / shares.size };
}

function ofPredictions(chunks, metric, limits) {
  const values = new Map();
  const pValues = [];
  for (const { from, found } of chunks) {
    found.models.value[metric].forEach((value, at) => {
      if (value !== null) values.set(from + at, value);
    });
    pValues.push(...found.models.pValue[metric].filter((p) => p !== null));
  }
  const counted = coverage(new Map([...limits].filter(([at]) => values.has(at))), (at) => values.get(at));
  if (!counted) return undefined;
  return {
    ...counted,
    tested: pValues.length,
    marked: pValues.length > 0 ? pValues.filter((p) => p < MARKED).length / pValues.length : undefined,
  };
}
