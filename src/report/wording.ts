/** Words that several parts of a report share. */
import { nameText } from '../core/foreignText.js';
import { formatNumber } from '../core/format.js';
import type { Interval } from '../intervals/interval.js';
import type { ReportModel } from './reportModel.js';

export interface ReportTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const NONE = formatNumber(null);

export const bounds = (interval: Pick<Interval, 'lower' | 'upper'> | undefined): string => {
  if (!interval) return NONE;
  const { lower, upper } = interval;
  return lower === null && upper === null ? 'none' : `${formatNumber(lower)} to ${formatNumber(upper)}`;
};

const ESTIMANDS = {
  procedure: 'the training procedure',
  predictions: 'the models of these folds',
  refitted_model: 'the model refitted on all rows',
} as const;

/** The check of patients where it failed, and its place: then rows of some patients are on both sides. */
export const tornPatients = ({ checks }: Pick<ReportModel, 'checks'>) => {
  const at = checks.findIndex(({ type, status }) => type === 'patient' && status === 'failed');
  return at === -1 ? undefined : { at, code: nameText(checks[at].code, 20) };
};

/** What an interval is about, and whom: nobody new where patients were on both sides. */
export function estimandText(estimand: Interval['estimand'], result: ReportModel, whom = 'new patients'): string {
  const alone = estimand === 'predictions' && result.manifest.nSplits === 1;
  const what = alone ? 'the model behind these predictions' : ESTIMANDS[estimand];
  const torn = tornPatients(result);
  if (torn) return `${what}, tested with patients on both sides (${torn.code} failed)`;
  if (estimand === 'refitted_model') return what;
  return `${what}${alone ? ',' : ''} on ${whom}`;
}
