/** Images as checks read them: their pixels as a hash, a few summaries, and what a reader would recognise them by. */
import type { NumericArray, Rows } from '../../../data/rows.js';
import type { Column, Features, ImageFeatures } from '../columns.js';
import { valuesHash } from '../contentHash.js';
import { rowBatches } from '../rowBatches.js';
import { type Layout, layoutOf } from './layout.js';
import { COEFFICIENTS, LowFrequencies } from './perceptual.js';
import { summaryNames, summaryOf } from './summaries.js';
import { Thumbnailer } from './thumbnail.js';

/**
 * True for rows that are images: `[height, width]` of at least 16 x 16; of at least 8 x 8 `[height, width, channels]`
 * with at most four channels, and the volumes `[depth, height, width]` and `[depth, height, width, channels]`. Windows
 * of a time series, such as `[48, 12]`, are none.
 */
export const isImage = (shape: readonly number[]): boolean => layoutOf(shape) !== undefined;

/** Reads images or volumes of that shape once, block by block; a volume counts as its mean over depth. */
export async function readImages(X: Rows, shape: readonly number[]): Promise<Features> {
  const layout = layoutOf(shape) as Layout;
  const n = X.length;
  const size = layout.depth * layout.height * layout.width * layout.channels;
  const content = { high: new Int32Array(n), low: new Int32Array(n) };
  const blank = new Uint8Array(n);
  const perceptual = {
    data: new Float32Array(n * COEFFICIENTS),
    width: COEFFICIENTS,
    pixelStep: new Float32Array(n),
  };
  const columns = summaryNames(layout).map(
    (name): Column => ({ name, kind: 'number', ofImage: true, values: new Float64Array(n) }),
  );
  const frequencies = new LowFrequencies(layout.height, layout.width);
  const thumbnailer = new Thumbnailer(layout.height, layout.width);
  const [height, width] = thumbnailer.size;
  const thumbnails = { data: new Int16Array(n * height * width), height, width };
  const read = (data: NumericArray, from: number, row: number) => {
    [content.high[row], content.low[row]] = valuesHash(data, from, size);
    const summary = summaryOf(data, from, layout);
    blank[row] = summary.blank ? 1 : 0;
    summary.values.forEach((value, at) => {
      columns[at].values[row] = value;
    });
    perceptual.pixelStep[row] = frequencies.write(summary.grey, summary.step, perceptual.data, row * COEFFICIENTS);
    thumbnailer.write(summary.grey, thumbnails.data, row * height * width);
  };
  for (const { from, rows } of rowBatches(X)) {
    const { data } = await rows.toDense();
    for (let row = 0; row < rows.length; row++) read(data, row * size, from + row);
  }
  return { n, columns, images: [{ content, blank, perceptual, thumbnails }] };
}

/** The low frequencies of one image of many. */
export const lowFrequenciesOf = ({ perceptual: { data, width } }: Pick<ImageFeatures, 'perceptual'>, row: number) =>
  data.subarray(row * width, (row + 1) * width);
