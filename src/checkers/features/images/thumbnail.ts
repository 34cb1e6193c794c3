/** Small grey versions of pictures, to see whether one is another one that was moved. */

/** Pixels of the longer side, at most; smaller pictures stay as they are. */
const SIDE = 32;
/** Grey values are kept as whole numbers up to this, of either sign. */
const LARGEST = 32_767;

/** Height and width of the thumbnail of a picture. */
export function thumbnailSize(height: number, width: number): readonly [number, number] {
  const part = Math.min(1, SIDE / Math.max(height, width));
  return [Math.max(1, Math.round(height * part)), Math.max(1, Math.round(width * part))];
}

/**
 * For each place of a line the places of the longer line around it, and weights that fall to 0 at its
 * neighbours: of what is finer than the short line can show, little comes back as something coarser.
 */
function tents(long: number, short: number) {
  const reach = long / short;
  return Array.from({ length: short }, (_, cell) => {
    const middle = (cell + 0.5) * reach - 0.5;
    const first = Math.max(0, Math.ceil(middle - reach));
    const last = Math.min(long - 1, Math.floor(middle + reach));
    const parts = Array.from({ length: last - first + 1 }, (_, at) =>
      reach > 1 ? Math.max(1e-9, 1 - Math.abs(first + at - middle) / reach) : Number(first + at === cell),
    );
    const sum = parts.reduce((total, part) => total + part, 0);
    return { first, parts: parts.map((part) => part / sum) };
  });
}

/** Makes thumbnails of grey pictures of one size by weighted means. */
export class Thumbnailer {
  readonly size: readonly [number, number];
  readonly #width: number;
  readonly #down: ReturnType<typeof tents>;
  readonly #across: ReturnType<typeof tents>;

  constructor(height: number, width: number) {
    this.size = thumbnailSize(height, width);
    this.#width = width;
    this.#down = tents(height, this.size[0]);
    this.#across = tents(width, this.size[1]);
  }

  /** Writes the thumbnail, its mean 0 and its largest deviation 32,767; zeros for a picture of one value. */
  write(grey: Float64Array, out: Int16Array, from: number): void {
    const width = this.#width;
    const small = new Float64Array(this.size[0] * this.size[1]);
    const line = new Float64Array(width);
    let [to, sum] = [0, 0];
    for (const { first, parts } of this.#down) {
      line.fill(0);
      for (let k = 0, at = first * width; k < parts.length; k++, at += width) {
        for (let x = 0; x < width; x++) line[x] += parts[k] * grey[at + x];
      }
      for (const { first: left, parts: shares } of this.#across) {
        for (let k = 0; k < shares.length; k++) small[to] += shares[k] * line[left + k];
        sum += small[to++];
      }
    }
    const mean = sum / small.length;
    let largest = 0;
    for (let at = 0; at < small.length; at++) largest = Math.max(largest, Math.abs(small[at] - mean));
    // What is left of a picture of one value is rounding.
    const scale = largest > 1e-9 * Math.abs(mean) ? LARGEST / largest : 0;
    for (let at = 0; at < small.length; at++) out[from + at] = Math.round((small[at] - mean) * scale);
  }
}
