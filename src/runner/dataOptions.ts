import type { ModuleFunction } from '../core/moduleFunction.js';
import {
  arrayLike,
  custom,
  type InputOf,
  isList,
  isPlainObject,
  listOf,
  number,
  ofRows,
  optionTable,
  string,
} from '../core/options.js';
import { featureNamesOption } from '../data/featureNames.js';
import type { Label, LabelsInput } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import { splitDataOptions } from '../splitters/splitter.js';

/** What `data` may be: `[X, y]`, `[X, y, groups]`, an object with these and more, or the function of a module that gives one. */
export type DataOption =
  | readonly [X: RowsInput, y: LabelsInput]
  | readonly [X: RowsInput, y: LabelsInput, groups: ArrayLike<Label> | null]
  | DataRecord
  | ModuleFunction;

const provenance = (what: string) =>
  string().optional().describe(`${what}, as a Dataset has it; recorded.`, 'stands in `dataset`');
/** What a `Dataset` tells of itself: recorded, so that a data set can be given as it is. */
export const provenanceShape = {
  description: provenance('What the rows, the features and y are'),
  license: provenance('Licence of the data'),
  source: provenance('Who made the data, and where they are published'),
  sha256: provenance('SHA-256 of the bytes that were read'),
  trueAuc: number({ min: 0, max: 1 })
    .optional()
    .describe(
      'AUC of the true risk, which a generator knows, as a GeneratedDataset has it; recorded.',
      'stands in `dataset`',
    ),
  truth: custom<object>('Truth', 'be the `truth` of a GeneratedDataset', isPlainObject)
    .optional()
    .describe(
      'What else a generator knows, as a GeneratedDataset has it; no fold, model or check sees it.',
      'nothing sees it',
    ),
  warnings: listOf<string>('string', 'be a list of sentences', (each) => typeof each === 'string')
    .optional()
    .describe(
      'Full sentences about the data, as a Dataset may have them; added to the warnings of the run.',
      'stands in `warnings`',
    ),
  repeatedIds: custom<Readonly<Record<string, number>>>('object', 'be the `repeatedIds` of readTable', isPlainObject)
    .optional()
    .describe(
      'Columns of ids that were left out and repeat, with the number of different ids, as readTable tells of them.',
      'stands in `warnings`',
    ),
};

export const dataOptions = optionTable('data', {
  X: ofRows<RowsInput>('rows', 'be rows', () => true).describe(
    'Rows: arrays, records, columns, tensor, data frame, source; several inputs: a record of these.',
  ),
  y: ofRows<LabelsInput>('labels', 'be labels', () => true).describe(
    'One label, number, row of 0/1 or mask of 0/1 per row.',
  ),
  spacing: ofRows<ArrayLike<number> | ArrayLike<ArrayLike<number>>>('number[] | number[][]', 'be a list', isList)
    .optional()
    .describe('Of masks: millimetres between neighbours along each axis, one list for all rows or one for each.'),
  auxiliary: ofRows<Readonly<Record<string, LabelsInput>>>(
    'record of output -> labels',
    'be a record of output name to labels',
    isPlainObject,
  )
    .optional()
    .describe('Targets of further outputs of the model, by output name; trained towards, never scored.'),
  featureNames: featureNamesOption,
  ...splitDataOptions.shape,
  sampleWeight: arrayLike<number>('number[]')
    .optional()
    .describe('Weight per row; weight k counts as the row k times.'),
  ...provenanceShape,
});
export type DataRecord = InputOf<typeof dataOptions>;
