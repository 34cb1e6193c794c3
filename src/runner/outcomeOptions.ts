/** What is asked of outcomes by time, and of masks. */
import { custom, integer, listOf, number } from '../core/options.js';
import type { Aggregate } from '../data/labels.js';

const isTime = (time: unknown) => Number.isFinite(time) && (time as number) > 0;

export const outcomeOptions = {
  times: listOf<number>('number', 'be a list of times above 0', isTime)
    .optional()
    .describe(
      'Of outcomes by time: the times that scores are about, in the unit of y. Left out, the quartiles of the times of events, rounded to three digits.',
    ),
  causeOfInterest: integer({ min: 1 })
    .optional()
    .describe('Of outcomes by time: the event that risks are about, by default 1; others compete with it.'),
  tolerance: number({ min: 0 })
    .optional()
    .describe(
      'Of masks: how far a surface may be off to count in `nsd`, in millimetres of `spacing`, else pixels; 1 when left out.',
    ),
  aggregate: custom<Aggregate>(
    "'mean' | 'max' | (rows) => number",
    "be 'mean', 'max' or a function of the predictions of a patient",
    (v) => v === 'mean' || v === 'max' || typeof v === 'function',
  )
    .optional()
    .describe(
      'Scores patients, too (`roc_auc_by_patient`): by one prediction of each, the mean or maximum of those of its rows, or what a function of these numbers gives.',
    ),
};
