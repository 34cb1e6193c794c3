import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { rejectUnusedOption } from '../core/options.js';
import { permutation, type RandomSource } from '../core/random.js';
import { type Label, type Labels, rowNumbers } from '../data/labels.js';
import { groupsOf } from '../data/sideData.js';

/** How the labels of varying patients move: among the rows of each patient, or between patients with equally many. */
export type Scheme = 'within' | 'between';

/** A way to exchange labels that keeps their joint distribution when features say nothing about them. */
export interface LabelMoves {
  /** `rows`: freely. `patients`: the one label of a patient moves as a block. */
  readonly scheme: 'rows' | 'patients' | Scheme;
  /** What moves, in words. */
  readonly text: string;
  /** For each row the row whose label it gets. */
  draw(random: RandomSource): Int32Array;
}

/**
 * Rows without groups; whole patients where every patient has one label; else as `scheme` says. Rows of weight 0 keep
 * their label, and no other row gets it. Throws {@link InvalidOptionError} when `scheme` is missing or has no effect,
 * and when nothing could move.
 *
 * Source: Winkler, Webster, Vidaurre, Nichols & Smith 2015, NeuroImage 123:253, for exchangeability blocks.
 */
export function labelMoves(
  labels: Labels,
  groups: ArrayLike<Label> | undefined,
  scheme: Scheme | undefined,
  owner = 'permutationTest',
  weight?: ArrayLike<number> | null,
): LabelMoves {
  const n = labels.length;
  const counting = countingRows(n, weight);
  if (groups === undefined) {
    if (scheme !== undefined) rejectUnusedOption(owner, 'scheme', 'there are no groups');
    return {
      scheme: 'rows',
      text: `${counting.length} rows one by one; pass \`groups\` where patients have several`,
      draw: blocks(
        Array.from(counting, (row) => [row]),
        n,
      ),
    };
  }
  const patients = rowsByPatient(groups, n, counting);
  const varying = countVarying(labels, patients);
  if (varying === 0) {
    if (scheme === 'within') rejectUnusedOption(owner, 'scheme', 'every patient has one label');
    return {
      scheme: 'patients',
      text: `${counted(patients.length, 'patient')}, each with one label`,
      draw: blocks(patients, n),
    };
  }
  if (scheme === undefined) {
    const subject = `The \`scheme\` option of ${owner}`;
    const must = "be 'within' or 'between' when labels vary within patients";
    const got = phrase(`nothing, and ${varying} of ${counted(patients.length, 'patient')} with labels that vary`);
    const way = "Use 'within' for labels that change over visits, 'between' to exchange whole patients.";
    throw new InvalidOptionError(sentence(subject, must, got, way), { code: 'permutation_scheme' });
  }
  if (scheme === 'within') {
    return {
      scheme,
      text: `the rows of each of ${counted(varying, 'patient')} whose labels vary`,
      draw: within(patients, n),
    };
  }
  const classes = bySize(patients).filter((members) => members.length > 1);
  const movable = classes.reduce((sum, members) => sum + members.length, 0);
  if (movable === 0) {
    throw new InvalidOptionError(
      sentence(
        "scheme: 'between'",
        'have patients with equally many rows, whose labels can change places',
        phrase('a different number of rows for every patient'),
        "Use 'within' instead.",
      ),
      { code: 'permutation_scheme' },
    );
  }
  const stuck = patients.length - movable;
  const text = `the labels of ${counted(movable, 'patient')} as whole vectors, among those with equally many rows`;
  return {
    scheme,
    text: stuck > 0 ? `${text}; ${stuck} have no such partner and keep theirs` : text,
    draw: between(classes, n),
  };
}

export const varyingPatients = (labels: Labels, groups: ArrayLike<Label>, weight?: ArrayLike<number> | null): number =>
  countVarying(labels, rowsByPatient(groups, labels.length, countingRows(labels.length, weight)));

const countingRows = (n: number, weight: ArrayLike<number> | null | undefined): Int32Array =>
  weight ? rowNumbers(n).filter((row) => weight[row] > 0) : rowNumbers(n);

function countVarying(labels: Labels, patients: readonly number[][]): number {
  const same = sameLabel(labels);
  return patients.filter((rows) => rows.some((row) => !same(row, rows[0]))).length;
}

function rowsByPatient(groups: ArrayLike<Label>, n: number, counting: Int32Array): number[][] {
  const { codes, count } = groupsOf(groups, n);
  const patients = Array.from({ length: count }, (): number[] => []);
  for (const row of counting) patients[codes[row]].push(row);
  return patients.filter((rows) => rows.length > 0);
}

function bySize(patients: readonly number[][]): number[][][] {
  const classes = new Map<number, number[][]>();
  for (const rows of patients) classes.set(rows.length, [...(classes.get(rows.length) ?? []), rows]);
  return [...classes.values()];
}

function sameLabel({ task, codes, numbers, indicators, length }: Labels): (a: number, b: number) => boolean {
  if (task === 'regression') return (a, b) => numbers[a] === numbers[b];
  if (task !== 'multilabel') return (a, b) => codes[a] === codes[b];
  const width = indicators.length / length;
  const text = Array.from({ length }, (_, row) => indicators.subarray(row * width, (row + 1) * width).join());
  return (a, b) => text[a] === text[b];
}

const blocks = (patients: readonly number[][], n: number) => (random: RandomSource) => {
  const order = permutation(random, patients.length);
  const from = rowNumbers(n);
  patients.forEach((rows, patient) => {
    for (const row of rows) from[row] = patients[order[patient]][0];
  });
  return from;
};

const within = (patients: readonly number[][], n: number) => (random: RandomSource) => {
  const from = rowNumbers(n);
  for (const rows of patients) {
    const order = permutation(random, rows.length);
    rows.forEach((row, at) => {
      from[row] = rows[order[at]];
    });
  }
  return from;
};

const between = (classes: readonly number[][][], n: number) => (random: RandomSource) => {
  const from = rowNumbers(n);
  for (const patients of classes) {
    const order = permutation(random, patients.length);
    patients.forEach((rows, patient) => {
      rows.forEach((row, at) => {
        from[row] = patients[order[patient]][at];
      });
    });
  }
  return from;
};
