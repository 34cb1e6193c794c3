/**
 * A CSV file as patients have it: read, looked at, validated. Ids and dates are found and stay out of X, missing marks are
 * told, and each patient stays on one side of every fold. The model is written by hand: a vote
 * of all columns, learnt from the training rows of each fold; a missing cell is a level of its own.
 *
 * @data diabetic_encounters.csv
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CVKitValidator } from 'cvkit';
import { readTable } from 'cvkit/node';
import { exampleData } from './support/data.mjs';

const CLEVELAND = 'age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num'.split(' ');

/** Codes in this file of UCI are numbers whose order means nothing. */
const CODES = Object.fromEntries(['cp', 'restecg', 'thal'].map((name) => [name, 'categorical']));

const table = await exampleData({
  async read(path) {
    if (basename(path) === 'processed.cleveland.data') {
      const read = await readTable(path, { target: 'num', columnNames: CLEVELAND, types: CODES });
      // 0 is healthy, 1 to 4 are degrees of disease.
      return withTarget(read, (grade) => (grade > 0 ? 'disease' : 'healthy'), 'disease');
    }
    const read = await readTable(path, { target: 'readmitted', groups: 'patient_nbr' });
    return withTarget(read, (days) => (days === 'NO' ? 'no' : 'yes'), 'yes');
  },
  async generate({ uniform, normal, pick }) {
    const lines = ['patient_id;visit;age;chol;chest_pain;thal;disease'];
    for (let patient = 1; patient <= 200; patient++) {
      const age = 55 + 9 * normal();
      for (let visit = 0; visit < (uniform() < 0.7 ? 1 : 3); visit++) {
        const disease = normal() + (age - 55) / 9 > 0.3;
        const pain = pick(disease ? ['asymptomatic', 'asymptomatic', 'typical'] : ['typical', 'atypical', 'none']);
        const chol = (uniform() < 0.05 ? '?' : (240 + 40 * normal() + (disease ? 15 : 0)).toFixed(1)).replace('.', ',');
        const day = `${10 + visit}.0${1 + (patient % 9)}.2024`;
        const thal = pick(['3', '6', 'NA', '7']);
        lines.push(
          [`P-${patient}`, day, age.toFixed(1).replace('.', ','), chol, pain, thal, disease ? 'yes' : 'no'].join(';'),
        );
      }
    }
    const folder = await mkdtemp(join(tmpdir(), 'cvkit-table-'));
    const path = join(folder, 'heart.csv');
    await writeFile(path, lines.join('\n'));
    const read = await readTable(path, {
      target: 'disease',
      groups: 'patient_id',
      timestamps: 'visit',
      types: { thal: 'categorical' },
      positiveLabel: 'yes',
    });
    await rm(folder, { recursive: true });
    return read;
  },
});

/** The same table with another target. `info` and `summary` are not copied by spreading, so they are handed on. */
function withTarget(read, label, positiveLabel) {
  const { info, summary } = read;
  return { ...read, y: Array.from(read.y, label), positiveLabel, info, summary };
}

console.log(table.summary());

/** Every column votes by the share of positives among training rows like this one: of its category, or of its third. */
class Votes {
  constructor(positive) {
    this.positive = positive;
  }

  fit(rows, labels) {
    const positives = labels.map((label) => Number(label === this.positive));
    this.share = mean(positives);
    this.columns = rows[0].map((_, at) =>
      this.learn(
        rows.map((row) => row[at]),
        positives,
      ),
    );
  }

  learn(cells, positives) {
    const known = cells.filter((cell) => typeof cell === 'number' && !Number.isNaN(cell)).sort((a, b) => a - b);
    const cuts = [1 / 3, 2 / 3].map((share) => known[Math.floor(share * known.length)]);
    // Missing cells are a level of their own.
    const level = (cell) =>
      typeof cell === 'number' && !Number.isNaN(cell) ? cuts.filter((cut) => cell > cut).length : String(cell);
    const counts = new Map();
    cells.forEach((cell, row) => {
      const [n, sum] = counts.get(level(cell)) ?? [0, 0];
      counts.set(level(cell), [n + 1, sum + positives[row]]);
    });
    // Ten rows of the average beside those of the level: few rows say little.
    return (cell) => {
      const [n, sum] = counts.get(level(cell)) ?? [0, 0];
      const share = (sum + 10 * this.share) / (n + 10);
      return Math.log(share / (1 - share)) - Math.log(this.share / (1 - this.share));
    };
  }

  predictProba(rows) {
    const prior = Math.log(this.share / (1 - this.share));
    return rows.map(
      (row) => 1 / (1 + Math.exp(-prior - this.columns.reduce((sum, vote, at) => sum + vote(row[at]), 0))),
    );
  }

  predict(rows) {
    const other = this.positive === 'yes' ? 'no' : 'healthy';
    return this.predictProba(rows).map((p) => (p > 0.5 ? this.positive : other));
  }
}
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

// Spreading copies X, y, groups, times and the positive class; what else `readTable` found stays behind.
const { info: _, summary: __, ...data } = table;
const result = await new CVKitValidator({
  method: table.groups ? 'stratified_group_kfold' : 'stratified_kfold',
  nSplits: 5,
  metrics: ['accuracy', 'roc_auc', 'sensitivity', 'specificity'],
}).validate({ model: () => new Votes(table.positiveLabel), ...data });

console.log(result.summary());
const { estimate, lower, upper } = result.confidenceIntervals.roc_auc;
console.log(`roc_auc ${estimate.toFixed(3)} [${lower.toFixed(3)}, ${upper.toFixed(3)}] on ${table.info.rows} rows`);
