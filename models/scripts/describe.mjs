import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of a trained file. */
export const trained = (name) => fileURLToPath(new URL(`../trained/${name}`, import.meta.url));

/** Tested rows whose predictions are written beside the model. */
const ROWS = 6;

/**
 * Writes about.json beside a model: what made it, on what, how it did on the rows that were kept from it, and what it
 * says of a few of these rows.
 *
 * @param {string} name Folder below models/trained.
 * @param {object} about `script`, `data` in words, `results`, the run of one fold that trained the model, and `more`, what
 *   else is to be said of these rows.
 */
export function describe(name, { script, data, results, more = () => ({}) }) {
  const { metadata, outOfFold, foldDetails, meanScores } = results;
  const rows = Array.from(outOfFold.row.slice(0, ROWS));
  const text = JSON.stringify(
    {
      script,
      data,
      versions: { cvkit: metadata.cvkit, ...metadata.engine },
      testedRows: foldDetails[0].nTest,
      scores: meanScores,
      rows,
      predictions: outOfFold.yProba.slice(0, ROWS),
      ...more(rows),
    },
    null,
    2,
  );
  writeFileSync(join(trained(name), 'about.json'), `${text}\n`);
}
