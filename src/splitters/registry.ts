import { InvalidOptionError, sentence } from '../core/errors.js';
import { anything, custom, isPlainObject, listOf, oneOf, optionTable, string } from '../core/options.js';
import { createRegistry } from '../core/registry.js';
import { SPLITTERS } from './members.js';
import {
  checkedClaims,
  type IterableSplitter,
  type SplitInputName,
  type Splitter,
  type SplitterClaims,
  type SplitterFacts,
  splitDataOptions,
} from './splitter.js';

/** A registered splitter: its facts and a factory. */
export interface SplitterEntry extends SplitterFacts {
  /** Folds of a class of a user are read by `foldsOf` alone, which takes them in every form. */
  // biome-ignore lint/suspicious/noExplicitAny: each class checks its own options at its door
  create(options?: any): IterableSplitter;
}

/** What a splitter class of your own says of itself, as `static facts`: see {@link registerSplitter}. */
export interface OwnSplitterFacts {
  /** Name of the class. The validator's `method` knows it in snake_case, too. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly family: SplitterFacts['family'];
  /** One sentence: which folds it makes. */
  readonly description: string;
  /** Names of the options that its constructor takes. */
  readonly options?: readonly string[];
  /** Inputs that `split` cannot do without, besides the rows. */
  readonly needs?: readonly SplitInputName[];
  /** Inputs that it makes use of when they are given. */
  readonly uses?: readonly SplitInputName[];
  readonly claims?: SplitterClaims;
}

/** A splitter class of your own. Its instances also know `facts`, or bear the name of the class. */
// biome-ignore lint/suspicious/noExplicitAny: each class checks its own options at its door
export type OwnSplitterClass = (new (options?: any) => Splitter) & { readonly facts: OwnSplitterFacts };

interface BuiltIn {
  // biome-ignore lint/suspicious/noExplicitAny: each has its own table
  readonly facts: SplitterFacts<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  new (options?: any): IterableSplitter;
}

/** All splitters by class name and alias; {@link registerSplitter} adds to it. */
export const splitterRegistry = createRegistry<SplitterEntry>('splitter');
for (const Class of SPLITTERS as readonly BuiltIn[])
  splitterRegistry.add({ ...Class.facts, create: (options) => new Class(options) });

const INPUTS: readonly unknown[] = ['y', ...Object.keys(splitDataOptions.shape)];
const inputs = () =>
  listOf<SplitInputName>('string', `be a list of ${INPUTS.join(', ')}`, (name) => INPUTS.includes(name));
const names = (what: string) =>
  listOf<string>('string', `be a list of ${what}`, (name) => typeof name === 'string' && name !== '');

const ownFacts = optionTable('registerSplitter', {
  name: custom<string>(
    'string',
    'be a name in letters and digits that begins with a capital, of at most 60',
    (name) => typeof name === 'string' && /^[A-Z][A-Za-z0-9]{0,59}$/.test(name),
  ).describe('Name of the class.'),
  aliases: names('names').optional().describe('Further names.'),
  family: oneOf('iid', 'grouped', 'temporal', 'spatial', 'multilabel').describe('Which splitters it belongs to.'),
  description: string().describe('One sentence: which folds it makes.'),
  options: names('names of options').default([]).describe('Names of the options that its constructor takes.'),
  needs: inputs().default([]).describe('Inputs that `split` cannot do without, besides the rows.'),
  uses: inputs().default([]).describe('Inputs that it makes use of when they are given.'),
  claims: custom<SplitterClaims>('SplitterClaims', 'be a record of claims', isPlainObject)
    .default({})
    .describe('What it promises.'),
});

/**
 * Adds a splitter of your own, so that the validator finds it by name: `method: 'my_split'` for the class `MySplit`.
 * The validator passes on `splitterOptions`, and those of `nSplits`, `shuffle` and `randomState` that `facts.options`
 * names; the class checks the values. Folds are checked against the `claims` of the instance. Instances may say more,
 * for example {@link Splitter.reads} and {@link Splitter.reseed}.
 *
 * Throws {@link InvalidOptionError} for a fact that is missing or misspelt, and for a name that is taken.
 *
 * @example
 * class OddEven {
 *   static facts = { name: 'OddEven', family: 'iid', description: 'Tests rows with an even number, then the others.' };
 *   getNSplits() {
 *     return 2;
 *   }
 *   split(rows) {
 *     const all = Array.from({ length: rows.length }, (_, row) => row);
 *     const [even, uneven] = [0, 1].map((rest) => all.filter((row) => row % 2 === rest));
 *     return [[uneven, even], [even, uneven]];
 *   }
 * }
 * registerSplitter(OddEven);
 * const result = await new CVKitValidator({ method: 'odd_even' }).validate({ model, X, y, preprocessing, verbose: 0 });
 * console.log(result.meanScores.roc_auc);
 */
export function registerSplitter(Class: OwnSplitterClass): void {
  if (typeof Class !== 'function' || !isPlainObject(Class.facts)) {
    throw new InvalidOptionError(sentence('registerSplitter', 'be given a class with `static facts`', Class));
  }
  const { options, claims, ...facts } = ownFacts.resolve(Class.facts);
  const table = optionTable(facts.name, Object.fromEntries(options.map((name) => [name, anything('any').optional()])));
  splitterRegistry.add({
    ...facts,
    aliases: facts.aliases ?? [],
    options: table,
    claims: checkedClaims(claims, facts.name),
    create: (chosen) => new Class(chosen) as IterableSplitter,
  });
}
