/** What every loader and generator of data gives. */
export interface Dataset {
  /** One array of numbers per row, shape [n, featureNames.length]. */
  readonly X: number[][];
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
  /** SHA-256 of the text that was read, as UTF-8; 64 hexadecimal digits. */
  readonly sha256: string;
}
