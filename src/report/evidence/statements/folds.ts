/** What several statements ask of the folds and of the model before they say anything. */

import { counted, wholeNumber } from '../../../core/format.js';
import type { FoldDetails } from '../../../runner/foldResult.js';
import type { ReportModel } from '../../reportModel.js';
import { tornPatients } from '../../wording.js';
import { combine, NOTHING, type StatementBuilder, stated } from '../statement.js';

export const completed = ({ foldDetails }: ReportModel): readonly FoldDetails[] =>
  foldDetails.filter(({ status }) => status === 'completed');

export const eachFold = (result: ReportModel): string =>
  completed(result).length === result.manifest.nSplits ? 'each fold' : 'each fold with a result';

/** Predictions of the caller: no model was seen, and nothing trained. */
export const isEvaluation = ({ manifest }: ReportModel): boolean => manifest.method === 'given predictions';

/** Whether models were trained by this run, as far as it saw. */
export const trainedHere = (result: ReportModel): boolean =>
  !isEvaluation(result) && result.manifest.fixedModel === null;

export function range(values: readonly number[]): string {
  const least = values.reduce((low, each) => Math.min(low, each));
  const most = values.reduce((high, each) => Math.max(high, each));
  return least === most ? wholeNumber(least) : `${wholeNumber(least)} to ${wholeNumber(most)}`;
}

/** What stays open where the model may know the rows that it was tested on. */
export const past: StatementBuilder = ({ manifest: { fixedModel, trainedBefore } }) => {
  const mayKnow = fixedModel !== null || trainedBefore !== null;
  return stated('', [], mayKnow && 'whether the model was trained on these rows before the run');
};

/** What stays open where rows count as independent and no patient ids were given. */
export const rowsAlone: StatementBuilder = ({ manifest: { nGroups, independentRows } }) => {
  const open = independentRows ? WORD : 'whether rows are of different patients, of whom the run was given no ids';
  return stated('', [], nGroups === null && open);
};

const WORD = "the grounds of what was taken on the author's word (independentRows)";

/** What stays open where the check of patients failed: rows of a patient are on both sides. */
export const torn: StatementBuilder = (result) => {
  const found = tornPatients(result);
  if (!found) return NOTHING;
  return stated(
    `Rows of some patients were on both sides (${found.code} failed).`,
    [`checks[${found.at}].code`, `checks[${found.at}].status`],
    `what ${found.code} (failed) means for the figures`,
  );
};

/** How good predictions are, with what was lacking, what the model may have known, and patients on both sides. */
export const figures = (statement: StatementBuilder): StatementBuilder =>
  ofFolds((result) => {
    const inner = statement(result);
    return inner.text === '' ? inner : combine([inner, past(result), torn(result)]);
  });

/** What is said of folds, and how many gave no result. */
export const ofFolds =
  (statement: StatementBuilder): StatementBuilder =>
  (result) => {
    const inner = statement(result);
    const { nSplits } = result.manifest;
    const done = completed(result).length;
    if (inner.text === '' || done === nSplits) return inner;
    const lack = stated(
      `The figures are of ${wholeNumber(done)} of ${counted(nSplits, 'fold')}; the others gave no result.`,
      ['foldDetails', 'manifest.nSplits'],
      'what the folds without a result mean for the figures',
    );
    return combine([inner, lack]);
  };
