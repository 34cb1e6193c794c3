/** The snake_case names as types: the rule of `snakeCase`, over everything that is public. */
import type * as cvkit from '../index.js';
import type { FittedPreparation, Preparation } from '../preprocessing/preparation.js';
import type { Resampler } from '../preprocessing/resampler.js';
import type { ForeignTransformer } from '../preprocessing/step.js';
import type { Transformer } from '../preprocessing/transformer.js';
import type { SplitterFacts } from '../splitters/splitter.js';
import type { ParamGrid, Params, ParamValue, Pruner, Sampler } from '../tuning/index.js';
import type { Positions, TAKE_OBJECTS } from './arguments.js';
import type { POSITIONS } from './positions.js';

/** `_` stands between a small letter or a digit and a capital, and before the last capital of a run. */
type Mark<Before extends string, Letter extends string, Rest extends string> =
  Letter extends Lowercase<Letter>
    ? ''
    : Before extends Lowercase<Before>
      ? Before extends Uppercase<Before>
        ? Before extends `${number}`
          ? '_'
          : ''
        : '_'
      : Rest extends Capitalize<Rest>
        ? ''
        : '_';

type Words<S extends string, Before extends string, Done extends string> = S extends `${infer Letter}${infer Rest}`
  ? Words<Rest, Letter, `${Done}${Mark<Before, Letter, Rest>}${Lowercase<Letter>}`>
  : Done;

/** The snake_case spelling of a name: `nSplits` is `n_splits`, `XTrain` is `X_train`, `toJSON` is `to_json`. */
export type SnakeCase<S extends string> = S extends `X${infer Rest}` ? Words<Rest, 'X', 'X'> : Words<S, '', ''>;

/** Names of declared members; an index signature stays what it is. */
type Key<K extends PropertyKey> = K extends string ? (string extends K ? K : SnakeCase<K>) : K;

type Basic = string | number | boolean | bigint | symbol | null | undefined;
// biome-ignore lint/suspicious/noExplicitAny: any map
type Platform = Date | URL | AbortSignal | ArrayBufferView | ReadonlyMap<any, any>;
// What callers write for cvkit, under its names.
type RunPlugin = cvkit.FrameworkAdapter | cvkit.Metric | cvkit.Check | cvkit.Executor | cvkit.RowSource;
type RowsPlugin = Transformer | ForeignTransformer | Resampler | Preparation | FittedPreparation | SplitterFacts;
type SearchPlugin = Sampler | Pruner;
type Same = Basic | Platform | RunPlugin | RowsPlugin | SearchPlugin;

type IsExactly<T, U> = (<G>() => G extends T ? 1 : 2) extends <G>() => G extends U ? 1 : 2 ? true : false;
type IsOneOf<T, All extends readonly unknown[]> = true extends { [I in keyof All]: IsExactly<T, All[I]> }[number]
  ? true
  : false;
type AdapterOptions = NonNullable<cvkit.RunnerOptions['adapterOptions']>;
type InputShape = NonNullable<cvkit.FoldContext['inputShape']>;
/** Nothing is known of it, or it is rows as arrays, shapes by input, or what a search or an adapter takes: it has no name of ours. */
type Unknown<T> = unknown extends T
  ? true
  : IsOneOf<T, [object, cvkit.HeldOut<unknown[]>, InputShape, ParamValue, Params, ParamGrid, AdapterOptions]>;

/** Errors by what only they have; a name and a message have many. */
type IsError<T> = string extends keyof T ? false : 'stack' extends keyof T ? true : false;

type Empty = Record<never, never>;
// biome-ignore lint/suspicious/noExplicitAny: any function
type AnyFunction = (...args: any[]) => any;

/** A value of cvkit with snake_case names: what methods and functions give back. */
export type Snake<T> = Unknown<T> extends true ? T : SnakeOf<T>;

