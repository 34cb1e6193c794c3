import { numberPerRow } from '../../data/classCounts.js';
import { tally } from '../../data/encode.js';
import { classText, type Labels } from '../../data/labels.js';
import { normalScores } from '../shift/normalScores.js';
import type { Variable } from '../shift/unitTable.js';

/**
 * What is compared of labels: shares of the classes (of two classes that of the second), of each label of several, of
 * the marked pixels of a mask; normal scores of numbers.
 */
export function* labelVariables(labels: Labels): Generator<Variable> {
  const { task, shape, classes, codes, numbers, indicators, length } = labels;
  const width = classes.length;
  if (task === 'regression') yield { name: 'y', values: normalScores(numbers) };
  else if (shape) {
    yield { name: 'share of marked pixels', values: normalScores(numberPerRow(labels)) };
  } else if (task === 'multilabel') {
    for (let label = 0; label < width; label++) {
      const values = new Float64Array(length).map((_, row) => indicators[row * width + label]);
      yield { name: `label ${label}`, values, share: true };
    }
  } else {
    const rows = tally(codes, width);
    for (let code = width === 2 ? 1 : 0; code < width; code++) {
      yield {
        name: `class ${classText(classes, code)}`,
        share: true,
        apart: rows[code],
        get values() {
          return new Float64Array(length).map((_, row) => Number(codes[row] === code));
        },
      };
    }
  }
}
