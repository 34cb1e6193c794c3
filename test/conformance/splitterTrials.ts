/** What the splitter suite tries: every option set and seed of a splitter on every data set. */
import type { OptionShape, OptionTable } from '../../src/core/options.js';
import type { RowsInput } from '../../src/data/rows.js';
import type { SideData } from '../../src/data/sideData.js';
import { checkedClaims, type Fold, type Splitter, type SplitterClaims } from '../../src/splitters/splitter.js';
import { type SplitterData, smallDataSets } from './splitterData.js';
import { ensure } from './suite.js';

export type Need = 'y' | keyof SideData;
export type Options = Readonly<Record<string, unknown>>;

/** A splitter to be tested. A row of the splitter registry is one; so is what a third party writes by hand. */
export interface SplitterUnderTest {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each splitter checks its own options
  create(options?: any): Splitter;
  /** What it promises; what an instance itself claims counts first. */
  readonly claims?: SplitterClaims;
  /** What `split` cannot do without, besides the rows. */
  readonly needs?: readonly Need[];
  /** Of which at least one must be given. */
  readonly needsOneOf?: readonly Need[];
  /** What it makes use of when it is given. */
  readonly uses?: readonly Need[];
  /** The option table, where there is one: it tells which of `nSplits`, `shuffle` and `randomState` can be varied. */
  readonly options?: OptionTable<OptionShape>;
  /** Option sets to test, for required options and for variants. Default: no options. */
  readonly examples?: readonly Options[];
  /** Data sets to test on instead of the built-in ones: for several labels per row, say. */
  readonly dataSets?: readonly SplitterData[];
  /** Fingerprint of the first option set with seed 42 on the first data set: pins the folds from release to release. */
  readonly golden?: string;
}

const SEEDS = [0, 1, 42, 'a string seed'];

/** One option set on one data set. */
export interface Trial {
  readonly where: string;
  readonly options: Options;
  readonly data: SplitterData;
  readonly claims: SplitterClaims;
  create(): Splitter;
  /** The folds of a fresh instance on a fresh copy of the data. */
  iterate(change?: Change): Iterable<Fold>;
  /** The same, each fold copied as it comes, so that a fault of one kind shows in one case only. */
  split(change?: Change): Fold[];
}

/** Inputs that stand in for those of the trial. */
export interface Change {
  splitter?: Splitter;
  X?: RowsInput | number;
  y?: ArrayLike<unknown>;
  side?: SideData;
}
export type Variant = Change & { what: string };

/** What the claims are about. It is given to every splitter that makes them: one that does not read it may break them. */
export const ABOUT: Readonly<Partial<Record<keyof SplitterClaims, readonly (keyof SideData)[]>>> = {
  disjointGroups: ['groups'],
  wholeLevel: ['hierarchy'],
  timeOrdered: ['timestamps'],
  keepsTies: ['timestamps'],
  purged: ['timestamps', 'labelEndTimes'],
};

/** Throws `InvalidOptionError` for a claim that nothing would check. */
export function trialsOf(entry: SplitterUnderTest): Trial[] {
  const designs = optionSets(entry).map((options) => {
    const { claims } = entry.create(options);
    return { options, claims: { ...checkedClaims(entry.claims, entry.name), ...checkedClaims(claims, entry.name) } };
  });
  const claimed = (claim: keyof SplitterClaims) => designs.some(({ claims }) => claims[claim]);
  const about = Object.entries(ABOUT).flatMap(([claim, inputs]) =>
    claimed(claim as keyof SplitterClaims) ? inputs : [],
  );
  return dataFor({ ...entry, uses: [...(entry.uses ?? []), ...about] }).flatMap((data) =>
    designs.map(({ options, claims }): Trial => {
      const create = () => entry.create(options);
      const iterate = ({ splitter = create(), X = data.n, y, side }: Change = {}) => {
        const fresh = structuredClone(data);
        // Pairs are not for the suite, which asks for ids.
        return splitter.split(X, y ?? fresh.y, side ?? fresh.side) as Iterable<Fold>;
      };
      const split = (change?: Change) => Array.from(iterate(change), copyOf);
      const where = `${entry.name}(${JSON.stringify(options)}) on ${data.name}`;
      return { where, options, data, claims, create, iterate, split };
    }),
  );
}

/** The fold with `change` applied to each of its lists of rows. */
export const withRows = (fold: Fold, change: (rows: Int32Array) => Int32Array): Fold => ({
  ...fold,
  train: change(fold.train),
  test: change(fold.test),
  ...(fold.excluded && {
    excluded: Object.fromEntries(Object.entries(fold.excluded).map(([reason, rows]) => [reason, change(rows)])),
  }),
});

const copyOf = (fold: Fold): Fold => withRows(fold, (rows) => rows.slice());

/**
 * The data sets with all that the splitter needs or uses; where it uses more than it needs, also without that; where it
 * needs one of several, also with each alone.
 */
function dataFor(entry: SplitterUnderTest): SplitterData[] {
  const { needs = [], needsOneOf = [], uses = [], dataSets = smallDataSets() } = entry;
  const only = (data: SplitterData, names: readonly Need[]) => ({
    ...data,
    side: Object.fromEntries(Object.entries(data.side).filter(([name]) => names.includes(name as Need))) as SideData,
  });
  const full = dataSets.map((data) => only(data, [...needs, ...needsOneOf, ...uses]));
  const parts = needsOneOf.map((each) => [...needs, each]);
  if (uses.length > 0) parts.push([...needs, ...needsOneOf]);
  const partial = parts.flatMap((names) =>
    full.map((data) => ({ ...only(data, names), name: `${data.name} with ${names.join(', ') || 'rows'} alone` })),
  );
  return [...full, ...partial];
}

/** Each example as it is (unshuffled where it can be), and with every seed. */
function optionSets({ name, options, examples = [{}] }: SplitterUnderTest): Options[] {
  const known = options?.shape ?? {};
  const required = Object.keys(known).filter((option) => known[option].presence === 'required');
  const lacking = required.find((option) => examples.some((example) => example[option] === undefined));
  ensure(
    lacking === undefined,
    `${name} cannot be made without \`${lacking}\`: each of its \`examples\` must have it.`,
  );
  const sizes = 'nSplits' in known ? [{}, { nSplits: 2 }, { nSplits: 3 }] : [{}];
  const draws: Options[] = [];
  if (!('randomState' in known) || 'shuffle' in known) draws.push('shuffle' in known ? { shuffle: false } : {});
  if ('randomState' in known) {
    const shuffle = 'shuffle' in known ? { shuffle: true } : {};
    for (const randomState of SEEDS) draws.push({ ...shuffle, randomState });
  }
  return examples.flatMap((example) =>
    sizes.flatMap((size) => draws.map((draw) => ({ ...size, ...draw, ...example }))),
  );
}
