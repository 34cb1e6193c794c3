/** What checks know of the rows: columns of numbers and categories, and what is known of images. */

/** One feature. A missing cell is NaN, whatever the kind. */
export interface Column {
  readonly name: string;
  /** The values of a category are codes: places in `levels`. */
  readonly kind: 'number' | 'category';
  readonly values: Float64Array;
  readonly levels?: readonly string[];
  /** Cells were `Date`s; the values are milliseconds since 1970. */
  readonly dates?: true;
  /** Some cells were objects or lists; the levels are their JSON. */
  readonly nested?: true;
  /** The column is one of numbers with a few texts among them, which count as missing: its cells as levels. */
  readonly texts?: Column;
  /** A summary of an image, such as its brightness. */
  readonly ofImage?: true;
}

/** What checks know of the rows. */
export interface Features {
  readonly n: number;
  /** The features of a table; of images summaries such as brightness and sharpness. */
  readonly columns: readonly Column[];
  /** What is known of images beyond that, for each input that holds some; left out for tables. */
  readonly images?: readonly ImageFeatures[];
}

/** What is known of images besides their summaries. */
export interface ImageFeatures {
  /** Name of the input, where there are several. */
  readonly input?: string;
  /** Two 32-bit words per image: equal for images of equal pixels. */
  readonly content: { readonly high: Int32Array; readonly low: Int32Array };
  /** All pixels of the image have one value. */
  readonly blank: Uint8Array;
  /**
   * Low frequencies of each image, `[n, width]` row-major, free of brightness and contrast; zeros where there are none.
   * `pixelStep` is how far one pixel moves them in an image of two colours, 0 in others.
   */
  readonly perceptual: { readonly data: Float32Array; readonly width: number; readonly pixelStep: Float32Array };
  /** Each image as a small grey one, `[n, height, width]` row-major: its mean 0, its largest deviation 32,767. */
  readonly thumbnails: { readonly data: Int16Array; readonly height: number; readonly width: number };
}
