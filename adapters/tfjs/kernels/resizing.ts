/** Gradients of resizing images on plain numbers: the transposes of what tfjs does forwards. */
import type { PlainGradient } from './install.js';

export interface Resizing {
  /** `[batch, height, width, channels]` before and after. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly alignCorners: boolean;
  readonly halfPixelCenters: boolean;
  /** What the forward pass rounds its numbers with: `Math.fround` where it computes in 32 bits. */
  readonly rounded?: (value: number) => number;
}

/** Two pixels of the input and the weight of the second, for each place along one axis of the output. */
interface Source {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

function nearestGradient(resizing: Resizing, dy: Float32Array, dx: Float32Array): void {
  const { alignCorners, halfPixelCenters, rounded = asItIs } = resizing;
  scatter(resizing, dy, dx, (place, ratio, size) => {
    const source = rounded((halfPixelCenters ? place + 0.5 : place) * ratio);
    const pixel = Math.min(size - 1, alignCorners ? Math.round(source) : Math.floor(source));
    return { low: pixel, high: pixel, weight: 0 };
  });
}

function bilinearGradient(resizing: Resizing, dy: Float32Array, dx: Float32Array): void {
  const { halfPixelCenters } = resizing;
  scatter(resizing, dy, dx, (place, ratio, size) => {
    const exact = halfPixelCenters ? (place + 0.5) * ratio - 0.5 : place * ratio;
    const low = Math.max(0, Math.floor(exact));
    return { low, high: Math.max(0, Math.min(size - 1, Math.ceil(exact))), weight: exact - low };
  });
}

const asItIs = (value: number) => value;

function scatter(
  { from, to, alignCorners, rounded = asItIs }: Resizing,
  dy: Float32Array,
  dx: Float32Array,
  source: (place: number, ratio: number, size: number) => Source,
): void {
  const [batch, height, width, channels] = from;
  const along = (size: number, newSize: number) => {
    const corners = alignCorners && newSize > 1 ? 1 : 0;
    const ratio = rounded((size - corners) / (newSize - corners));
    return Array.from({ length: newSize }, (_, place) => source(place, ratio, size));
  };
  const [rows, columns] = [along(height, to[1]), along(width, to[2])];
  let at = 0;
  for (let image = 0; image < batch; image++) {
    for (const row of rows) {
      const [top, bottom] = [(image * height + row.low) * width, (image * height + row.high) * width];
      for (const column of columns) {
        for (let channel = 0; channel < channels; channel++) {
          const [left, right] = [column.low * channels + channel, column.high * channels + channel];
          const value = dy[at++];
          const below = value * row.weight;
          const above = value - below;
          dx[top * channels + left] += above * (1 - column.weight);
          dx[top * channels + right] += above * column.weight;
          dx[bottom * channels + left] += below * (1 - column.weight);
          dx[bottom * channels + right] += below * column.weight;
        }
      }
    }
  }
}

export const resizeGradients = (rounded = asItIs): PlainGradient[] =>
  Object.entries({
    ResizeNearestNeighborGrad: nearestGradient,
    ResizeBilinearGrad: bilinearGradient,
  }).map(([name, gradient]) => ({
    name,
    input: 'images',
    add(dy, dx, { from, to, attrs }) {
      const [alignCorners, halfPixelCenters] = [Boolean(attrs.alignCorners), Boolean(attrs.halfPixelCenters)];
      gradient({ from, to, alignCorners, halfPixelCenters, rounded }, dy, dx);
    },
  }));
