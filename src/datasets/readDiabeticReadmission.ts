import {
  InvalidDataError,
  InvalidOptionError,
  invalidData,
  kindOf,
  phrase,
  sentence,
  show,
  suggestion,
} from '../core/errors.js';
import { firstTwice } from '../core/firstTwice.js';
import { counted } from '../core/format.js';
import type { OptionsOf } from '../core/options.js';
import type { Dataset } from './dataset.js';
import { readSource } from './download.js';
import { type LoadDiabeticReadmissionOptions, loadDiabeticReadmissionOptions, loaderOptions } from './loaderTables.js';
import { checkRows, csvCells, plainLines, ragged } from './plainCsv.js';
import type { PublishedFile } from './publishedFile.js';
import { isZip, zipMember } from './zipMember.js';

/** A hospital stay: numbers (NaN where missing) and texts (null where missing) by the name of their column. */
export type Encounter = Record<string, number | string | null>;

const PATIENT = 'patient_nbr';
const TARGET = 'readmitted';
const NUMBERS = [
  ...['time_in_hospital', 'num_lab_procedures', 'num_procedures', 'num_medications'],
  ...['number_outpatient', 'number_emergency', 'number_inpatient', 'number_diagnoses'],
];
/** Columns in the order of diabetic_data.csv. */
const COLUMNS: readonly string[] = [
  ...['encounter_id', PATIENT, 'race', 'gender', 'age', 'weight'],
  ...['admission_type_id', 'discharge_disposition_id', 'admission_source_id', 'time_in_hospital'],
  ...['payer_code', 'medical_specialty', 'num_lab_procedures', 'num_procedures', 'num_medications'],
  ...['number_outpatient', 'number_emergency', 'number_inpatient', 'diag_1', 'diag_2', 'diag_3', 'number_diagnoses'],
  ...['max_glu_serum', 'A1Cresult', 'metformin', 'repaglinide', 'nateglinide', 'chlorpropamide', 'glimepiride'],
  ...['acetohexamide', 'glipizide', 'glyburide', 'tolbutamide', 'pioglitazone', 'rosiglitazone', 'acarbose'],
  ...['miglitol', 'troglitazone', 'tolazamide', 'examide', 'citoglipton', 'insulin', 'glyburide-metformin'],
  ...['glipizide-metformin', 'glimepiride-pioglitazone', 'metformin-rosiglitazone', 'metformin-pioglitazone'],
  ...['change', 'diabetesMed', TARGET],
];
const NO_FEATURES = ['encounter_id', PATIENT, TARGET];

const CSV = 'diabetic_data.csv';
const MOST = 200_000_000;
const DIABETES: PublishedFile = {
  name: 'diabetes+130-us+hospitals+for+years+1999-2008.zip',
  url: 'https://archive.ics.uci.edu/static/public/296/diabetes+130-us+hospitals+for+years+1999-2008.zip',
  content: CSV,
  // Not of the archive, which may be packed anew.
  sha256: '0689e7ec031237dc63031b938805c48377748761a3b26acab621567afa24df97',
  size: 19_159_383,
  unpack: (bytes) => zipMember(bytes, CSV, MOST, 'of the download'),
};

type Options = OptionsOf<typeof loadDiabeticReadmissionOptions>;

export async function readDiabeticReadmission(
  input: LoadDiabeticReadmissionOptions,
  file: PublishedFile = DIABETES,
): Promise<Dataset<Encounter[]>> {
  const { outcome, columns, ...from } = loaderOptions(loadDiabeticReadmissionOptions, input);
  const { bytes, name, remark, facts } = await readSource(file, from, (content, path) =>
    isZip(content) ? zipMember(content, CSV, MOST, path) : content,
  );
  const [header, ...lines] = plainLines(bytes, name);
  const names = headerOf(header, name);
  checkRows(lines, name);
  const featureNames = featuresOf(names, columns, name);
  return {
    ...encountersOf(lines, names, featureNames, outcome, name),
    featureNames,
    description:
      'Diabetes in 130 US hospitals, 1999-2008: one row per hospital stay, groups are the patients, some of whom have several. ' +
      'Counts are numbers, all other columns texts; missing ones are NaN and null. ' +
      `y is 1 for a readmission ${outcome === '<30' ? 'within 30 days' : 'at any time'} and 0 otherwise. ` +
      'Stays that ended in death or hospice (discharge_disposition_id 11, 13, 14, 19, 20, 21) are among the rows, ' +
      `although there is no readmission after death.${remark}`,
    license: 'CC BY 4.0',
    source:
      'B. Strack et al. (2014), BioMed Research International 2014, 781670, https://doi.org/10.1155/2014/781670; J. Clore, ' +
      'K. Cios, J. DeShazo and B. Strack (2014), UCI Machine Learning Repository, https://doi.org/10.24432/C5230J',
    ...facts,
  };
}

