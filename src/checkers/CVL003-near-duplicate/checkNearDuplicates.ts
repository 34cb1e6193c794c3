/** Near-duplicates between two sets: CVL003 as a single check. */
import { counted, wholeNumber } from '../../core/format.js';
import { anything, type InputOf, number, oneOf, optionTable } from '../../core/options.js';
import { freshSeed, randomSource } from '../../core/random.js';
import { joinRows } from '../../data/joinRows.js';
import { type RowsInput, rowsOf } from '../../data/rows.js';
import { checkLength } from '../../data/sideData.js';
import { seedOption } from '../checkOptions.js';
import { readFeatures } from '../features/features.js';
import { leastSimilarityOf, type NearDuplicates, similarityText } from './nearDuplicates.js';
import { type NearSearch, nearPairs, pairsAbove } from './nearPairs.js';

export const nearDuplicatesOptions = optionTable('checkNearDuplicates', {
  similarityThreshold: number({ above: 0, max: 1 })
    .default(0.99)
    .describe(
      'Least similarity of a pair that is listed. Another value than the default decides by itself, as a cosine unless `metric` is set.',
    ),
  metric: oneOf('euclidean', 'cosine')
    .default('euclidean')
    .describe(
      "'euclidean', 1 - d^2 over its mean, of standardised rows; 'cosine', of these, from their middle, or of a model's vectors as they are.",
    ),
  embeddingsTrain: anything<RowsInput>('rows').optional().describe("A model's vectors of the training rows."),
  embeddingsTest: anything<RowsInput>('rows').optional().describe("A model's vectors of the test rows."),
  randomState: seedOption.describe('Seed of what is sampled to see how far apart rows usually are.'),
});
export type NearDuplicatesOptions = InputOf<typeof nearDuplicatesOptions>;

/** See {@link DataLeakageChecker.checkNearDuplicates}. */
export async function checkNearDuplicates(
  XTrain: RowsInput,
  XTest: RowsInput,
  input: NearDuplicatesOptions,
): Promise<NearDuplicates> {
  const { options, written } = nearDuplicatesOptions.parse(input);
  const { randomState, embeddingsTrain, embeddingsTest, similarityThreshold: threshold } = options;
  // A threshold of the caller's own is one of cosines, and decides.
  const decides = threshold !== nearDuplicatesOptions.shape.similarityThreshold.defaultValue;
  const metric = decides && !written.has('metric') ? 'cosine' : options.metric;
  const embedded = embeddingsTrain !== undefined;
  const train = setOf(XTrain, 'XTrain', embeddingsTrain, 'embeddingsTrain');
  const test = setOf(XTest, 'XTest', embeddingsTest, 'embeddingsTest');
  const features = await readFeatures(joinRows(train, test));
  const settings = {
    wanted: (first: number, second: number) => first < train.length && second >= train.length,
    similarity: threshold,
    metric,
    embedded,
    random: randomSource(randomState ?? freshSeed()),
  };
  const search: NearSearch & { readonly truncated?: boolean } = decides
    ? { inputs: [], ...(await pairsAbove(features, settings)) }
    : await nearPairs(features, {
        ...settings,
        units: features.n,
        crossPairs: train.length * test.length,
        copies: true,
      });
  const { inputs, reason, tightClusters, truncated, fix } = search;
  const pairs = search.pairs.map(({ first, second, similarity }) => ({
    trainIndex: first,
    testIndex: second - train.length,
    similarity,
  }));
  const tested = reason && !tightClusters ? 0 : test.length;
  const rows = new Set(pairs.map(({ testIndex }) => testIndex)).size;
  const limit = Math.max(threshold, leastSimilarityOf(inputs) ?? 0);
  const detectable = Math.min(...inputs.map((each) => each.detectable));
  const answer = (message: string) => ({
    pairs,
    count: pairs.length,
    threshold,
    evidence: decides ? { tested, metric } : inputs.length > 0 ? { tested, limit, detectable } : { tested },
    hasLeakage: rows > 0,
    status: rows > 0 ? ('failed' as const) : ('passed' as const),
    fraction: rows / tested,
    message,
    fix: rows > 0 ? GROUP_THEM : '',
  });
  if (decides) {
    const like = `${metric === 'cosine' ? 'cosine' : 'similarity'}${embedded ? '' : ' (of standardised rows)'}`;
    return answer(
      `${wholeNumber(rows)} of ${counted(tested, 'test row')} ${rows === 1 ? 'has' : 'have'} a ${like} of at least ${threshold} with a training row. Whether chance explains it was not examined.${truncated ? ' There are more: the search ended.' : ''}`,
    );
  }
  if (reason && rows === 0) {
    const [status, fraction] = tightClusters ? (['needs_review', 0] as const) : (['not_evaluated', null] as const);
    return { ...answer(reason), status, fraction, fix: fix ?? '' };
  }
  const notes = inputs.map(({ note = '' }) => note && ` ${note}`).join('');
  const chance =
    limit > threshold + 1e-9
      ? `In these data chance alone gives similarities of up to ${similarityText(limit)}, so pairs below it are not listed.`
      : inputs.some(({ images }) => images)
        ? 'Images were aligned with the ones that look most alike; their pairs are judged by what chance gives around them, however similar they are.'
        : `Pairs were looked for from a similarity of ${threshold}.`;
  const many = `${rows} of ${counted(tested, 'test row')} ${rows === 1 ? 'is' : 'are'}`;
  return answer(`${rows > 0 ? many : 'No test row is'} almost a training row. ${chance}${notes}`);
}

const GROUP_THEM = 'Keep such rows on one side: mergeDuplicates makes groups of them.';

function setOf(X: RowsInput, name: string, embeddings: RowsInput | undefined, vectorsName: string) {
  const rows = rowsOf(X, name);
  if (embeddings === undefined) return rows;
  const vectors = rowsOf(embeddings, vectorsName);
  checkLength(vectors, rows.length, vectorsName, `${name} has rows`);
  return vectors;
}
