/** What the common suite tries of each splitter beyond its defaults: one file per group of splitters. */
import { splitterRegistry } from '../../../src/splitters/registry.js';
import { methodName } from '../../../src/validator/methods.js';
import type { SplitterUnderTest } from '../../conformance/splitterSuite.js';
import { clustered } from './clustered.js';
import { givenFolds } from './givenFolds.js';
import { grouped } from './grouped.js';
import { iid } from './iid.js';
import { multilabel } from './multilabel.js';
import { nested } from './nested.js';
import { purged } from './purged.js';
import { spatial } from './spatial.js';
import { stratifiedGroups } from './stratifiedGroups.js';
import { temporal } from './temporal.js';

/**
 * By class name: required options and variants with code of their own (`examples`), data of a special kind
 * (`dataSets`), and for seeded designs that no other library can confirm a `golden` fingerprint. A fingerprint pins, it
 * proves nothing: a change moves rows for users who kept their seed, so it belongs in the changelog.
 */
export type Examples = Readonly<Record<string, Pick<SplitterUnderTest, 'examples' | 'dataSets' | 'golden'>>>;

export const EXAMPLES: Examples = {
  ...iid,
  ...grouped,
  ...stratifiedGroups,
  ...temporal,
  ...purged,
  ...spatial,
  ...clustered,
  ...multilabel,
  ...nested,
  ...givenFolds,
};

/** The first example of a splitter, by class or method, that cannot be made without options: for all that makes every splitter. */
export function requiredOptions(name: string): Readonly<Record<string, unknown>> | undefined {
  const entry = [...splitterRegistry].find((each) => [each.name, methodName(each.name)].includes(name));
  const isRequired = Object.values(entry?.options.shape ?? {}).some(({ presence }) => presence === 'required');
  return entry && isRequired ? EXAMPLES[entry.name]?.examples?.[0] : undefined;
}
