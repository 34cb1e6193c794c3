/** All splitters by name. A class listed here passes the conformance suite and appears in the documents. */
import type { OptionShape } from '../core/options.js';
import { createRegistry } from '../core/registry.js';
import { GroupKFold } from './grouped/groupKFold.js';
import { StratifiedGroupKFold } from './grouped/stratifiedGroupKFold.js';
import { HoldOut } from './iid/holdOut.js';
import { KFold } from './iid/kFold.js';
import { RepeatedKFold } from './iid/repeatedKFold.js';
import { StratifiedKFold } from './iid/stratifiedKFold.js';
import type { Splitter, SplitterFacts } from './splitter.js';

/** A registered splitter: its facts and a way to make one. */
export interface SplitterEntry extends SplitterFacts {
  // biome-ignore lint/suspicious/noExplicitAny: each class checks its own options at its door
  create(options?: any): Splitter;
}

interface SplitterClass {
  readonly facts: SplitterFacts<OptionShape>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  new (options?: any): Splitter;
}

const BUILT_IN: readonly SplitterClass[] = [
  HoldOut,
  KFold,
  StratifiedKFold,
  RepeatedKFold,
  GroupKFold,
  StratifiedGroupKFold,
];

/** All splitters by class name and alias. */
export const splitterRegistry = createRegistry<SplitterEntry>('splitter');
for (const Class of BUILT_IN) splitterRegistry.add({ ...Class.facts, create: (options) => new Class(options) });
