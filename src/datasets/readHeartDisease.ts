import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import type { OptionsOf } from '../core/options.js';
import type { Dataset } from './dataset.js';
import type { loadHeartDiseaseOptions } from './loadHeartDisease.js';
import { cellsOf, plainLines, ragged } from './plainCsv.js';
import type { PublishedFile } from './publishedFile.js';
import { sourceOf } from './sourceOf.js';

/** Attributes in the order of heart-disease.names. */
const FEATURES = 'age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal'.split(' ');
const TARGET = 'num';
const COLUMNS = [...FEATURES, TARGET];

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
  const { bytes, name, about } = await sourceOf(file, options);
  const rows = plainLines(bytes, name).map((line, at) => numbersOf(line, `Line ${at + 1} of ${name}`));
  return {
    X: rows.map((row) => row.slice(0, FEATURES.length)),
    y: rows.map((row) => (row[FEATURES.length] > 0 ? 1 : 0)),
    featureNames: [...FEATURES],
    groups: undefined,
    description:
      'Heart disease, Cleveland: one row per patient, 13 features of examination, ECG and exercise test, NaN where a ' +
      'value is missing; cp, restecg, slope and thal are codes of categories. y is 1 where num > 0 (diameter narrowing ' +
      `of more than 50 % in a coronary vessel) and 0 otherwise.${about.description}`,
    license: 'CC BY 4.0',
    source:
      'R. Detrano et al. (1989), American Journal of Cardiology 64, 304-310; A. Janosi, W. Steinbrunn, M. Pfisterer and ' +
      'R. Detrano (1989), UCI Machine Learning Repository, https://doi.org/10.24432/C52P4X',
    ...about.facts,
  };
}

function numbersOf(line: string, where: string): number[] {
  const cells = cellsOf(line);
  if (cells.length !== COLUMNS.length) {
    throw ragged(where, `have the ${COLUMNS.length} cells of processed.cleveland.data, age to num`, cells.length);
  }
  return cells.map((cell, at) => {
    const value = Number(cell);
    if (at === FEATURES.length) {
      if (['0', '1', '2', '3', '4'].includes(cell)) return value;
      throw new InvalidDataError(sentence(`${where}, column '${TARGET}'`, 'be a whole number from 0 to 4', kind(cell)));
    }
    if (cell === '?') return Number.NaN;
    if (cell !== '' && Number.isFinite(value)) return value;
    throw new InvalidDataError(sentence(`${where}, column '${COLUMNS[at]}'`, "be a number or '?'", kindOf(cell)), {
      code: 'not_numeric',
    });
  });
}

const kind = (cell: string) => (cell === '?' ? phrase("'?'") : kindOf(cell));
