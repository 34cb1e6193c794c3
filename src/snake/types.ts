/** The snake_case names as types: the same rule as `snakeCase`, over everything that is public. */

import type { Params, ParamValue } from '../core/tuningTrial.js';
import type {
  Check,
  CVCallback,
  Executor,
  Fold,
  FrameworkAdapter,
  HeldOut,
  IterableFold,
  IterableSplitter,
  Metric,
  RowSource,
  RunnerEvents,
  Splitter,
} from '../index.js';
import type { FittedPreparation, Preparation } from '../preprocessing/preparation.js';
import type { Resampler } from '../preprocessing/resampler.js';
import type { ForeignTransformer } from '../preprocessing/step.js';
import type { Transformer } from '../preprocessing/transformer.js';
import type { SplitterFacts } from '../splitters/splitter.js';
import type { Pruner } from '../tuning/pruner.js';
import type { Sampler } from '../tuning/sampler.js';
import type { ParamGrid } from '../tuning/space.js';
import type { TAKE_OBJECTS } from './arranged.js';
import type { Key } from './nameTypes.js';
import type { POSITIONS } from './positions.js';

// ---- what cvkit gives -------------------------------------------------------------------------------------------

/** What has no names of ours, and what callers write for cvkit: it has the names of `cvkit`. */
type Same =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | URL
  | AbortSignal
  | ArrayBufferView
  // biome-ignore lint/suspicious/noExplicitAny: any map
  | ReadonlyMap<any, any>
  | FrameworkAdapter
  | Metric
  | Check
  | Executor
  | Sampler
  | Pruner
  | Transformer
  | ForeignTransformer
  | Resampler
  | RowSource
  | Preparation
  | FittedPreparation
  | SplitterFacts;

type IsAny<T> = 0 extends 1 & T ? true : false;
type IsExactly<T, U> = (<G>() => G extends T ? 1 : 2) extends <G>() => G extends U ? 1 : 2 ? true : false;
/** Nothing is known of it, or it is a parameter of a search, or rows as arrays: it has no name of ours. */
type Unknown<T> =
  IsAny<T> extends true
    ? true
    : unknown extends T
      ? true
      : true extends
            | IsExactly<T, object>
            | IsExactly<T, HeldOut<unknown[]>>
            | IsExactly<T, ParamValue>
            | IsExactly<T, Params>
            | IsExactly<T, ParamGrid>
        ? true
        : false;

/** Errors by what only they have; a name and a message have many. */
type IsError<T> = string extends keyof T ? false : 'stack' extends keyof T ? true : false;

type Empty = Record<never, never>;
// biome-ignore lint/suspicious/noExplicitAny: any function
type AnyFunction = (...args: any[]) => any;

/** A value of cvkit with snake_case names: what methods and functions give back. */
export type Snake<T> = Unknown<T> extends true ? T : Spelled<T>;

type Spelled<T> = T extends Same
  ? T
  : IsError<T> extends true
    ? T
    : T extends Promise<infer P>
      ? Promise<Snake<P>>
      : T extends IterableFold
        ? SnakeFold<T>
        : T extends readonly unknown[]
          ? SnakeList<T>
          : T extends AnyFunction
            ? SnakeFunction<T>
            : SnakeObject<T> & (T extends Iterable<infer E> ? Iterable<Snake<E>> : unknown);

type SnakeList<T extends readonly unknown[]> = { [K in keyof T]: Snake<T[K]> };
type SnakeObject<T> = { [K in keyof T as K extends typeof Symbol.iterator ? never : Key<K>]: Member<T, K> };

type Member<T, K extends keyof T> = T extends Splitter
  ? K extends 'split'
    ? SnakeSplit
    : K extends 'getNSplits'
      ? SnakeCount
      : Snake<T[K]>
  : Snake<T[K]>;

/** A fold, by name or as a pair: `const [train, test] = fold`. */
type SnakeFold<F extends Fold> = Omit<F, 'inner' | keyof (readonly unknown[])> &
  readonly [train: Int32Array, test: Int32Array] & { readonly inner?: Snake<IterableSplitter> };

// ---- what callers give ------------------------------------------------------------------------------------------

/** What a caller may give for `T`: objects with methods in either spelling, options in snake_case. */
export type Given<T> = Unknown<T> extends true ? T : Read<T>;

type Read<T> = T extends Same
  ? T
  : Unknown<T> extends true
    ? T
    : IsExactly<T, CVCallback> extends true
      ? T | SnakeCallback
      : T extends Promise<infer P>
        ? Promise<Given<P>>
        : T extends readonly unknown[]
          ? GivenList<T>
          : T extends AnyFunction
            ? (...args: SnakeList<Parameters<T>>) => Given<ReturnType<T>>
            : HasMethod<T> extends true
              ? T | Snake<T>
              : GivenObject<T>;

type GivenList<T extends readonly unknown[]> = { [K in keyof T]: Given<T[K]> };
/** An object of options, or of data. */
export type GivenObject<T> = { [K in keyof T as Key<K>]: Given<T[K]> };

