/** Pairs of rows that are nearer to each other than chance explains, in any input of a model. */
import type { RandomSource } from '../../core/random.js';
import type { Features } from '../features/columns.js';
import { inputsOf } from '../features/features.js';
import { FEWEST } from './calibration.js';
import type { Clusters } from './clusters.js';
import { pairsWithin } from './pairsWithin.js';
import { searchPictures } from './pictures/searchPictures.js';
import { type PointOptions, type PointPair, type PointSearch, searchPoints } from './searchPoints.js';
import { SharedCells } from './sharedCells.js';
import { type NearVectors, nearVectors, rawPoints, unitVectors, uprightVectors } from './vectors.js';

export interface NearPair extends PointPair {
  /** Place in `inputs` of the one in which they are alike. */
  readonly input: number;
}

export interface NearInput extends Omit<PointSearch, 'pairs'> {
  readonly name?: string;
  readonly images: boolean;
}

/** What a search gives: the pairs of all inputs, the most similar first. */
export interface FoundPairs {
  readonly pairs: readonly NearPair[];
  readonly inputs: readonly NearInput[];
  /** Why nothing was searched. */
  readonly tooFew?: string;
}

export interface NearSearch {
  readonly pairs: readonly NearPair[];
  readonly inputs: readonly NearInput[];
  /** Why nothing could be judged; with `tightClusters`, the clusters that are too tight about the rows. */
  readonly reason?: string;
  /** `reason` is that nothing could be seen in data like these, whatever else were passed. */
  readonly notDetectable?: true;
  /** `reason` is no lack of data but a finding, beside the pairs: the clusters in which rows of some input come. */
  readonly tightClusters?: readonly Clusters[];
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
  /** Exact copies count, too. */
  readonly copies?: boolean;
  /** Cluster of each row among the copies that are known already, which do not count; -1 for none. */
  readonly known?: Int32Array;
  readonly random: RandomSource;
}

const LOOK =
  'Pass the patient of each row as `patientIds`, and sites or batches as `hierarchy`; if the rows of a cluster are versions of one row, give them one id (`mergeDuplicates`).';

export function nearPairs(features: Features, options: NearOptions): NearSearch {
  return withoutKnown(searchPairs(features, options), options.known);
}

/** All of them, also those that are known already. */
export function searchPairs(features: Features, options: Omit<NearOptions, 'known'>): FoundPairs {
  const { units, crossPairs, wanted = () => true, copies = false, random } = options;
  const { n } = features;
  if (units < FEWEST) {
    const reason = `What distance is usual can be told from ${FEWEST} patients (rows, without \`patientIds\`) or more. Got ${units}.`;
    return { pairs: [], inputs: [], tooFew: reason };
  }
  const inputs = inputsOf(features);
  const pairsPerRow = inputs.length * Math.min(n / 2, crossPairs / (n - 1));
  const settings = { ...options, pairsPerRow, wanted, random };
  const searched = inputs.map((each) => (each.images ? searchPictures(each, settings) : searchTable(each, settings)));
  const found = new Map<number, NearPair>();
  for (const [input, { pairs }] of searched.entries()) {
    const { columns, images } = inputs[input];
    const shared = !images ? new SharedCells({ ...options, n, columns }, pairs) : undefined;
    for (const [at, pair] of pairs.entries()) {
      const known = found.get(pair.first * n + pair.second);
      if (isCopy(features, pair) ? !copies : shared?.isChance(at)) continue;
      if (!known || known.similarity < pair.similarity) found.set(pair.first * n + pair.second, { ...pair, input });
    }
  }
  const about = inputs.map(({ images }, input): NearInput => {
    const { pairs: _, ...search } = searched[input];
    const name = images?.[0].input;
    // Its own `reason`, also where there is none: see hasReason.
    return { reason: undefined, ...search, ...(name ? { name } : {}), images: images !== undefined };
  });
  return { pairs: [...found.values()].sort((a, b) => b.similarity - a.similarity), inputs: about };
}

/** What a search comes to when pairs that are copies of each other do not count. */
export function withoutKnown({ pairs: all, inputs, tooFew }: FoundPairs, known?: Int32Array): NearSearch {
  if (tooFew) return { pairs: [], inputs, reason: tooFew, fix: `Pass rows of ${FEWEST} patients or more.` };
  const isKnown = ({ first, second }: NearPair) =>
    known !== undefined && known[first] >= 0 && known[first] === known[second];
  const search = { reason: undefined, pairs: all.filter((pair) => !isKnown(pair)), inputs };
  const tightClusters = inputs.filter((each) => each.tightClusters);
  if (tightClusters.length > 0)
    return {
      ...search,
      reason: tightClusters[0].reason,
      tightClusters: tightClusters.flatMap((each) => each.tightClusters ?? []),
      fix: LOOK,
    };
  return search.pairs.length === 0 && inputs.every(({ reason }) => reason)
    ? {
        ...search,
        reason: inputs[0].reason,
        fix: 'Use rows of more patients, or columns that tell patients apart.',
        ...(inputs.every((each) => each.notDetectable) ? { notDetectable: true } : {}),
      }
    : search;
}

function searchTable(features: Features, options: NearOptions & PointOptions): PointSearch {
  return searchPoints(viewsOf(features, options)[0], options);
}

/** All pairs that are at least so similar, chance or not: what a caller gets who names a similarity. */
export function pairsAbove(
  features: Features,
  {
    similarity,
    wanted,
    random,
    ...view
  }: Pick<NearOptions, 'metric' | 'embedded' | 'wanted' | 'random'> & { readonly similarity: number },
): { readonly pairs: readonly NearPair[]; readonly truncated: boolean } {
  let truncated = false;
  const found = new Map<number, NearPair>();
  for (const [input, each] of inputsOf(features).entries()) {
    for (const vectors of viewsOf(each, { ...view, random })) {
      const near = pairsWithin(vectors, Math.sqrt((1 - similarity) * vectors.meanSquaredDistance), random, wanted);
      truncated ||= near.truncated;
      near.distance.forEach((distance, at) => {
        const pair = {
          input,
          first: near.first[at],
          second: near.second[at],
          distance,
          similarity: 1 - distance ** 2 / vectors.meanSquaredDistance,
        };
        const key = pair.first * features.n + pair.second;
        if (!((found.get(key)?.similarity ?? -1) >= pair.similarity)) found.set(key, pair);
      });
    }
  }
  return { pairs: [...found.values()].sort((a, b) => b.similarity - a.similarity), truncated };
}

/** An input as points: images once as they are and once turned to a position of their own. */
function viewsOf(
  features: Features,
  { metric, embedded, random, levels }: Pick<NearOptions, 'metric' | 'embedded' | 'random' | 'levels'>,
): NearVectors[] {
  if (metric === 'cosine' && embedded) return [unitVectors(rawPoints(features))];
  const placed = nearVectors(features, random, levels);
  const views = features.images ? [placed, uprightVectors(features)] : [placed];
  return metric === 'cosine' ? views.map(unitVectors) : views;
}

function isCopy({ columns, images = [] }: Features, { first: i, second: j }: PointPair): boolean {
  return (
    images.every(({ content: { high, low } }) => high[i] === high[j] && low[i] === low[j]) &&
    columns.every(({ values }) => values[i] === values[j] || (Number.isNaN(values[i]) && Number.isNaN(values[j])))
  );
}
