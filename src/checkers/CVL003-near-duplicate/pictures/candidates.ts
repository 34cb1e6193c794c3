/** Which pictures may be copies of each other: the nearest by the directions of their edges and by low frequencies, in several positions. */
import { rowNumbers } from '../../../data/labels.js';
import type { ImageFeatures } from '../../features/columns.js';
import { upright } from '../../features/images/perceptual.js';
import { nearest, orientedGradients, productOf } from './orientedGradients.js';
import type { Pictures } from './registeredPairs.js';

export interface Candidates {
  /** Rows with content, in order. */
  readonly rows: Int32Array;
  of(row: number): readonly number[];
  /** In which positions a pair was found: as they are (0), mirrored (1), any (-1). */
  positions(first: number, second: number): readonly number[];
  /** What the candidates would be if that added picture were one of the rows. */
  with(added: number): WithAdded;
}

export interface WithAdded {
  /** The candidates of the added picture, and those that have it among theirs. */
  readonly its: readonly number[];
  readonly listing: ReadonlySet<number>;
  /** As of two rows: of a row and the added picture. */
  positions(row: number): readonly number[];
}

/** How many of each picture by its edges, as it is, zoomed and mirrored, and by its low frequencies in any position. */
const [PLAIN, ZOOMED, MIRRORED, UPRIGHT] = [8, 5, 3, 3];
/** More than this are not kept of those that have a picture among theirs. */
const MOST = 24;
const PADDED = 64;

export function candidatesOf(
  { blank, content: { high, low } }: ImageFeatures,
  pictures: Pictures,
  { codes }: { readonly codes?: Int32Array | undefined },
): Candidates {
  const n = blank.length;
  const rows = rowNumbers(n).filter((row) => !blank[row]);
  const m = rows.length;
  const gradients = orientedGradients(pictures.images(rows), m);
  const { width, plain } = gradients;
  const turned = new Float32Array(m * PADDED);
  rows.forEach((row, at) => {
    turned.set(upright(pictures.lowFrequencies(row)), at * PADDED);
  });
  const views: readonly View[] = [
    { name: 'plain', from: plain, among: plain, width, k: PLAIN, orientation: 0, least: new Float64Array(m) },
    {
      name: 'zoomed',
      from: gradients.zoomed,
      among: plain,
      width,
      k: ZOOMED,
      orientation: 0,
      least: new Float64Array(m),
    },
    {
      name: 'mirrored',
      from: gradients.mirrored,
      among: plain,
      width,
      k: MIRRORED,
      orientation: 1,
      least: new Float64Array(m),
    },
    {
      name: 'upright',
      from: turned,
      among: turned,
      width: PADDED,
      k: UPRIGHT,
      orientation: -1,
      least: new Float64Array(m),
    },
  ];
  const found = new Map<number, Set<number>>(Array.from(rows, (row) => [row, new Set()]));
  const positions = new Map<number, Set<number>>();
  rows.forEach((row, at) => {
    const wanted = (other: number) => {
      const each = rows[other];
      if (each === row || (codes && codes[each] === codes[row])) return false;
      return !(high[each] === high[row] && low[each] === low[row]);
    };
    for (const { from, among, width, k, orientation, least } of views) {
      const near = nearest(from, at, among, width, k, wanted);
      least[at] = near.length < k ? -Infinity : productOf(from, at * width, among, near[k - 1] * width, width);
      for (const other of near) {
        const each = rows[other];
        const key = row < each ? row * n + each : each * n + row;
        positions.set(key, (positions.get(key) ?? new Set()).add(orientation));
        found.get(row)!.add(each);
        const back = found.get(each)!;
        if (back.size < MOST) back.add(row);
      }
    }
  });
  const of = (row: number) => [...(found.get(row) ?? [])];
  return {
    rows,
    of,
    positions: (first, second) => [...(positions.get(first * n + second) ?? [0])],
    with(added) {
      const low = new Float32Array(PADDED);
      low.set(upright(pictures.lowFrequencies(added)));
      const seen = { ...gradients.of(pictures.at(added).full), upright: low };
      const [its, listing] = [new Set<number>(), new Set<number>()];
      const places = new Map<number, Set<number>>();
      const note = (row: number, orientation: number) =>
        places.set(row, (places.get(row) ?? new Set()).add(orientation));
      for (const { name, among, width, k, orientation } of views) {
        for (const other of nearest(seen[name], 0, among, width, k, () => true)) {
          const row = rows[other];
          its.add(row);
          if (found.get(row)!.size < MOST) listing.add(row);
          note(row, orientation);
        }
      }
      for (const { name, from, width, orientation, least } of views) {
        const point = name === 'upright' ? low : seen.plain;
        for (let at = 0; at < m; at++) {
          if (!(productOf(from, at * width, point, 0, width) > least[at])) continue;
          listing.add(rows[at]);
          if (its.size < MOST) its.add(rows[at]);
          note(rows[at], orientation);
        }
      }
      return { its: [...its], listing, positions: (row) => [...(places.get(row) ?? [0])] };
    },
  };
}

/** Points from which others are searched, and among which, and the product that the last of the nearest of each has. */
interface View {
  readonly name: 'plain' | 'zoomed' | 'mirrored' | 'upright';
  readonly from: Float32Array;
  readonly among: Float32Array;
  readonly width: number;
  readonly k: number;
  readonly orientation: number;
  readonly least: Float64Array;
}
