import { InvalidDataError, invalidData, kindOf, sentence } from '../core/errors.js';
import type { Dataset } from './dataset.js';
import { atPath, readSource } from './download.js';
import {
  type LoadCancerImagingOptions,
  type LoadHeartDiseaseOptions,
  loadCancerImagingOptions,
  loaderOptions,
  loadHeartDiseaseOptions,
} from './loaderTables.js';
import { checkRows, csvCells, plainLines, ragged } from './plainCsv.js';
import type { PublishedFile } from './publishedFile.js';

const MEASURES = [
  ...['radius', 'texture', 'perimeter', 'area', 'smoothness', 'compactness'],
  ...['concavity', 'concave_points', 'symmetry', 'fractal_dimension'],
];
const CANCER: NumericTable = {
  columns: [
    ...MEASURES.map((measure) => `mean_${measure}`),
    ...MEASURES.map((measure) => `${measure}_error`),
    ...MEASURES.map((measure) => `worst_${measure}`),
    'malignant',
  ],
  header: true,
  most: 1,
};

export async function readCancerImaging(input: LoadCancerImagingOptions): Promise<Dataset> {
  const { path, signal } = loaderOptions(loadCancerImagingOptions, input);
  // A chunk of its own: one long text.
  const { csv, csvSha256: sha256 } = await import('./data/wdbc.js');
  const bundled = { bytes: new TextEncoder().encode(csv), name: 'the bundled data', remark: '', facts: { sha256 } };
  const { bytes, name, remark, facts } =
    path === undefined ? bundled : await atPath(path, { content: 'data set', sha256 }, signal);
  return {
    ...numericCsv(bytes, CANCER, name),
    groups: undefined,
    description:
      'Breast Cancer Wisconsin (Diagnostic): one fine-needle aspirate per patient, 30 features of the cell nuclei in ' +
      `its image (mean, standard error and worst of ten measures); y is 1 for malignant and 0 for benign.${remark}`,
    license: 'CC BY 4.0',
    source:
      'W. H. Wolberg, O. L. Mangasarian, W. N. Street and N. Street (1993), UCI Machine Learning Repository, ' +
      'https://doi.org/10.24432/C5DW2B',
    ...facts,
  };
}

/** Attributes in the order of heart-disease.names, with the codes that it explains. ST depression may be 0 or below. */
const HEART: NumericTable = {
  columns: 'age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num'.split(' '),
  header: false,
  most: 4,
  missing: '?',
  codes: {
    ...{ sex: [0, 1], cp: [1, 2, 3, 4], fbs: [0, 1], restecg: [0, 1, 2], exang: [0, 1] },
    ...{ slope: [1, 2, 3], ca: [0, 1, 2, 3], thal: [3, 6, 7] },
  },
  positive: ['age', 'trestbps', 'chol', 'thalach'],
};

const CLEVELAND: PublishedFile = {
  name: 'processed.cleveland.data',
  url: 'https://archive.ics.uci.edu/ml/machine-learning-databases/heart-disease/processed.cleveland.data',
  content: 'processed.cleveland.data',
  sha256: 'a74b7efa387bc9d108d7d0115d831fe9b414b29ae7124f331b622b4efa0427c8',
  size: 18_461,
};

/** The file at `path`, or the published one. Tests give one of their own as `file`. */
export async function readHeartDisease(
  input: LoadHeartDiseaseOptions,
  file: PublishedFile = CLEVELAND,
): Promise<Dataset> {
  const options = loaderOptions(loadHeartDiseaseOptions, input);
  const { bytes, name, remark, facts } = await readSource(file, options);
  const { y: num, ...table } = numericCsv(bytes, HEART, name);
  return {
    ...table,
    y: num.map((each) => (each > 0 ? 1 : 0)),
    groups: undefined,
    description:
      'Heart disease, Cleveland: one row per patient, 13 features of examination, ECG and exercise test, NaN where a ' +
      'value is missing; cp, restecg, slope and thal are codes of categories. y is 1 where num > 0 (diameter narrowing ' +
      `of more than 50 % in a coronary vessel) and 0 otherwise.${remark}`,
    license: 'CC BY 4.0',
    source:
      'R. Detrano et al. (1989), American Journal of Cardiology 64, 304-310; A. Janosi, W. Steinbrunn, M. Pfisterer and ' +
      'R. Detrano (1989), UCI Machine Learning Repository, https://doi.org/10.24432/C52P4X',
    ...facts,
  };
}

