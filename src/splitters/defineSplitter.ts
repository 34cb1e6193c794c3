import { InvalidDataError, InvalidOptionError, phrase, sentence, show } from '../core/errors.js';
import {
  type InputOf,
  integer,
  type Option,
  type OptionShape,
  type OptionsOf,
  type OptionTable,
  randomState,
  rejectUnusedOption,
} from '../core/options.js';
import type { RandomState } from '../core/random.js';
import type { LabelsInput } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import { type SplitInput, splitInput } from './splitInput.js';
import {
  type BootstrapEstimator,
  type Folds,
  type IterableFold,
  type IterableSplitter,
  isSplitter,
  iterableFolds,
  promisesOf,
  type SplitArguments,
  type SplitData,
  type SplitInputName,
  type Splitter,
  type SplitterClaims,
  type SplitterFacts,
  seeded,
  writtenAs,
} from './splitter.js';

export interface SplitterDefinition<S extends OptionShape, P> {
  readonly options: OptionTable<S>;
  readonly facts: Omit<SplitterFacts<S>, 'name' | 'options'>;
  /** Called once, by the constructor: refuses contradictions. `plan` and `nSplits` receive what it returns. */
  prepare?(options: OptionsOf<OptionTable<S>>): P;
  /** The claims of an instance, where options decide about them; `facts` are what `facts.claims` says. */
  claims?(options: OptionsOf<OptionTable<S>>, facts: SplitterClaims): SplitterClaims;
  /** Adds to the input what the caller passed to the constructor, before required inputs are checked. */
  complete?(input: SplitInput, options: OptionsOf<OptionTable<S>>): SplitInput;
  nSplits?(options: OptionsOf<OptionTable<S>>, call: CountCall<P>): number;
  /** Does every check now and gives folds lazily. */
  plan(input: SplitInput, options: OptionsOf<OptionTable<S>>, prepared: P): Folds;
  nested?(options: OptionsOf<OptionTable<S>>): NonNullable<Splitter['nested']>;
  estimator?(options: OptionsOf<OptionTable<S>>): BootstrapEstimator | undefined;
}

interface CountCall<P> {
  readonly args: SplitArguments;
  readonly prepared: P;
  input(): SplitInput;
}

export interface DefinedSplitter<S extends OptionShape, P> {
  readonly facts: SplitterFacts<S>;
  new <I extends InputOf<OptionTable<S>>>(
    ...options: Record<never, never> extends I ? [options?: I] : [options: I]
  ): Base<S, P>;
}

/**
 * Makes a class of splitters from its facts, its options and its plan. Extend it, so that the class has a name, a
 * docstring and the documented type of its options, and may have further methods:
 *
 * @example
 * export class KFold extends defineSplitter({ options, facts, plan: ({ n }, { nSplits }) => ... })<KFoldOptions> {}
 */
export function defineSplitter<S extends OptionShape, P = undefined>(
  definition: SplitterDefinition<S, P>,
): DefinedSplitter<S, P> {
  const { options, facts } = definition;
  const allFacts: SplitterFacts<S> = Object.freeze({ name: options.owner, ...facts, options });
  return class extends Base<S, P> {
    static readonly facts = allFacts;

    constructor(written?: unknown) {
      super(definition, allFacts, written);
    }
  };
}

interface Drawing {
  readonly randomState?: RandomState;
  readonly shuffle?: boolean;
}

type Options = Readonly<Record<string, unknown>>;

abstract class Base<S extends OptionShape, P> implements IterableSplitter {
  readonly options: OptionsOf<OptionTable<S>>;
  readonly facts: SplitterFacts<S>;
  readonly #prepared: P;
  readonly #definition: SplitterDefinition<S, P>;
  /** `randomState: null` was written: new folds at each call are what is wanted. */
  readonly #fresh: boolean;

  constructor(definition: SplitterDefinition<S, P>, facts: SplitterFacts<S>, written: unknown) {
    const [first = ''] = Object.keys(facts.options.shape);
    if (facts.options.shape[first]?.accepts(written)) {
      const way = `Use new ${facts.name}({ ${first}: ${show(written)} }).`;
      throw new InvalidOptionError(sentence(`The options of ${facts.name}`, 'be one plain object', written, way));
    }
    const parsed = definition.options.parse(written);
    this.options = parsed.options as OptionsOf<OptionTable<S>>;
    const { shuffle, randomState = null } = this.options as Drawing;
    if (shuffle === false && randomState !== null) {
      rejectUnusedOption(facts.name, 'randomState', '`shuffle` is false, so nothing is drawn');
    }
    this.facts = facts;
    this.#definition = definition;
    this.#fresh = (parsed.written as ReadonlySet<string>).has('randomState');
    this.#prepared = definition.prepare?.(this.options) as P;
  }

  get takesLabels(): boolean {
    return true;
  }

  protected get prepared(): P {
    return this.#prepared;
  }

  get claims(): SplitterClaims {
    const { claims } = this.facts;
    return this.#definition.claims?.(this.options, claims) ?? claims;
  }

  get reads(): readonly SplitInputName[] {
    const { needs, needsOneOf = [], uses = [] } = this.facts;
    const { stratify } = this.options as { readonly stratify?: unknown };
    return [...new Set([...needs, ...needsOneOf, ...uses, ...(stratify ? ['y' as const] : [])])];
  }