function headerOf(line: string, name: string): string[] {
  const names = csvCells(line);
  const where = `Line 1 of ${name}`;
  const refuse = (must: string, got: string) => invalidData('another_file', where, must, got);
  const known = new Set(COLUMNS);
  if (!names.includes(PATIENT) || !names.includes(TARGET)) {
    const of = names.filter((each) => known.has(each)).length;
    const must = `name columns of ${CSV}, among them '${PATIENT}' and '${TARGET}'`;
    throw refuse(must, `${counted(names.length, 'cell')}, ${of === 0 ? 'none' : `${of}`} of them such a name`);
  }
  const unknown = names.findIndex((each) => !known.has(each));
  if (unknown >= 0) throw refuse(`name columns of ${CSV} alone`, `${show(names[unknown])} in place ${unknown + 1}`);
  const twice = firstTwice(names);
  if (twice !== undefined) throw refuse('name each column once', `${show(twice)} twice`);
  return names;
}

function featuresOf(names: readonly string[], requested: readonly string[] | undefined, name: string): string[] {
  const features = names.filter((each) => !NO_FEATURES.includes(each));
  if (features.length === 0) {
    const must = `have a column besides '${PATIENT}' and '${TARGET}'`;
    throw invalidData('another_file', name, must, 'none', `Give more of ${CSV}.`);
  }
  if (!requested) return features;
  const refuse = (got: string, way?: string) => {
    const must = `name columns of ${name} besides ids and outcome, each once`;
    return new InvalidOptionError(sentence('The `columns` option of loadDiabeticReadmission', must, phrase(got), way));
  };
  if (requested.length === 0) throw refuse('an empty list');
  for (const [at, each] of requested.entries()) {
    if (!features.includes(each)) throw refuse(show(each), suggestion(each, features));
    if (requested.indexOf(each) < at) throw refuse(`${show(each)} twice`);
  }
  return [...requested];
}

function encountersOf(
  lines: readonly string[],
  names: readonly string[],
  features: readonly string[],
  outcome: Options['outcome'],
  name: string,
): Pick<Dataset<Encounter[]>, 'X' | 'y' | 'groups'> {
  const width = names.length;
  const places = features.map((each) => names.indexOf(each));
  const [patientAt, targetAt] = [names.indexOf(PATIENT), names.indexOf(TARGET)];
  // Few values occur, so that each is read once and its text held once.
  const known = features.map(() => new Map<string, number | string | null>());
  // Copies of one record have their keys from the start, which is several times as fast as one key after the other.
  const blank: Encounter = Object.fromEntries(features.map((each) => [each, NUMBERS.includes(each) ? 0.5 : null]));
  const X: Encounter[] = new Array(lines.length);
  const y: number[] = new Array(lines.length);
  const groups: number[] = new Array(lines.length);
  for (let row = 0; row < lines.length; row++) {
    const cells = lines[row].split(',');
    const where = () => `Line ${row + 2} of ${name}`;
    if (cells.length !== width) throw ragged(where(), `have ${width} cells, as line 1 has`, cells.length);
    const encounter = { ...blank };
    for (let at = 0; at < places.length; at++) {
      const cell = cells[places[at]];
      let value = known[at].get(cell);
      if (value === undefined) {
        value = cellValue(cell, features[at], where);
        known[at].set(cell, value);
      }
      encounter[features[at]] = value;
    }
    X[row] = encounter;
    groups[row] = patientOf(cells[patientAt], where);
    y[row] = labelOf(cells[targetAt], outcome, where);
  }
  return { X, y, groups };
}

function cellValue(cell: string, column: string, where: () => string): number | string | null {
  const isMissing = cell === '?' || cell === '';
  // A copy: a part of the text would keep all of it in memory.
  if (!NUMBERS.includes(column)) return isMissing ? null : [...cell].join('');
  if (isMissing) return Number.NaN;
  if (/^\d{1,15}(\.0+)?$/.test(cell)) return Number(cell);
  throw invalidData('not_numeric', `${where()}, column '${column}'`, "be a whole number or '?'", kindOf(cell));
}

function patientOf(cell: string, where: () => string): number {
  if (/^\d{1,15}$/.test(cell)) return Number(cell);
  throw new InvalidDataError(sentence(`${where()}, column '${PATIENT}'`, 'be a whole number', kindOf(cell)));
}

function labelOf(cell: string, outcome: Options['outcome'], where: () => string): number {
  if (cell === 'NO') return 0;
  if (cell === '<30') return 1;
  if (cell === '>30') return outcome === 'any' ? 1 : 0;
  throw new InvalidDataError(sentence(`${where()}, column '${TARGET}'`, "be 'NO', '<30' or '>30'", kindOf(cell)));
}