export interface NumericTable {
  readonly columns: readonly string[];
  readonly header: boolean;
  readonly most: number;
  /** What stands for a feature that is missing, which is NaN then. Left out: none is. */
  readonly missing?: '?';
  /** Features that are codes: the numbers that they may be, ascending. */
  readonly codes?: Readonly<Record<string, readonly number[]>>;
  readonly positive?: readonly string[];
}

/** A decimal number, as data files have it: `Number` alone would read `0x3F`, too. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export function numericCsv(
  bytes: Uint8Array,
  table: NumericTable,
  name: string,
): Pick<Dataset, 'X' | 'y' | 'featureNames'> {
  const lines = plainLines(bytes, name);
  const above = table.header ? 1 : 0;
  if (table.header) {
    checkHeader(csvCells(lines.shift() as string), table.columns, name);
    checkRows(lines, name);
  }
  const X = lines.map((line, row) => numbersOf(line, table, `Line ${row + 1 + above} of ${name}`));
  const y = X.map((row) => row.pop() as number);
  return { X, y, featureNames: table.columns.slice(0, -1) };
}

const fromTo = (columns: readonly string[]) => `from '${columns[0]}' to '${columns.at(-1)}'`;

function checkHeader(header: readonly string[], columns: readonly string[], name: string): void {
  const where = `Line 1 of ${name}`;
  if (header.length !== columns.length) {
    const must = `name ${columns.length} columns, ${fromTo(columns)}`;
    throw invalidData('another_file', where, must, String(header.length));
  }
  const wrong = columns.findIndex((column, at) => header[at] !== column);
  if (wrong < 0) return;
  throw invalidData('another_file', `${where}, column ${wrong + 1}`, `be '${columns[wrong]}'`, 'another name');
}

function numbersOf(line: string, table: NumericTable, where: string): number[] {
  const { columns, most, missing, codes, positive } = table;
  const cells = csvCells(line);
  if (cells.length !== columns.length) {
    throw ragged(where, `have ${columns.length} cells, ${fromTo(columns)}`, cells.length);
  }
  return cells.map((cell, at) => {
    const value = DECIMAL.test(cell) ? Number(cell) : Number.NaN;
    const column = `${where}, column '${columns[at]}'`;
    if (at === columns.length - 1) {
      if (Number.isInteger(value) && value >= 0 && value <= most) return value;
      const got = kindOf(Number.isFinite(value) ? value : cell, Number.isInteger(value) ? [0, most] : undefined);
      throw new InvalidDataError(sentence(column, `be a whole number from 0 to ${most}`, got));
    }
    if (cell === missing) return Number.NaN;
    const orMissing = missing ? ` or '${missing}'` : '';
    if (!Number.isFinite(value)) throw invalidData('not_numeric', column, `be a number${orMissing}`, kindOf(cell));
    const allowed = codes?.[columns[at]];
    if (allowed && !allowed.includes(value)) {
      const got = kindOf(value, [allowed[0], allowed[allowed.length - 1]]);
      throw new InvalidDataError(sentence(column, `be one of ${allowed.join(', ')}${orMissing}`, got));
    }
    if (value <= 0 && positive?.includes(columns[at])) {
      throw new InvalidDataError(sentence(column, `be a number above 0${orMissing}`, kindOf(value)));
    }
    return value;
  });
}
