import type { OptionsOf } from '../core/options.js';
import type { Dataset } from './dataset.js';
import type { loadHeartDiseaseOptions } from './loaderTables.js';
import { type NumericTable, numericCsv } from './numericCsv.js';
import type { PublishedFile } from './publishedFile.js';
import { sourceOf } from './sourceOf.js';

/** Attributes in the order of heart-disease.names, with the codes that it explains. ST depression may be 0 or below. */
const TABLE: NumericTable = {
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
  options: OptionsOf<typeof loadHeartDiseaseOptions>,
  file: PublishedFile = CLEVELAND,
): Promise<Dataset> {
  const { bytes, name, remark, facts } = await sourceOf(file, options);
  const { y: num, ...table } = numericCsv(bytes, TABLE, name);
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
