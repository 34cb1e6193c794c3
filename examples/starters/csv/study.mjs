/** A table of visits, cross-validated: patients stay whole, leaks are looked for, and scores have intervals. */
import { CVKitValidator } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { tabular } from 'cvkit/preprocessing';
import { readTable } from 'cvkit/table';

const table = await readTable('visits.csv', { target: 'event', groups: 'patient', timestamps: 'time' });
console.log(table.summary());

const result = await new CVKitValidator().validate({
  ...table,
  model: () => new LogisticRegression(),
  preprocessing: tabular(), // fills gaps, encodes and scales, in each fold on its training rows
  preparedInside: true, // your word: nothing in the file was computed over all rows
});
console.log(result.summary());
await result.writeReport('report.html');
console.log('\nWrote report.html');
