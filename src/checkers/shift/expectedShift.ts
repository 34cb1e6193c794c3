import { nameText } from '../../core/foreignText.js';
import type { CheckInput } from '../checkInput.js';
import type { FoldUnits } from './foldUnits.js';

/**
 * Why test rows are expected to differ from training rows, as a clause, or null: the folds follow time, lie apart,
 * stand for other patients than those trained on, or test whole sites, so that a difference is no surprise.
 */
export function expectedShift({ folds: { claims }, design }: CheckInput, { coarse, lone, unit }: FoldUnits) {
  const { timeOrdered, keepsTies, purged, separated } = claims;
  if (timeOrdered || keepsTies || purged) return 'the folds are periods of time';
  if (separated) return 'test rows lie apart from the others in space or by their features';
  if (design === 'prospective') return 'the test rows stand for later patients';
  if (design === 'deployment') return 'the test rows stand for other places';
  if (coarse !== undefined) return `folds test whole units of the level '${nameText(coarse)}'`;
  return lone ? `each fold tests one ${nameText(unit)}` : null;
}
