/** Which pictures may be copies of each other: the nearest by the directions of their edges and by low frequencies, in several positions. */
import { rowNumbers } from '../../../data/labels.js';
import type { ImageFeatures } from '../../features/columns.js';
import { upright } from '../../features/images/perceptual.js';
import { lowFrequenciesOf } from '../../features/images/readImages.js';
import type { GreyImage } from './alignment.js';
import { nearest, orientedGradients } from './orientedGradients.js';

export interface Candidates {
  /** Rows with content, in order. */
  readonly rows: Int32Array;
  of(row: number): readonly number[];
  /** In which positions a pair was found: as they are (0), mirrored (1), any (-1). */
  positions(first: number, second: number): readonly number[];
}

/** How many of each picture by its edges, as it is, zoomed and mirrored, and by its low frequencies in any position. */
const [PLAIN, ZOOMED, MIRRORED, UPRIGHT] = [8, 5, 3, 3];
/** More than this are not kept of those that have a picture among theirs. */
const MOST = 24;
const PADDED = 64;

export function candidatesOf(
  image: ImageFeatures,
  imagesOf: (rows: Int32Array) => Iterable<GreyImage>,
  { codes }: { readonly codes?: Int32Array | undefined },
): Candidates {
  const { blank, content } = image;
  const n = blank.length;
  const { high, low } = content;
  const rows = rowNumbers(n).filter((row) => !blank[row]);
  const m = rows.length;
  const gradients = orientedGradients(imagesOf(rows), m);
  const turned = new Float32Array(m * PADDED);
  rows.forEach((row, at) => {
    turned.set(upright(lowFrequenciesOf(image, row)), at * PADDED);
  });
  const views = [
    { from: gradients.plain, among: gradients.plain, width: gradients.width, k: PLAIN, orientation: 0 },
    { from: gradients.zoomed, among: gradients.plain, width: gradients.width, k: ZOOMED, orientation: 0 },
    { from: gradients.mirrored, among: gradients.plain, width: gradients.width, k: MIRRORED, orientation: 1 },
    { from: turned, among: turned, width: PADDED, k: UPRIGHT, orientation: -1 },
  ];
  const found = new Map<number, Set<number>>(Array.from(rows, (row) => [row, new Set()]));
  const positions = new Map<number, Set<number>>();
  rows.forEach((row, at) => {
    const wanted = (other: number) => {
      const each = rows[other];
      if (each === row || (codes && codes[each] === codes[row])) return false;
      return !(high[each] === high[row] && low[each] === low[row]);
    };
    for (const { from, among, width, k, orientation } of views) {
      for (const other of nearest(from, at, among, width, k, wanted)) {
        const each = rows[other];
        const key = row < each ? row * n + each : each * n + row;
        positions.set(key, (positions.get(key) ?? new Set()).add(orientation));
        found.get(row)!.add(each);
        const back = found.get(each)!;
        if (back.size < MOST) back.add(row);
      }
    }
  });
  return {
    rows,
    of: (row) => [...(found.get(row) ?? [])],
    positions: (first, second) => [...(positions.get(first * n + second) ?? [0])],
  };
}
