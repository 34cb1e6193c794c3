import { InfeasibleSplitError, InvalidDataError, invalidData, kindOf, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { lowerBound } from '../core/lowerBound.js';
import { integer, isPlainObject, ofRows } from '../core/options.js';
import { sortedQuantile } from '../core/quantiles.js';
import { encode, tally } from '../data/encode.js';
import { classText, type Label, labelsOf } from '../data/labels.js';
import { checkLength } from '../data/sideData.js';

/** Every stratum has rows; codes ascend with the label (or with the bin). */
export interface Strata {
  readonly codes: Int32Array;
  readonly counts: Int32Array;
  /** Each stratum as messages name it: "class 'benign'". */
  readonly names: readonly string[];
}

interface Asker {
  readonly owner: string;
  readonly argument?: string;
  readonly instead: string;
}

/** The classes of `y`. Throws {@link InvalidDataError} for NaN, a wrong length, a continuous or a multilabel `y`. */
export function strataOf(y: unknown, n: number, { owner, argument = 'y', instead }: Asker): Strata {
  const { task, length, classes, codes } = labelsOf(y, { name: argument });
  checkLength({ length }, n, argument);
  const subject = `${argument} of ${owner}`;
  if (task === 'multilabel') throw invalidData('multilabel_y', subject, 'be class labels', 'several per row');
  if (task === 'regression') {
    const got = 'continuous numbers (not at most 20 distinct integers)';
    throw invalidData('continuous_y', subject, 'be class labels', got, instead);
  }
  if (task === 'survival') return eventStrata(codes);
  return strataPresent(codes, classes.length, (code) => `class ${classText(classes, code)}`);
}

const eventStrata = (codes: Int32Array) =>
  strataPresent(codes, codes.reduce((most, code) => Math.max(most, code), 0) + 1, (code) =>
    code ? `event ${code}` : 'censored rows',
  );

type StrataColumns = Readonly<Record<string, ArrayLike<Label>>>;

export const strataOptions = {
  bins: integer({ min: 2 })
    .nullable()
    .default(null)
    .describe('Stratify a continuous y by that many quantile bins instead of by class.'),
  strata: ofRows<StrataColumns>('record of name -> label[]', 'be a record of column name to labels', isPlainObject)
    .nullable()
    .default(null)
    .describe('Columns to stratify by, in combination with the classes (or bins) of y.'),
};

/** The classes of `y`, or its quantile bins. */
export function outcomeStrata(y: unknown, n: number, owner: string, bins: number | null): Strata {
  const instead = `Use new ${owner}({ bins: 5 }) to stratify by quantiles, or ${owner.replace('Stratified', '')}.`;
  if (bins === null) return strataOf(y, n, { owner, instead });
  const labels = labelsOf(y);
  if (labels.task !== 'survival') return quantileStrata(owner, y, n, bins);
  checkLength(labels, n, 'y');
  return joinedStrata(quantileStrata(owner, labels.numbers, n, bins), { event: labels.codes }, n);
}

/** The combinations that occur; those of `strata` itself without columns. */
export function joinedStrata(strata: Strata, columns: StrataColumns | null, n: number): Strata {
  let joined = strata;
  for (const [name, values] of Object.entries(columns ?? {})) {
    const { codes, classes, length } = labelsOf(values, { task: 'classification', name: `strata.${name}` });
    checkLength({ length }, n, `strata.${name}`);
    const count = classes.length;
    const { names, codes: known } = joined;
    const pairs = encode(Float64Array.from(codes, (code, row) => known[row] * count + code));
    joined = strataPresent(pairs.codes, pairs.classes.length, (at) => {
      const pair = pairs.classes[at];
      return `${names[Math.floor(pair / count)]} with ${nameText(name)} ${classText(classes, pair % count)}`;
    });
  }
  return joined;
}

/** One-hot columns, views of some rows and quantiles between ties have empty strata: no fold can hold these. */
function strataPresent(codes: Int32Array, count: number, nameOf: (code: number) => string): Strata {
  const counts = tally(codes, count);
  if (!counts.includes(0)) return { codes, counts, names: Array.from(counts, (_, code) => nameOf(code)) };
  const present = encode(codes);
  return { codes: present.codes, counts: counts.filter((rows) => rows > 0), names: present.classes.map(nameOf) };
}

/** Between quantiles by linear interpolation, as `numpy.quantile`. A bin includes its upper edge; equal edges merge. */
export function quantileStrata(owner: string, y: unknown, n: number, bins: number): Strata {
  const instead = `Use ${owner.replace('Stratified', '')}, or stratify by one of them with \`strata\`.`;
  const { classes } = labelsOf(y);
  if (classes.length > 0 && typeof classes[0] !== 'number') {
    const way = 'Leave `bins` out to stratify by class.';
    throw new InvalidDataError(sentence(`y of ${owner} with \`bins\``, 'be numbers', kindOf(classes[0]), way));
  }
  const { numbers, classes: targets } = labelsOf(y, { task: 'regression' });
  if (targets.length > 0) {
    const got = `${targets.length} targets`;
    throw invalidData('several_targets', `y of ${owner} with \`bins\``, 'be one number per row', got, instead);
  }
  checkLength(numbers, n, 'y');
  const sorted = numbers.slice().sort();
  const inner = Array.from({ length: bins - 1 }, (_, i) => sortedQuantile(sorted, (i + 1) / bins));
  const edges = [...new Set(inner)].filter((edge) => edge < sorted[n - 1]);
  const codes = new Int32Array(n);
  for (let row = 0; row < n; row++) codes[row] = lowerBound(edges, numbers[row]);
  const bounds = [sorted[0], ...edges, sorted[n - 1]].map((bound) => Number(bound.toPrecision(4)));
  return strataPresent(codes, edges.length + 1, (bin) => `bin ${bounds[bin]} to ${bounds[bin + 1]}`);
}

/**
 * A warning where a stratum has fewer rows than there are folds. Throws {@link InfeasibleSplitError} where every stratum
 * has fewer, as scikit-learn refuses it, and where all but the largest have together: a test fold would have one alone.
 */
export function rareStrata(owner: string, nSplits: number, { codes, counts, names }: Strata, what = 'class'): string[] {
  const n = codes.length;
  const ascending = Array.from(counts.keys()).sort((a, b) => counts[a] - counts[b]);
  const listed = (strata: readonly number[]) => {
    const rows = strata.slice(0, 5).map((stratum) => `${counts[stratum]} of ${names[stratum]}`);
    return `(rows: ${rows.join(', ')}${strata.length > 5 ? ', ...' : ''})`;
  };
  const largest = Math.max(...counts);
  const most = names.length > 1 ? Math.min(largest, n - largest) : n;
  if (nSplits > most) {
    const whose = names.length > 2 ? `the largest ${what}, and of all others` : names[ascending[0]];
    const must = `be at most the number of rows of ${whose}, ${most} ${listed(ascending)}`;
    throw new InfeasibleSplitError(sentence(`The \`nSplits\` option of ${owner}`, must, nSplits));
  }
  const rare = ascending.filter((stratum) => counts[stratum] < nSplits);
  return rare.length > 0
    ? [`Some test folds lack a ${what} with fewer rows than the ${nSplits} folds ${listed(rare)}.`]
    : [];
}
