import { counted } from '../../core/format.js';
import { groupsOf, patientIdsOf } from '../../core/sideData.js';
import { type Check, passed, undecided } from '../check.js';
import { readFeatures } from '../features.js';
import { EXAMPLES } from '../overlap.js';

/**
 * CVL003: no test row is almost a training row of another patient. A pair is accused when fewer than .01 pairs in all
 * the folds would come as near by chance, judged by the distances that neighbours have in these data.
 *
 * Source: Barz & Denzler 2020, Journal of Imaging 6(6):41 (near-duplicates between training and test sets).
 */
export const nearDuplicates: Check = {
  code: 'CVL003',
  type: 'near_duplicate',
  kind: 'leakage',
  description: 'A test row is almost a training row of another patient: nearer than chance brings rows of these data.',
  needs: [],
  async judge(input) {
    const { folds, embeddings, data } = input;
    const { nearPairs } = await import('../near/nearPairs.js');
    const { acrossFolds, crossPairs } = await import('../near/acrossFolds.js');
    const features = embeddings ? await readFeatures(embeddings) : await input.features();
    const ids = patientIdsOf(data);
    const patients = ids && groupsOf(ids, folds.n);
    const search = nearPairs(features, {
      codes: patients?.codes,
      units: patients?.count ?? folds.n,
      crossPairs: crossPairs(folds),
      random: input.random('near_duplicate'),
    });
    if (search.reason) return undecided(search.reason, search.fix);
    const across = acrossFolds(folds, search.pairs);
    const { detectable } = search;
    const size = `${counted(folds.n, 'row')}, ${counted(search.features, 'continuous feature')}`;
    const found = `Copies with noise of up to ${detectable.toPrecision(2)} standard deviations per feature would be found (${size}).`;
    const evidence = { rows: folds.n, features: search.features, detectable, leastSimilarity: search.leastSimilarity };
    if (across.length === 0) {
      const whose = patients ? ' of another patient' : '';
      return passed(`No test row is almost a training row${whose}. ${found}`, evidence);
    }
    const testRows = new Set(across.map(({ test }) => test)).size;
    const examples = across.slice(0, EXAMPLES).map(({ pair, fold, train, test }) => ({
      fold,
      train: input.rowOf(train),
      test: input.rowOf(test),
      similarity: search.pairs[pair].similarity,
    }));
    const [{ similarity }] = examples;
    return {
      status: 'failed',
      severity: 'high',
      fold: across[0].fold,
      message: `${counted(testRows, 'test row')} ${testRows === 1 ? 'is' : 'are'} almost a training row${patients ? ' of another patient' : ''}, nearer than chance brings rows of these data; the closest pair has a similarity of ${similarity > 0.9999 ? 'more than 0.9999' : similarity.toPrecision(4)}. ${found}`,
      evidence: { ...evidence, pairs: across.length, testRows, examples },
      fix: 'Look at the pairs: if they are copies, keep one of each or give both rows one patient id (`mergeDuplicates`), and split again.',
    };
  },
};
