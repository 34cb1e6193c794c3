/** How well the site alone predicts a label of two classes. */
import { type RandomSource, shuffle } from '../../core/random.js';
import { concordance } from '../../metrics/rocPlacements.js';
import type { PatientSites } from './association.js';

const FOLDS = 5;

/**
 * Mean area under the ROC curve, over five folds of patients, of the share of the class 1 at the patient's site among
 * the other folds: the area of shares of the same patients would be too large. Null when no fold has both classes.
 */
export function siteArea(labels: Int32Array, { codes, count }: PatientSites, random: RandomSource): number | null {
  const folds = shuffle(
    random,
    labels.map((_, patient) => patient % FOLDS),
  );
  const overall = labels.reduce((sum, label) => sum + label, 0) / labels.length;
  let [pairs, concordant] = [0, 0];
  for (let fold = 0; fold < FOLDS; fold++) {
    const positive = new Float64Array(count).fill(overall);
    const sizes = new Float64Array(count).fill(1);
    labels.forEach((label, patient) => {
      if (folds[patient] === fold) return;
      positive[codes[patient]] += label;
      sizes[codes[patient]]++;
    });
    const tested = Array.from(labels.keys()).filter((patient) => folds[patient] === fold);
    const found = concordance({
      length: tested.length,
      positive: 1,
      yTrue: Int32Array.from(tested, (patient) => labels[patient]),
      scores: Float64Array.from(tested, (patient) => positive[codes[patient]] / sizes[codes[patient]]),
    });
    pairs += found.positives * found.negatives;
    concordant += found.concordant;
  }
  return pairs > 0 ? concordant / pairs : null;
}
