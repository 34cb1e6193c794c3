import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { groupBy } from '../core/groupBy.js';
import { rejectUnusedOption } from '../core/options.js';
import { permutation, type RandomSource } from '../core/random.js';
import { type Label, type Labels, rowNumbers } from '../data/labels.js';
import { groupsOf } from '../data/sideData.js';
import { targetColumns } from '../data/targets.js';

export type Scheme = 'within' | 'between';

export interface LabelMoves {
  /** `rows`: freely. `patients`: the one label of a patient moves as a block. */
  readonly scheme: 'rows' | 'patients' | Scheme;
  readonly text: string;
  /** For each row the row whose label it gets. */
  draw(random: RandomSource): Int32Array;
}

/**
 * Rows without groups; whole patients where every patient has one label; else as `scheme` says. Rows of weight 0 keep
 * their label, and no other row gets it.
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
      draw: exchanging([Array.from(counting, (row) => [row])], n),
    };
  }
  const patients = rowsByPatient(groups, n, counting);
  const varying = countVarying(labels, patients);
  if (varying === 0) {
    if (scheme === 'within') rejectUnusedOption(owner, 'scheme', 'every patient has one label');
    return {
      scheme: 'patients',
      text: `${counted(patients.length, 'patient')}, each with one label`,
      draw: exchanging([patients], n),
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
      draw: exchanging(
        patients.map((rows) => rows.map((row) => [row])),
        n,
      ),
    };
  }
  const bySize = groupBy(patients, (rows) => rows.length);
  const classes = [...bySize.values()].filter((members) => members.length > 1);
  const movable = classes.flat().length;
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
    draw: exchanging(classes, n),
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

function sameLabel({ task, codes, numbers, indicators, length }: Labels): (a: number, b: number) => boolean {
  if (task === 'regression') {
    const columns = targetColumns({ numbers, length });
    return (a, b) => columns.every((values) => values[a] === values[b]);
  }
  if (task === 'survival') return (a, b) => numbers[a] === numbers[b] && codes[a] === codes[b];
  if (task !== 'multilabel') return (a, b) => codes[a] === codes[b];
  const width = indicators.length / length;
  const text = Array.from({ length }, (_, row) => indicators.subarray(row * width, (row + 1) * width).join());
  return (a, b) => text[a] === text[b];
}

/** In each of `sets` the blocks change places: a row gets the label of the row at its place in another block. */
const exchanging = (sets: readonly (readonly number[][])[], n: number) => (random: RandomSource) => {
  const from = rowNumbers(n);
  for (const blocks of sets) {
    const order = permutation(random, blocks.length);
    blocks.forEach((rows, block) => {
      const others = blocks[order[block]];
      rows.forEach((row, at) => {
        from[row] = others[at] ?? others[0];
      });
    });
  }
  return from;
};
