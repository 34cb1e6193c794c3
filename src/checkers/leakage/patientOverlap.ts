import { counted } from '../../core/format.js';
import type { Label } from '../../core/labels.js';
import { groupsOf } from '../../core/sideData.js';
import { type Check, idHasher } from '../check.js';

/**
 * CVL001: no patient has rows on both sides of a fold. Exact, over every fold.
 *
 * Source: Saeb et al. 2017, GigaScience 6(5) (record-wise splits inflate performance).
 */
export const patientOverlap: Check = {
  code: 'CVL001',
  type: 'patient',
  description: 'A patient (group) has rows on both the training and the test side of a fold.',
  needs: ['groups'],
  judge({ folds, data }) {
    const { codes, ids, count } = groupsOf(data.groups as ArrayLike<Label>, folds.n);
    const shared = new Set<number>();
    const foldsHit: string[] = [];
    for (const { id, train, test } of folds) {
      const tested = new Uint8Array(count);
      for (const row of test) tested[codes[row]] = 1;
      const torn = new Set<number>();
      for (const row of train) if (tested[codes[row]]) torn.add(codes[row]);
      if (torn.size > 0) foldsHit.push(id);
      for (const code of torn) shared.add(code);
    }
    if (shared.size === 0) {
      return {
        status: 'passed',
        severity: 'none',
        message: `No patient is on both sides of a fold (${counted(count, 'patient')}, ${counted(folds.length, 'fold')}).`,
        evidence: { patients: count, folds: folds.length },
        fix: '',
      };
    }
    const hash = idHasher();
    return {
      status: 'failed',
      severity: 'critical',
      fold: foldsHit[0],
      message: `${shared.size} of ${counted(count, 'patient')} ${shared.size === 1 ? 'is' : 'are'} on both sides of a fold, in ${foldsHit.length} of ${counted(folds.length, 'fold')}.`,
      evidence: {
        patients: shared.size,
        folds: foldsHit.slice(0, 10),
        examples: [...shared].slice(0, 5).map((c) => hash(ids[c])),
      },
      fix: 'Use a splitter that keeps patients whole: StratifiedGroupKFold, or GroupKFold for regression.',
    };
  },
};
