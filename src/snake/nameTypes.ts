/** The rule of `snakeCase` as a type. */
type Lower =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z';
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type Upper = Uppercase<Lower>;

/** Letter by letter: `_` between a small letter or a digit and a capital, and before the last capital of a run. */
type Words<S extends string, Before extends string, Done extends string> = S extends `${infer Letter}${infer Rest}`
  ? Words<Rest, Letter, `${Done}${Mark<Before, Letter, Rest>}${Lowercase<Letter>}`>
  : Done;

type Mark<Before extends string, Letter extends string, Rest extends string> = Letter extends Upper
  ? Before extends Lower | Digit
    ? '_'
    : Before extends Upper
      ? Rest extends `${Lower}${string}`
        ? '_'
        : ''
      : ''
  : '';

/** The snake_case spelling of a name: `nSplits` is `n_splits`, `XTrain` is `X_train`, `toJSON` is `to_json`. */
export type SnakeCase<S extends string> = S extends `X${infer Rest}` ? Words<Rest, 'X', 'X'> : Words<S, '', ''>;

/** Names of declared members; an index signature stays what it is. */
export type Key<K extends PropertyKey> = K extends string ? (string extends K ? K : SnakeCase<K>) : K;
