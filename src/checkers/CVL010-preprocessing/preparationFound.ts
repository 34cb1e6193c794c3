import { counted, formatNumber } from '../../core/format.js';
import { type Finding, passed } from '../check.js';
import type { Chain } from './chains.js';
import { columnStep, learnsNothing } from './columnSteps.js';
import { SELECTIONS } from './selection.js';
import type { PreparedData } from './task.js';
import type { Fitted } from './versions.js';

/** Evidence of a preparation that was recognised. */
export type PreparationDetails = {
  readonly steps: readonly string[];
  /** The steps that saw all rows. */
  readonly fittedToAllRows: readonly string[];
  /** The steps that used the labels of test rows. */
  readonly byTestLabels?: readonly string[];
  /** Largest difference from the version of the training rows and from that of all rows; null where there is none. */
  readonly toTrain: number | null;
  readonly toAll: number | null;
  /** Largest difference at which two versions are one. */
  readonly tolerance: number;
  /** The columns that differ most, where each step is one of single columns. */
  readonly columns?: readonly string[];
  /** The coarsest step that processed columns are rounded to, where they fit no preparation but by rounding. */
  readonly roundedTo?: number;
  /** Preparations that were tried, where none was recognised. */
  readonly tried?: readonly string[];
};

const roundedTo = ({ rounding }: PreparedData) => Number((2 * Math.max(0, ...rounding)).toPrecision(3));

export const usesTestLabels = ({ steps }: Chain) => steps.some((step) => columnStep(step)?.labelled);

/** Components and what learns from labels weigh more than scaling and filling. */
const usesLabels = (name: string) => /^(target|impute:class)/.test(name) || !columnStep(name);

const known = (distance: number) => (distance < Infinity ? distance : null);
const off = (distance: number, which: string) =>
  distance < Infinity
    ? `${which} would differ by ${formatNumber(distance)} of the largest value`
    : `${which} would not give it`;

const distances = (
  { chain, toTrain, toAll, leaking }: Fitted,
  task: PreparedData,
  same: number,
): PreparationDetails => ({
  steps: chain.steps,
  fittedToAllRows: toTrain > same ? leaking : [],
  toTrain: known(toTrain),
  toAll: known(toAll),
  tolerance: same,
  ...(roundedTo(task) > 0 ? { roundedTo: roundedTo(task) } : {}),
});

export function cleared(fitted: Fitted, task: PreparedData, same: number): Finding<PreparationDetails> {
  const { chain, toAll } = fitted;
  const evidence = distances(fitted, task, same);
  const preparation = nameOf(chain, task);
  if (chain.steps.length === 0) {
    return passed('XProcessed is XOriginal: nothing was fitted between the two.', evidence);
  }
  if (chain.steps.every(learnsNothing)) {
    return passed(`XProcessed is XOriginal after ${preparation}, which learns nothing from any row.`, evidence);
  }
  if (chain.steps.some((step) => SELECTIONS.includes(step)) && areKept(task)) {
    return passed(chosen(chain, task, toAll <= same), evidence);
  }
  const message =
    toAll <= same
      ? `XProcessed is XOriginal after ${preparation}; fitted to the training rows or to all rows, it is indistinguishable here.`
      : `XProcessed is XOriginal after ${preparation}, fitted to the training rows alone (${off(toAll, 'all rows')}).`;
  return passed(message, evidence);
}

const areKept = ({ before, after }: PreparedData) =>
  after.every(({ values }) => before.some((from) => values.every((value, row) => Object.is(value, from.values[row]))));

/** Nobody is known to have made this step: columns were left out, by it, by another or by hand. */
function chosen({ name }: Chain, { before, after }: PreparedData, either: boolean): string {
  const what = `XProcessed is ${counted(after.length, 'column')} of the ${before.length} of XOriginal, as they were`;
  return either
    ? `${what}. Whoever chose them, by hand or by y, test rows need not have been seen: \`${name}\` keeps the same columns by the training rows alone as by all rows.`
    : `${what}: those that \`${name}\` keeps by the training rows alone, while it would keep others by all rows.`;
}

function nameOf({ name }: Chain, task: PreparedData): string {
  const step = roundedTo(task);
  return step > 0 ? `${name} (rounded to ${step})` : name;
}

export function accused(fitted: Fitted, task: PreparedData, same: number): Finding<PreparationDetails> {
  const { before } = task;
  const { chain, leaking, toTrain, worst } = fitted;
  const byLabel = chain.steps.filter((step) => columnStep(step)?.labelled);
  const hard = [...leaking, ...byLabel].some(usesLabels);
  const byColumn = chain.steps.every((step) => columnStep(step));
  const which = leaking.length < chain.steps.length ? `, with ${leaking.join(', ')}` : ',';
  const what = `XProcessed is XOriginal after ${nameOf(chain, task)}`;
  const byOwnLabel = `${byLabel.join(', ')} fills missing cells of test rows by their own label, which is what is to be predicted`;
  return {
    status: 'failed',
    severity: hard ? 'high' : 'medium',
    message:
      toTrain <= same
        ? `${what}, fitted to the training rows alone; but ${byOwnLabel}.`
        : `${what}${which} fitted to all rows, test rows included (${off(toTrain, 'the training rows alone')}).${byLabel.length > 0 ? ` Also, ${byOwnLabel}.` : ''}`,
    evidence: {
      ...distances(fitted, task, same),
      ...(byLabel.length > 0 ? { byTestLabels: byLabel } : {}),
      ...(byColumn && worst.length > 0 ? { columns: worst.map((at) => before[at].name) } : {}),
    },
    fix:
      byLabel.length > 0
        ? 'Fill without the label, by a step that is fitted to the training rows of each fold.'
        : 'Fit every step to the training rows of each fold: put them into the model that is trained, as a pipeline.',
  };
}
