/**
 * An mljs random forest on hospital encounters, where patients come back: the validator keeps each patient on one side
 * of every fold, and resamples patients rather than rows for its intervals.
 *
 * @data diabetic_encounters.csv
 */
import { CVKitValidator } from 'cvkit';
import { RandomForestClassifier } from 'ml-random-forest';
import { csvRows, exampleData } from './support/data.mjs';

const ROWS = 600;
const NUMERIC = ['time_in_hospital', 'num_lab_procedures', 'num_medications', 'number_emergency', 'number_diagnoses'];

const { X, y, patientIds } = await exampleData({
  async read(path) {
    const [header, ...rows] = await csvRows(path);
    const kept = rows.slice(0, ROWS);
    const at = (name) => header.indexOf(name);
    return {
      X: kept.map((row) => NUMERIC.map((name) => Number(row[at(name)]))),
      y: kept.map((row) => (row[at('readmitted')] === 'NO' ? 'no' : 'yes')),
      patientIds: kept.map((row) => row[at('patient_nbr')]),
    };
  },
  generate({ uniform, normal }) {
    const rows = [];
    for (let patient = 0; rows.length < ROWS; patient++) {
      const frailty = normal();
      const visits = uniform() < 0.8 ? 1 : 2 + Math.floor(3 * uniform());
      for (let visit = 0; visit < visits; visit++) {
        const x = NUMERIC.map((_, j) => Math.max(0, 5 + 2 * normal() + (j < 2 ? 2 * frailty : 0)));
        rows.push({ x, y: normal() + frailty > 0.2 ? 'yes' : 'no', patient: `patient-${patient}` });
      }
    }
    return { X: rows.map(({ x }) => x), y: rows.map((row) => row.y), patientIds: rows.map(({ patient }) => patient) };
  },
});

/** The forest speaks numbers: labels are coded on the way in and decoded on the way out. */
const forest = ({ seed }) => {
  const inner = new RandomForestClassifier({
    nEstimators: 20,
    seed,
    treeOptions: { minNumSamples: 5, gainThreshold: 0 },
  });
  return {
    fit: (rows, labels) =>
      inner.train(
        rows,
        labels.map((label) => (label === 'yes' ? 1 : 0)),
      ),
    predict: (rows) => inner.predict(rows).map((code) => (code === 1 ? 'yes' : 'no')),
    predictProba: (rows) => inner.predictProbability(rows, 1).map((p) => [1 - p, p]),
  };
};

const result = await new CVKitValidator({
  nSplits: 5,
  metrics: ['accuracy', 'roc_auc', 'sensitivity', 'specificity'],
}).validate({
  model: forest,
  X,
  y,
  patientIds,
});

console.log(result.summary());
console.log(
  `Patients torn apart by a fold: ${result.checks[0].status === 'passed' ? 'none' : result.checks[0].message}`,
);
