/** Pairs of rows that are nearer to each other than chance explains, in any input of a model. */
import type { RandomSource } from '../../core/random.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import type { Features } from '../features/columns.js';
import { inputsOf } from '../features/features.js';
import { FEWEST } from './calibration.js';
import { pairsWithin } from './pairsWithin.js';
import { searchPictures } from './pictures/searchPictures.js';
import { type PointOptions, type PointPair, type PointSearch, searchPoints } from './searchPoints.js';
import { sharedCells } from './sharedCells.js';
import { type NearVectors, nearVectors, normalizedVectors, rawPoints, uprightVectors } from './vectors.js';

export interface NearPair extends PointPair {
  readonly input: number;
}

export interface NearInput extends Omit<PointSearch, 'pairs'> {
  readonly name?: string;
  readonly images: boolean;
}

/** The pairs of all inputs, the most similar first, and what holds of the inputs together. */
export interface NearSearch extends Pick<PointSearch, 'reason' | 'notDetectable' | 'tightClusters'> {
  readonly pairs: readonly NearPair[];
  readonly inputs: readonly NearInput[];
  /** What to pass so that it can be judged, or what to do about it. */
  readonly fix?: string;
}

export interface NearOptions extends Partial<PointOptions> {
  /** Number of patients (of rows without `codes`). */
  readonly units: number;
  /** Pairs of rows that folds put on two sides, at most. */
  readonly crossPairs: number;
  /** `cosine`: rows are compared by their directions; the similarity is the cosine. */
  readonly metric?: 'euclidean' | 'cosine';
  /** The rows are a model's vectors: their cosine is that of the vectors as they are, not of standardised rows. */
  readonly embedded?: boolean;
  readonly copies?: boolean;
  /** Cluster of each row among the copies that are known already, which do not count; -1 for none. */
  readonly known?: Int32Array;
  readonly random: RandomSource;
}

const LOOK =
  'Pass the patient of each row as `patientIds`, and sites or batches as `hierarchy`; if the rows of a cluster are versions of one row, give them one id (`mergeDuplicates`).';

export async function nearPairs(features: Features, options: NearOptions): Promise<NearSearch> {
  const { units, crossPairs, wanted = () => true, copies = false, random, known } = options;
  const { n } = features;
  if (units < FEWEST) {
    const reason = `What distance is usual can be told from ${FEWEST} patients (rows, without \`patientIds\`) or more. Got ${units}.`;
    return { pairs: [], inputs: [], reason, fix: `Pass rows of ${FEWEST} patients or more.` };
  }
  const inputs = inputsOf(features);
  const settings = { ...options, pairsPerRow: inputs.length * Math.min(n / 2, crossPairs / (n - 1)), wanted, random };
  const found = new Map<number, NearPair>();
  const about: NearInput[] = [];
  for (const [input, each] of inputs.entries()) {
    const { columns, images } = each;
    const { pairs, ...search } = images
      ? await searchPictures(each, settings)
      : await searchPoints((await viewsOf(each, options))[0], settings);
    const isChance = images ? () => false : await sharedCells({ ...options, n, columns }, pairs);
    for (const [at, pair] of pairs.entries()) {
      await yieldToPage();
      const { first, second, similarity } = pair;
      if (known && known[first] >= 0 && known[first] === known[second]) continue;
      if (isCopy(features, pair) ? !copies : isChance(at)) continue;
      const key = first * n + second;
      if (!((found.get(key)?.similarity ?? -Infinity) >= similarity)) found.set(key, { ...pair, input });
    }
    const name = images?.[0].input;
    // Its own `reason`, also where there is none: see hasReason.
    about.push({ reason: undefined, ...search, ...(name ? { name } : {}), images: images !== undefined });
  }
  const search = { reason: undefined, pairs: mostSimilarFirst(found), inputs: about };
  const clustered = about.filter(({ tightClusters }) => tightClusters);
  if (clustered.length > 0) {
    const tightClusters = clustered.flatMap((each) => each.tightClusters ?? []);
    return { ...search, reason: clustered[0].reason, tightClusters, fix: LOOK };
  }
  if (search.pairs.length > 0 || about.some(({ reason }) => !reason)) return search;
  return {
    ...search,
    reason: about[0].reason,
    fix: 'Use rows of more patients, or columns that tell patients apart.',
    ...(about.every(({ notDetectable }) => notDetectable) ? { notDetectable: true } : {}),
  };
}

const mostSimilarFirst = (pairs: ReadonlyMap<number, NearPair>) =>
  [...pairs.values()].sort((a, b) => b.similarity - a.similarity);

/** All pairs that are at least so similar, chance or not: what a caller gets who names a similarity. */
export async function pairsAbove(
  features: Features,
  {
    similarity: least,
    wanted,
    ...view
  }: Pick<NearOptions, 'metric' | 'embedded' | 'wanted' | 'random'> & { readonly similarity: number },
): Promise<{ readonly pairs: readonly NearPair[]; readonly truncated: boolean }> {
  let truncated = false;
  const found = new Map<number, NearPair>();
  for (const [input, each] of inputsOf(features).entries()) {
    for (const vectors of await viewsOf(each, view)) {
      const limit = Math.sqrt((1 - least) * vectors.meanSquaredDistance);
      const near = await pairsWithin(vectors, limit, view.random, wanted);
      truncated ||= near.truncated;
      for (const pair of near.pairs) {
        const similarity = 1 - pair.distance ** 2 / vectors.meanSquaredDistance;
        const key = pair.first * features.n + pair.second;
        if (!((found.get(key)?.similarity ?? -1) >= similarity)) found.set(key, { ...pair, similarity, input });
      }
    }
  }
  return { pairs: mostSimilarFirst(found), truncated };
}

/** An input as points: images once as they are and once turned to a position of their own. */
async function viewsOf(
  features: Features,
  { metric, embedded, random, levels = [] }: Pick<NearOptions, 'metric' | 'embedded' | 'random' | 'levels'>,
): Promise<NearVectors[]> {
  if (metric === 'cosine' && embedded) return [normalizedVectors(rawPoints(features))];
  const placed = await nearVectors(features, random, levels);
  const views = features.images ? [placed, uprightVectors(features)] : [placed];
  return metric === 'cosine' ? views.map(normalizedVectors) : views;
}

function isCopy({ columns, images = [] }: Features, { first: i, second: j }: PointPair): boolean {
  return (
    images.every(({ content: { high, low } }) => high[i] === high[j] && low[i] === low[j]) &&
    columns.every(({ values }) => values[i] === values[j] || (Number.isNaN(values[i]) && Number.isNaN(values[j])))
  );
}
