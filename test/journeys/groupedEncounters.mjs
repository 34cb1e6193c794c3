/** A statistician: encounters of patients as records with text columns, a model that encodes them in its own fit. */
import { CVKitValidator, randomSource } from 'cvkit';

const random = randomSource(11);
const departments = ['cardiology', 'surgery', 'medicine'];
const rows = [];
for (let patient = 0; patient < 150; patient++) {
  const frail = random.random();
  const readmitted = random.random() < frail ? '<30' : 'NO';
  const visits = 1 + Math.floor(3 * random.random());
  for (let visit = 0; visit < visits; visit++) {
    rows.push({
      patient_nbr: `N${8000 + patient}`,
      age: Math.round(40 + 40 * random.random()),
      department: departments[Math.floor(3 * random.random())],
      medications: Math.round(20 * frail + 5 * random.random()),
      readmitted,
    });
  }
}
const y = rows.map((row) => row.readmitted);
const patientIds = rows.map((row) => row.patient_nbr);
const X = rows.map(({ age, department, medications }) => ({ age, department, medications }));

/** The rate of readmission by department, moved by the number of medications. Everything is learnt in `fit`. */
class ByDepartment {
  fit(records, labels) {
    this.rates = new Map();
    for (const department of new Set(records.map((record) => record.department))) {
      const own = labels.filter((_, row) => records[row].department === department);
      this.rates.set(department, own.filter((label) => label === '<30').length / own.length);
    }
    this.mean = records.reduce((sum, { medications }) => sum + medications, 0) / records.length;
  }
  predict_proba(records) {
    return records.map(({ department, medications }) => {
      const rate = Math.min(0.99, Math.max(0.01, this.rates.get(department) ?? 0.5));
      const odds = (rate / (1 - rate)) * Math.exp((medications - this.mean) / 5);
      return odds / (1 + odds);
    });
  }
  predict(records) {
    return this.predict_proba(records).map((p) => (p >= 0.5 ? '<30' : 'NO'));
  }
}

const result = await new CVKitValidator({ cv: 5 }).validate({
  model: new ByDepartment(),
  X,
  y,
  patientIds,
  positiveLabel: '<30',
  verbose: 0,
});
console.log(result.summary());
console.log(String(result.clinical()));
console.log(
  JSON.stringify({
    status: result.overallStatus,
    auc: result.estimates.roc_auc,
    sensitivity: result.estimates.sensitivity,
    interval: result.confidenceIntervals.roc_auc,
    named: result.checks.some(({ message }) => message.includes('medications')),
    rawIds: JSON.stringify(result.toJSON()).includes('N80'),
    splitter: result.manifest.splitter,
  }),
);
