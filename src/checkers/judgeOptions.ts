/** What a caller may tell the checks about his folds, wherever they are asked. */
import { anything, boolean, number, oneOf } from '../core/options.js';
import type { RowsInput } from '../core/rows.js';
import { DESIGNS } from './design.js';

export const judgeShape = {
  design: oneOf(...DESIGNS)
    .optional()
    .describe(
      "What the folds stand for: 'iid', test rows are drawn like training rows; 'prospective', they come later; 'deployment', they come from elsewhere. By default what the splitter claims.",
    ),
  spatialThreshold: number({ above: 0 })
    .optional()
    .describe('Distance below which rows count as neighbours in space; by default the fitted autocorrelation range.'),
  embeddings: anything<RowsInput>('rows')
    .optional()
    .describe("A model's vectors of the rows, in which near-duplicates are looked for in place of the raw features."),
  revealIds: boolean().default(false).describe('Print ids in the evidence as they are, not as salted hashes.'),
};