type SnakeOf<T> = T extends Same
  ? T
  : IsError<T> extends true
    ? T
    : T extends Promise<infer P>
      ? Promise<Snake<P>>
      : T extends cvkit.IterableFold
        ? SnakeFold<T>
        : T extends readonly unknown[]
          ? SnakeList<T>
          : T extends AnyFunction
            ? SnakeFunction<T>
            : SnakeObject<T> & (T extends Iterable<infer E> ? Iterable<Snake<E>> : unknown);

type SnakeList<T extends readonly unknown[]> = { [K in keyof T]: Snake<T[K]> };
type SnakeObject<T> = { [K in keyof T as K extends typeof Symbol.iterator ? never : Key<K>]: Member<T, K> };

/** A field or a method; those of splitters take their arguments by place as well. */
type Member<T, K extends keyof T> = T extends cvkit.Splitter
  ? K extends 'split' | 'getNSplits'
    ? SnakeMethod<cvkit.IterableSplitter[K], PositionsIn<(typeof POSITIONS)['Splitter'][SnakeCase<K>]>>
    : Snake<T[K]>
  : Snake<T[K]>;

/** A fold, by name or as a pair: `const [train, test] = fold`. */
type SnakeFold<F extends cvkit.Fold> = Omit<F, 'inner' | keyof (readonly unknown[])> &
  readonly [train: Int32Array, test: Int32Array] & { readonly inner?: Snake<cvkit.IterableSplitter> };

/** What a caller may give for `T`: objects with methods in either spelling, options in snake_case. */
export type SnakeInput<T> = Unknown<T> extends true ? T : InputOf<T>;

type InputOf<T> = T extends Same
  ? T
  : Unknown<T> extends true
    ? T
    : IsExactly<T, cvkit.CVCallback> extends true
      ? T | SnakeCallback
      : T extends Promise<infer P>
        ? Promise<SnakeInput<P>>
        : T extends readonly unknown[]
          ? SnakeInputs<T>
          : T extends AnyFunction
            ? (...args: SnakeList<Parameters<T>>) => SnakeInput<ReturnType<T>>
            : HasMethod<T> extends true
              ? T | Snake<T>
              : SnakeOptions<T>;

type SnakeInputs<T extends readonly unknown[]> = { [K in keyof T]: SnakeInput<T[K]> };
export type SnakeOptions<T> = { [K in keyof T as Key<K>]: SnakeInput<T[K]> };

type HasMethod<T> = true extends {
  [K in keyof T]-?: unknown extends T[K] ? false : NonNullable<T[K]> extends AnyFunction ? true : false;
}[keyof T]
  ? true
  : false;

/** A callback with hooks in snake_case, which are given contexts with snake_case names. */
type SnakeCallback = {
  [K in keyof cvkit.CVCallback as Key<K>]: NonNullable<cvkit.CVCallback[K]> extends (...args: infer A) => infer R
    ? (...args: SnakeList<A>) => K extends 'forFold' ? SnakeHandlers : R
    : cvkit.CVCallback[K];
};
type SnakeHandlers = Pick<SnakeCallback, Key<keyof cvkit.FoldHandlers> & keyof SnakeCallback>;

export type SnakeFunction<F extends AnyFunction> = (...args: SnakeInputs<Parameters<F>>) => Snake<ReturnType<F>>;

/** Options by place, each of which may be left out when it may be left out by name. */
type ByPlace<O, N extends readonly unknown[]> = N extends readonly [infer A extends keyof O, ...infer Rest]
  ? [...(Empty extends Pick<O, A> ? [value?: O[A]] : [value: O[A]]), ...ByPlace<O, Rest>]
  : [];

type ByName<O> = Empty extends O ? [options?: O | null] : [options: O];

/** Some options by place, then one object with others; not in the place of one that takes an object itself. */
type Mixed<O, N extends readonly unknown[], Before extends readonly unknown[] = [], Done = never> = N extends readonly [
  infer A extends keyof O,
  ...infer Rest,
]
  ?
      | (Before extends readonly [] ? never : A extends TakesObject ? never : After<O, Before, Done>)
      | Mixed<O, Rest, [...Before, Empty extends Pick<O, A> ? O[A] | undefined : O[A]], Done | A>
  : Before extends readonly []
    ? never
    : After<O, Before, Done>;
