/** What CVL003 looks for in rows, here or in a thread: that of a large table goes on there while other checks go on here. */
import { type RandomSource, randomSource } from '../../core/random.js';
import type { CheckInput } from '../checkInput.js';
import type { Column, Features } from '../features/columns.js';
import { type FoundPairs, type NearOptions, searchPairs } from './nearPairs.js';
import { type OverlapPair, overlaps, type Windows, windowsOfTable } from './windows/overlaps.js';

/** The rows, and how they are searched. */
export interface Search {
  readonly features: Features;
  /** The rows as windows or tiles, where they may be some. */
  readonly windows: Windows | undefined;
  readonly options: Pick<NearOptions, 'codes' | 'units' | 'crossPairs' | 'levels'>;
}

/** What was found in rows. */
export interface Searched {
  readonly near: FoundPairs;
  /** Rows that overlap, where they may be windows or tiles. */
  readonly overlapping: readonly OverlapPair[];
}

/** Searches rows. Every draw comes from `random`. */
export async function searchRows({ features, windows, options }: Search, random: RandomSource): Promise<Searched> {
  const near = searchPairs(features, { ...options, random });
  return { near, overlapping: windows ? await overlaps(windows, options.codes) : [] };
}

/** A search as a thread is sent it: a table without names. */
interface Sent extends Pick<Search, 'options'> {
  readonly n: number;
  /** The values of one column after the other. */
  readonly values: Float64Array<ArrayBuffer>;
  readonly columns: readonly { readonly kind: Column['kind']; readonly levels: number }[];
  readonly windows: Pick<Windows, 'shape' | 'batch'> | undefined;
  readonly seed: number;
}

/** A smaller table is searched before a thread would have it; a copy of a larger one takes too much memory. */
const CELLS = { least: 50_000, most: 2e7 };

const begun = new WeakMap<CheckInput, Promise<Searched | undefined>>();

/**
 * Comes back when a thread has the search. Images and small tables are left to the check.
 *
 * @throws where no thread can be had
 */
export async function beginSearch(input: CheckInput, search: Search, seed: number): Promise<void> {
  const { features, windows, options } = search;
  const { n, columns, images } = features;
  const cells = n * columns.length;
  if (images || cells < CELLS.least || cells > CELLS.most) return;
  const { beginWork } = await import('#sideThread');
  if (!beginWork) return;
  const values = new Float64Array(n * columns.length);
  columns.forEach((column, at) => {
    values.set(column.values, at * n);
  });
  const sent: Sent = {
    n,
    values,
    columns: columns.map(({ kind, levels = [] }) => ({ kind, levels: levels.length })),
    windows: windows && { shape: windows.shape, batch: windows.batch },
    options,
    seed,
  };
  begun.set(input, (await beginWork<Searched>('searchAside', sent, [values.buffer])).ended);
}

/** What the thread found, the same as is found here, bit for bit; undefined where it was not asked or has failed. */
export const searchedAside = async (input: CheckInput): Promise<Searched | undefined> => begun.get(input);

/** What the thread does; it is sent null to be woken. */
export default async function searchAside(sent: Sent | null): Promise<Searched | null> {
  if (!sent) return null;
  const { n, values, windows, options, seed } = sent;
  const columns = sent.columns.map(({ kind, levels }, at) => ({
    name: '',
    kind,
    values: values.subarray(at * n, (at + 1) * n),
    levels: Array<string>(levels).fill(''),
  }));
  const features = { n, columns };
  return searchRows({ features, windows: windows && windowsOfTable(features, windows), options }, randomSource(seed));
}
