import { counted } from '../../core/format.js';
import type { Label } from '../../core/labels.js';
import { groupsOf } from '../../core/sideData.js';
import { type Check, passed } from '../check.js';
import { overlapOf, tornExamples } from '../overlap.js';

/**
 * CVL001: no patient has rows on both sides of a fold. Exact, over every fold.
 *
 * Source: Saeb et al. 2017, GigaScience 6(5) (record-wise splits inflate performance).
 */
export const patientOverlap: Check = {
  code: 'CVL001',
  type: 'patient',
  kind: 'leakage',
  description: 'A patient (group) has rows on both the training and the test side of a fold.',
  needs: ['groups'],
  judge(input) {
    const { folds, data } = input;
    const { codes, ids, count } = groupsOf(data.groups as ArrayLike<Label>, folds.n);
    const overlap = overlapOf(folds, codes, count);
    const patients = counted(count, 'patient');
    if (overlap.torn.length === 0) {
      const message = `No patient is on both sides of a fold (${patients}, ${counted(folds.length, 'fold')}).`;
      return passed(message, { patients: count, folds: folds.length });
    }
    const torn = overlap.torn.length;
    return {
      status: 'failed',
      severity: 'critical',
      fold: overlap.folds[0],
      message: `${torn} of ${patients} ${torn === 1 ? 'is' : 'are'} on both sides of a fold, in ${overlap.folds.length} of ${counted(folds.length, 'fold')}.`,
      evidence: {
        patients: torn,
        folds: overlap.folds.slice(0, 10),
        examples: tornExamples(overlap, input, ids),
      },
      fix: 'Use a splitter that keeps patients whole: StratifiedGroupKFold, or GroupKFold for regression.',
    };
  },
};