type HasMethod<T> = true extends {
  [K in keyof T]-?: IsAny<T[K]> extends true ? false : NonNullable<T[K]> extends AnyFunction ? true : false;
}[keyof T]
  ? true
  : false;

/** A callback with hooks in snake_case, which are given contexts with snake_case names. */
type SnakeCallback = {
  [K in keyof CVCallback as Key<K>]: NonNullable<CVCallback[K]> extends (...args: infer A) => infer R
    ? (...args: SnakeList<A>) => K extends 'forFold' ? SnakeHandlers : R
    : CVCallback[K];
};
type SnakeHandlers = Pick<
  SnakeCallback,
  'on_fold_start' | 'on_epoch_start' | 'on_batch_end' | 'on_epoch_end' | 'on_inner_fit' | 'on_fold_end'
>;

// ---- calls ------------------------------------------------------------------------------------------------------

/** A function of cvkit in snake_case. */
export type SnakeFunction<F extends AnyFunction> = (...args: GivenList<Parameters<F>>) => Snake<ReturnType<F>>;

type Places = { readonly first: readonly string[]; readonly options: readonly string[] };

/** Options by place, each of which may be left out when it may be left out by name. */
type ByPlace<O, N extends readonly unknown[]> = N extends readonly [infer A, ...infer Rest]
  ? A extends keyof O
    ? Empty extends Pick<O, A>
      ? [value?: O[A], ...ByPlace<O, Rest>]
      : [value: O[A], ...ByPlace<O, Rest>]
    : []
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

/** The first parameters of a method, as many as `N` names, and its options after them. */
type Head<P extends readonly unknown[], N extends readonly unknown[]> = N extends readonly [unknown, ...infer Rest]
  ? Required<P> extends readonly [unknown, ...unknown[]]
    ? P extends readonly [infer A, ...infer B]
      ? [Given<A>, ...Head<B, Rest>]
      : P extends readonly [(infer A)?, ...infer B]
        ? [Given<A>?, ...Head<B, Rest>]
        : []
    : []
  : [];
type OptionsAfter<P extends readonly unknown[], N extends readonly unknown[]> = N extends readonly [
  unknown,
  ...infer Rest,
]
  ? Required<P> extends readonly [unknown, ...infer B]
    ? OptionsAfter<B, Rest>
    : Empty
  : Required<P> extends readonly [infer O, ...unknown[]]
    ? GivenObject<NonNullable<O>>
    : Empty;

type SnakeMethod<F, P extends Places> = F extends (...args: infer A) => infer R
  ? Call<Head<A, P['first']>, OptionsAfter<A, P['first']>, P['options'], Snake<R>>
  : never;

type Positions = typeof POSITIONS;

type SnakeSplit = SnakeMethod<IterableSplitter['split'], Positions['Splitter']['split']>;
type SnakeCount = SnakeMethod<IterableSplitter['getNSplits'], Positions['Splitter']['get_n_splits']>;

/** Methods that listen to a runner. */
type Listening = 'on' | 'once' | 'off' | 'addListener' | 'removeListener';
type SnakeListening<Self> = {
  [K in Listening as Key<K>]: <E extends keyof RunnerEvents>(
    event: E,
    listener: (...args: SnakeList<RunnerEvents[E]>) => void,
    context?: unknown,
  ) => Self;
};

type PlacesOf<N extends PropertyKey> = N extends keyof Positions ? Positions[N] : Empty;

/** Instances of the class called `N`: its methods take arguments in the original order as well. */
export type SnakeInstance<T, N extends PropertyKey> = {
  [K in Exclude<keyof T, Listening | typeof Symbol.iterator> as Key<K>]: Key<K> extends keyof PlacesOf<N>
    ? PlacesOf<N>[Key<K>] extends Places
      ? SnakeMethod<T[K], PlacesOf<N>[Key<K>]>
      : Member<T, K>
    : Member<T, K>;
} & (N extends 'UniversalCVRunner' ? SnakeListening<Snake<T>> : unknown);

type ConstructorPlaces<N extends PropertyKey> =
  PlacesOf<N> extends { readonly constructor: infer P extends Places } ? P['options'] : readonly [];

/** A class of cvkit, called with and without `new`. */
export interface SnakeClass<C extends abstract new (...args: never[]) => unknown, N extends PropertyKey>
  extends Call<
    [],
    OptionsAfter<ConstructorParameters<C>, []>,
    ConstructorPlaces<N>,
    SnakeInstance<InstanceType<C>, N>
  > {
  new (...args: ByName<OptionsAfter<ConstructorParameters<C>, []>>): SnakeInstance<InstanceType<C>, N>;
  new (
    ...args: Mixed<OptionsAfter<ConstructorParameters<C>, []>, ConstructorPlaces<N>>
  ): SnakeInstance<InstanceType<C>, N>;
  new (
    ...args: ByPlace<OptionsAfter<ConstructorParameters<C>, []>, ConstructorPlaces<N>>
  ): SnakeInstance<InstanceType<C>, N>;
  readonly prototype: SnakeInstance<InstanceType<C>, N>;
}