type After<O, Before extends readonly unknown[], Done> =
  Exclude<keyof O, Done> extends never ? never : [...Before, options: Partial<Omit<O, Done & keyof O>>];
type TakesObject = (typeof TAKE_OBJECTS)[number];

/** Arguments by name, or by place in the order of the original interface. */
interface Call<Head extends readonly unknown[], O, N extends readonly string[], R> {
  (...args: [...Head, ...ByName<O>]): R;
  (...args: N extends readonly [] ? never : [...Head, ...Mixed<O, N>]): R;
  (...args: N extends readonly [] ? never : [...Head, ...ByPlace<O, N>]): R;
}

type Head<P extends readonly unknown[], N extends readonly unknown[]> = N extends readonly [unknown, ...infer Rest]
  ? P extends readonly [(infer A)?, ...infer B]
    ? [...(P extends readonly [unknown, ...unknown[]] ? [SnakeInput<A>] : [SnakeInput<A>?]), ...Head<B, Rest>]
    : []
  : [];
type OptionsAfter<P extends readonly unknown[], N extends readonly unknown[]> =
  Required<P> extends readonly [infer O, ...infer B]
    ? N extends readonly [unknown, ...infer Rest]
      ? OptionsAfter<B, Rest>
      : SnakeOptions<NonNullable<O>>
    : Empty;

type SnakeMethod<F, P extends Positions> = F extends (...args: infer A) => infer R
  ? Call<Head<A, P['first']>, OptionsAfter<A, P['first']>, P['options'], Snake<R>>
  : never;

type Listening = 'on' | 'once' | 'off' | 'addListener' | 'removeListener';
type SnakeListening<Self> = {
  [K in Listening as Key<K>]: <E extends keyof cvkit.RunnerEvents>(
    event: E,
    listener: (...args: SnakeList<cvkit.RunnerEvents[E]>) => void,
    context?: unknown,
  ) => Self;
};

/** The order of the arguments of a method of the class called `N`, where the original interface has one. */
type PositionsOf<N, M> = N extends keyof typeof POSITIONS
  ? M extends keyof (typeof POSITIONS)[N]
    ? PositionsIn<(typeof POSITIONS)[N][M]>
    : undefined
  : undefined;
type PositionsIn<Text> = Text extends `${infer First} | ${infer Options}`
  ? { readonly first: NamesIn<First>; readonly options: NamesIn<Options> }
  : { readonly first: readonly []; readonly options: NamesIn<Text> };
type NamesIn<Text> = Text extends `${infer Name} ${infer Rest}`
  ? readonly [Name, ...NamesIn<Rest>]
  : Text extends ''
    ? readonly []
    : readonly [Text & string];

export type SnakeInstance<T, N extends PropertyKey> = {
  [K in Exclude<keyof T, Listening | typeof Symbol.iterator> as Key<K>]: PositionsOf<N, Key<K>> extends infer P extends
    Positions
    ? SnakeMethod<T[K], P>
    : Member<T, K>;
} & (N extends 'UniversalCVRunner' ? SnakeListening<Snake<T>> : unknown);

type Class = abstract new (...args: never[]) => unknown;
type OptionsOf<C extends Class> = OptionsAfter<ConstructorParameters<C>, []>;
type PlacesOf<N> =
  PositionsOf<N, 'constructor'> extends { options: infer P extends readonly string[] } ? P : readonly [];

/** A class of cvkit, called with and without `new`. */
export interface SnakeClass<C extends Class, N extends PropertyKey>
  extends Call<[], OptionsOf<C>, PlacesOf<N>, SnakeInstance<InstanceType<C>, N>> {
  new (...args: ByName<OptionsOf<C>>): SnakeInstance<InstanceType<C>, N>;
  new (...args: Mixed<OptionsOf<C>, PlacesOf<N>>): SnakeInstance<InstanceType<C>, N>;
  new (...args: ByPlace<OptionsOf<C>, PlacesOf<N>>): SnakeInstance<InstanceType<C>, N>;
  readonly prototype: SnakeInstance<InstanceType<C>, N>;
}
