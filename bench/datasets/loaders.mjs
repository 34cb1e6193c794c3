/**
 * Time of `loadDiabeticReadmission({ path })` on 100,000 stays in the 50 columns of the published file, beside csv-parse alone,
 * which makes arrays of text and drops them, and beside lines that are cut at their commas and dropped.
 *
 * Goal: under 2 s. Usage: node scripts/setup.mjs && node bench/datasets/loaders.mjs
 */
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { loadDiabeticReadmission, randomSource } from 'cvkit';
import { zipSync } from 'fflate';

const ROWS = 100_000;
const TURNS = 5;

const TEXTS = {
  race: ['Caucasian', 'AfricanAmerican', '?', 'Hispanic'],
  gender: ['Female', 'Male'],
  age: Array.from({ length: 10 }, (_, at) => `[${10 * at}-${10 * at + 10})`),
  weight: ['?'],
  payer_code: ['?', 'MC', 'HM'],
  medical_specialty: ['?', 'InternalMedicine', 'Surgery-Cardiovascular/Thoracic', 'Family/GeneralPractice'],
  max_glu_serum: ['None', 'Norm', '>200', '>300'],
  A1Cresult: ['None', 'Norm', '>7', '>8'],
  change: ['No', 'Ch'],
  diabetesMed: ['Yes', 'No'],
  readmitted: ['NO', '>30', '<30'],
};
const COUNTS = [
  ...['time_in_hospital', 'num_lab_procedures', 'num_procedures', 'num_medications'],
  ...['number_outpatient', 'number_emergency', 'number_inpatient', 'number_diagnoses'],
];
const CODES = ['admission_type_id', 'discharge_disposition_id', 'admission_source_id'];
const COLUMNS = [
  ...['encounter_id', 'patient_nbr', 'race', 'gender', 'age', 'weight', ...CODES, 'time_in_hospital', 'payer_code'],
  ...['medical_specialty', ...COUNTS.slice(1, 7), 'diag_1', 'diag_2', 'diag_3', 'number_diagnoses', 'max_glu_serum'],
  ...['A1Cresult', 'metformin', 'repaglinide', 'nateglinide', 'chlorpropamide', 'glimepiride', 'acetohexamide'],
  ...['glipizide', 'glyburide', 'tolbutamide', 'pioglitazone', 'rosiglitazone', 'acarbose', 'miglitol', 'troglitazone'],
  ...['tolazamide', 'examide', 'citoglipton', 'insulin', 'glyburide-metformin', 'glipizide-metformin'],
  ...['glimepiride-pioglitazone', 'metformin-rosiglitazone', 'metformin-pioglitazone', 'change', 'diabetesMed'],
  'readmitted',
];

const folder = mkdtempSync(join(tmpdir(), 'cvkit-loaders-'));
try {
  const path = join(folder, 'diabetic_data.csv');
  const text = stays();
  writeFileSync(path, text);
  const archive = join(folder, 'diabetic.zip');
  writeFileSync(archive, zipSync({ 'diabetic_data.csv': new TextEncoder().encode(text) }));
  const ways = {
    'lines and commas alone': () => {
      let cells = 0;
      for (const line of readFileSync(path, 'utf8').split('\n')) cells += line.split(',').length;
      return cells;
    },
    'csv-parse alone': async () => {
      const parser = parse({ on_record: () => null });
      parser.resume();
      await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), parser);
    },
    'from the archive': async () => (await loadDiabeticReadmission({ path: archive })).X.length,
    loadDiabeticReadmission: async () => (await loadDiabeticReadmission({ path })).X.length,
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, work] of Object.entries(ways)) {
      const start = performance.now();
      await work();
      times[name].push((performance.now() - start) / 1000);
    }
  }
  const medians = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, all.sort()[TURNS >> 1]]));
  const loader = medians.loadDiabeticReadmission;
  console.log(`${ROWS} stays of ${COLUMNS.length} columns, median of ${TURNS} turns. Node ${process.version}`);
  for (const [name, seconds] of Object.entries(medians)) {
    console.log(`${name.padEnd(24)} ${seconds.toFixed(2)} s; the loader takes ${(loader / seconds).toFixed(2)} of it`);
  }
  if (Math.max(loader, medians['from the archive']) >= 2) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** The text of the file: values as often as they come, patients with one to three stays. */
function stays() {
  const random = randomSource(1);
  const draw = (n) => Math.floor(n * random.random());
  const cellOf = (column, row) => {
    if (column === 'encounter_id') return 2_000_000 + 3 * row;
    if (column === 'patient_nbr') return 1_000 + 7 * draw(70_000);
    if (COUNTS.includes(column)) return draw(column === 'num_lab_procedures' ? 130 : 15);
    if (CODES.includes(column)) return 1 + draw(26);
    if (column.startsWith('diag_')) return (250 + draw(700) / 100).toFixed(draw(3));
    const texts = TEXTS[column] ?? ['No', 'Steady', 'Up', 'Down'];
    return texts[draw(texts.length)];
  };
  const lines = Array.from({ length: ROWS }, (_, row) => COLUMNS.map((column) => cellOf(column, row)).join(','));
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`;
}
