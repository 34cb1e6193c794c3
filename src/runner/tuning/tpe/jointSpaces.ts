/** Parameters that can be drawn together. */
import { type Distribution, sameDistribution } from '../distribution.js';
import type { FrozenTrial } from '../frozenTrial.js';

/** Name to distribution, in the order of the names. */
export type JointSpace = Readonly<Record<string, Distribution>>;

/**
 * Which parameters trials had together: those that were in the same trials make up one space. One that had two ranges, or
 * that can be only one value, is in none.
 *
 * @param trials that have ended
 * @param all all spaces; false: only that of the parameters that every trial had, if there is one
 */
export function jointSpaces(trials: readonly FrozenTrial[], all: boolean): readonly JointSpace[] {
  const known = new Map<string, Distribution>();
  const several = new Set<string>();
  // Trials that asked for the same names count once.
  const kinds: (readonly string[])[] = [];
  for (const { distributions } of trials) {
    const names = Object.keys(distributions);
    if (!kinds.some((kind) => isEqual(kind, names))) kinds.push(names);
    for (const name of names) {
      const before = known.get(name);
      if (!before) known.set(name, distributions[name]);
      else if (!sameDistribution(before, distributions[name])) several.add(name);
    }
  }
  const sets = kinds.map((names) => new Set(names));
  const spaces = new Map<string, Record<string, Distribution>>();
  for (const name of [...known.keys()].sort()) {
    const distribution = known.get(name) as Distribution;
    if (several.has(name) || isSingle(distribution)) continue;
    const presence = sets.map((names) => (names.has(name) ? 1 : 0)).join('');
    const space = spaces.get(presence);
    if (space) space[name] = distribution;
    else if (all || !presence.includes('0')) spaces.set(presence, { [name]: distribution });
  }
  return [...spaces.values()];
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, at) => name === b[at]);

/** Whether there is only one value to draw. */
export const isSingle = (distribution: Distribution): boolean =>
  distribution.kind === 'categorical' ? distribution.choices.length === 1 : distribution.low === distribution.high;
