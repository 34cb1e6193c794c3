/** What every loader and generator of data gives. `X` is the type of its rows: arrays of numbers unless the loader says otherwise. */
export interface Dataset<X = number[][]> {
  /** The rows, n of them: an array of numbers each, shape [n, featureNames.length], or what the loader says. */
  readonly X: X;
  /** One label per row. */
  readonly y: number[];
  readonly featureNames: string[];
  /** Patient of each row; undefined where no patient has two rows. */
  readonly groups: (string | number)[] | undefined;
  /** What the rows, the features and `y` are. */
  readonly description: string;
  /** Licence under which the data may be used. */
  readonly license: string;
  /** Who made the data, and where they are published. */
  readonly source: string;
  /** SHA-256 of the bytes that were read, of an archive those of the file in it; 64 hexadecimal digits. */
  readonly sha256: string;
  /** Full sentences about how these data were got, where there is something to say; a run adds them to its warnings. */
  readonly warnings?: readonly string[];
}
