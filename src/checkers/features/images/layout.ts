/** How the pixels of one image or volume lie: row-major, depth first, channels last. */
export interface Layout {
  readonly depth: number;
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

const LEAST = { side: 8, grey: 16 };
const CHANNELS = 4;

/** The layout of rows of that shape; undefined for rows that are no images, such as windows of a time series. */
export function layoutOf(shape: readonly number[]): Layout | undefined {
  const colour = shape.length > 2 && shape[shape.length - 1] <= CHANNELS;
  const [height, width] = shape.slice(colour ? -3 : -2);
  const sides = shape.length - (colour ? 1 : 0);
  if (shape.length < 2 || sides < 2 || sides > 3) return undefined;
  if (Math.min(height, width) < (shape.length === 2 ? LEAST.grey : LEAST.side)) return undefined;
  return { depth: sides === 3 ? shape[0] : 1, height, width, channels: colour ? shape[shape.length - 1] : 1 };
}