  get nested(): Splitter['nested'] {
    return this.#definition.nested?.(this.options);
  }

  get estimator(): BootstrapEstimator | undefined {
    return this.#definition.estimator?.(this.options);
  }

  get repeatable(): boolean | undefined {
    const { randomState = 0, shuffle = true } = this.options as Drawing;
    const fixed = shuffle === false || typeof randomState === 'number' || typeof randomState === 'string';
    const parts = Object.values(this.options).flatMap((each) => (isSplitter(each) ? [each.repeatable] : []));
    if (!fixed || parts.includes(false)) return false;
    return parts.includes(undefined) ? undefined : true;
  }

  /**
   * A copy that draws from `seed` what this splitter would draw anew at each call, unless `randomState: null` was
   * written; its outer and inner splitters likewise. The splitter itself where all is decided, and for subclasses,
   * whose constructors may differ.
   */
  reseed(seed: number | string): this {
    if (this.repeatable || !this.#isOwn) return this;
    const { randomState, shuffle = true } = this.options as Drawing;
    const parts = Object.entries(this.options).map(([name, each]) => [
      name,
      isSplitter(each) ? seeded(each, seed) : each,
    ]);
    const own = randomState === null && shuffle && !this.#fresh ? { randomState: seed } : {};
    return this.#like({ ...Object.fromEntries(parts), ...own });
  }

  redraw(seed: number | string): this | undefined {
    const isDrawn = 'randomState' in this.facts.options.shape && (this.options as Drawing).shuffle !== false;
    return isDrawn && this.#isOwn ? this.#like({ ...this.options, ...this.#once, randomState: seed }) : undefined;
  }

  resized(nSplits: number): this | undefined {
    const { coordinates, features, strata } = this.options as Options;
    const isBound = (coordinates ?? features ?? strata ?? null) !== null;
    if (!('nSplits' in this.facts.options.shape) || isBound || !this.#isOwn) return undefined;
    const { randomState, ...others } = this.options as Drawing;
    const isOpen = randomState === null && !this.#fresh;
    return this.#like({ ...(isOpen ? others : this.options), ...this.#once, nSplits });
  }

  /** False for subclasses, whose constructors may differ. */
  get #isOwn(): boolean {
    return Object.hasOwn(Object.getPrototypeOf(this.constructor), 'facts');
  }

  get #once() {
    return 'nRepeats' in this.facts.options.shape ? { nRepeats: 1 } : {};
  }

  #like(options: object): this {
    return new (this.constructor as new (options: object) => this)(options);
  }

  split(
    X?: RowsInput | number | null,
    y?: LabelsInput | SplitData | null,
    data?: SplitData | null,
  ): Folds<IterableFold> {
    return iterableFolds(this.plan(this.read(X, y, data)));
  }

  /** Number of folds that `split` yields; throws when it needs data that are missing. */
  getNSplits(X?: RowsInput | number | null, y?: LabelsInput | SplitData | null, data?: SplitData | null): number {
    const { nSplits } = this.#definition;
    if (nSplits) {
      return nSplits(this.options, { args: [X, y, data], prepared: this.prepared, input: () => this.read(X, y, data) });
    }
    return (this.options as { readonly nSplits: number }).nSplits;
  }

  /** Says in one sentence what the design is and what it promises. */
  describe(): string {
    const { description } = this.facts;
    const design = description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, '');
    const promised = promisesOf(this.claims).join(', ') || 'train and test share no row';
    const note = this.claims.exhaustive
      ? '; every choice of test rows, groups or blocks is a fold, so that the scores of folds are no sample'
      : '';
    return `${this.toJSON()}: ${design}; promises that ${promised}${note}.`;
  }

  /** As a user would write it, so that records and documents can say which splitter it was. Null options are left out. */
  toJSON(): string {
    const { name, options } = this.facts;
    const written = this.options as Options;
    const settings = Object.keys(options.shape)
      .filter((option) => written[option] !== null && written[option] !== undefined)
      .map((option) => `${option}: ${settingOf(written[option])}`);
    return settings.length > 0 ? `${name}({ ${settings.join(', ')} })` : `${name}()`;
  }

  protected plan(input: SplitInput): Folds {
    return this.#definition.plan(input, this.options, this.prepared);
  }

  protected read(...[X, y, data]: SplitArguments): SplitInput {
    const { name, needs, needsOneOf, orOption } = this.facts;
    const checked = splitInput(name, X, y, data);
    const input = this.#definition.complete?.(checked, this.options) ?? checked;
    const standIn = orOption === undefined ? null : (this.options as Options)[orOption];
    if (standIn === null) {
      for (const need of needs) input.need(need, name, orOption);
    }
    if (needsOneOf?.every((each) => input.data[each] === undefined)) {
      const must = `be given ${needsOneOf.map((each) => `\`${each}\``).join(' or ')}`;
      throw new InvalidDataError(sentence(name, must, phrase('nothing')), { code: `missing_${needsOneOf[0]}` });
    }
    return input;
  }
}

const settingOf = (value: unknown) => (isSplitter(value) ? writtenAs(value) : undefined) ?? show(value);

/** The options of a k-fold splitter; each has its own default of `shuffle`. */
export const kFoldOptions = (shuffle: Option<boolean, 'defaulted'>) => ({
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  shuffle,
  randomState: randomState().default(null).describe('Seed of the shuffle.'),
});
