/**
 * A CSV file of hospital encounters, where patients come back: numbers, categories, missing cells. The question is the one
 * that hospitals are asked: who is readmitted within 30 days (one in ten)? `groups` keeps each patient on one side of
 * every fold, and intervals resample patients, not rows.
 *
 * @data diabetic_encounters.csv
 */
import { CVKitValidator } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { readTable } from 'cvkit/node';
import { tabular } from 'cvkit/preprocessing';
import { encountersFile } from './support/tables.mjs';

const table = await readTable(await encountersFile(), { target: 'readmitted', groups: 'patient_nbr' });
const result = await new CVKitValidator({ metrics: ['roc_auc', 'brier', 'sensitivity', 'specificity'] }).validate({
  ...table,
  y: table.y.map((days) => Number(days === '<30')),
  model: () => new LogisticRegression(),
  preprocessing: tabular(),
  threshold: { fixed: 0.1 }, // set beforehand: at .5 a rare outcome is never predicted
  refit: true, // and one model of all rows, to use
});

console.log(table.summary());
console.log(result.summary());
console.log(result.refitted.note);
const { estimate, lower, upper, nUnits } = result.confidenceIntervals.roc_auc;
console.log(`roc_auc ${estimate.toFixed(3)} [${lower.toFixed(3)}, ${upper.toFixed(3)}] of ${nUnits} patients`);
