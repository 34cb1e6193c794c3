/** How many test folds can have two classes or more: the rule, its proof in words, and groups that make them. */
import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { foldId } from '../assignment.js';
import type { GroupTable, StratifiedPlacement } from './stratifiedPlacement.js';

/** Classes or folds that one message names. */
const MAX_NAMED = 5;

/** Groups by what makes a fold of two classes: a group with several, or two groups of one class each. */
export interface ClassCoverage {
  /** Groups with two classes or more. */
  readonly several: readonly number[];
  /** Groups with one class only, by class. */
  readonly single: readonly (readonly number[])[];
  /** Largest number of folds that can have two classes or more at a time. */
  readonly largest: number;
  /** The counts behind `largest`. */
  readonly proof: string;
}

/**
 * The rule: `several + pairs` folds and no more, because every such fold needs a group of several classes or a pair of
 * groups of different classes, and no group serves two folds. Of `s` groups with one class each, `s_c` of class c,
 * `min(floor(s / 2), s - max s_c)` pairs can be made; of two classes that is `min(s_0, s_1)`.
 */
export function classCoverage(
  { counts, width }: GroupTable,
  order: Int32Array,
  names: readonly string[],
): ClassCoverage {
  const several: number[] = [];
  const single: number[][] = names.map(() => []);
  for (const group of order) {
    const held = counts.subarray(group * width, group * width + names.length);
    const first = held.findIndex((count) => count > 0);
    if (held.some((count, label) => count > 0 && label !== first)) several.push(group);
    else single[first].push(group);
  }
  const sizes = single.map((groups) => groups.length);
  const all = sizes.reduce((a, b) => a + b, 0);
  const most = Math.max(...sizes);
  const two = names.length === 2;
  const pairs = Math.min(Math.floor(all / 2), all - most);
  const largest = several.length + pairs;
  const counted = names.slice(0, MAX_NAMED).map((name, label) => `with only ${name}: ${sizes[label]}`);
  const rule = two ? `min(${sizes[0]}, ${sizes[1]})` : `min(floor(${all} / 2), ${all} - ${most})`;
  const proof =
    `groups with ${two ? 'both classes' : 'several classes'}: ${several.length}, ${counted.join(', ')}` +
    `${names.length > MAX_NAMED ? ', ...' : ''}; ${several.length} + ${rule} = ${largest}`;
  return { several, single, largest, proof };
}

/** Throws when more folds are asked for than can have two classes. `way` tells of another way out than fewer folds. */
export function checkTwoClasses(
  owner: string,
  nSplits: number,
  { largest, proof, single }: ClassCoverage,
  way?: string,
): void {
  if (nSplits <= largest) return;
  const what = single.length === 2 ? 'both classes' : 'two classes or more';
  throw new InfeasibleSplitError(
    largest < 2
      ? sentence(
          `The groups of ${owner}`,
          `put ${what} into at least two test folds`,
          phrase(`at most ${largest} such fold (${proof})`),
          way,
        )
      : sentence(
          `The \`nSplits\` option of ${owner}`,
          `be at most ${largest}, so that every test fold has ${what} (${proof})`,
          nSplits,
        ),
  );
}

/**
 * Groups for each fold, at least one, that give two classes to as many folds as can have them: first the groups with
 * several classes, then pairs, each from the two classes with most groups left, which makes as many pairs as there are.
 */
export function coveringGroups({ several, single }: ClassCoverage, nSplits: number, groups: number): number[][] {
  const left = single.map((members) => [...members]);
  const folds = several.slice(0, nSplits).map((group) => [group]);
  // A pair takes one group more than a fold must have.
  for (let spare = groups - nSplits; folds.length < nSplits && spare > 0; spare--) {
    const [first, second] = left.toSorted((a, b) => b.length - a.length);
    if (second.length === 0) break;
    folds.push([first.pop()!, second.pop()!]);
  }
  const rest = left.flat();
  while (folds.length < nSplits) folds.push([rest.pop()!]);
  return folds;
}

/** Full sentences about folds of one class and about classes that some folds lack. */
export function lackWarnings(
  placement: StratifiedPlacement,
  { proof }: ClassCoverage,
  names: readonly string[],
): string[] {
  const { nSplits, table } = placement;
  const warnings: string[] = [];
  const lacked = Array.from({ length: nSplits }, (_, fold) => placement.lackedBy(fold));
  const weak = lacked.flatMap((missing, fold) => {
    const own = names.filter((_, label) => !missing.includes(label));
    return own.length === 1 ? [`${foldId(fold)} tests only ${own[0]}`] : [];
  });
  if (weak.length > 0) {
    warnings.push(
      `Not every test fold can have ${names.length === 2 ? 'both classes' : 'two classes'} (${proof}): ` +
        `${listed(weak)}. Metrics must be read pooled over all folds, not fold by fold.`,
    );
  }
  // Of two classes the sentence above has said it all.
  if (names.length > 2) {
    const rare = names.flatMap((name, label) => {
      const without = lacked.filter((missing) => missing.includes(label)).length;
      return without > 0 ? [aboutClass(name, table.holders[label], without, nSplits)] : [];
    });
    warnings.push(...rare.slice(0, MAX_NAMED));
    const more = rare.length - MAX_NAMED;
    if (more > 0) warnings.push(`${more} more class${more > 1 ? 'es are' : ' is'} missing from some test folds.`);
  }
  return warnings;
}

function aboutClass(name: string, holders: number, without: number, nSplits: number): string {
  const subject = `${name.charAt(0).toUpperCase()}${name.slice(1)} is in ${holders} group${holders === 1 ? '' : 's'}`;
  const lack = `${without} test fold${without === 1 ? ' lacks' : 's lack'} it`;
  return holders < nSplits
    ? `${subject}, fewer than the ${nSplits} folds: ${lack}.`
    : `${subject}, enough for the ${nSplits} folds, but the search found no folds that all test it: ${lack}. ` +
        'That does not prove that there are none.';
}

function listed(items: readonly string[]): string {
  return items.length > MAX_NAMED ? `${items.slice(0, MAX_NAMED).join(', ')}, ...` : items.join(', ');
}
