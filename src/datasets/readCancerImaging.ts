import { readText } from '#io';
import { CVKitError, InvalidDataError, phrase, sentence } from '../core/errors.js';
import type { Dataset } from './dataset.js';
import { numericCsv } from './numericCsv.js';

const MEASURES = [
  'radius',
  'texture',
  'perimeter',
  'area',
  'smoothness',
  'compactness',
  'concavity',
  'concave_points',
  'symmetry',
  'fractal_dimension',
];
const FEATURES = [
  ...MEASURES.map((measure) => `mean_${measure}`),
  ...MEASURES.map((measure) => `${measure}_error`),
  ...MEASURES.map((measure) => `worst_${measure}`),
];
const TARGET = 'malignant';

/** The data of the file at `path`, or the bundled ones. */
export async function readCancerImaging(
  path: string | URL | undefined,
  signal: AbortSignal | undefined,
): Promise<Dataset> {
  const { text, checksum } = path === undefined ? await bundled() : await fromFile(path, signal);
  const rows = numericCsv(text, [...FEATURES, TARGET], `${path ?? 'the bundled data'}`);
  const y = rows.map((row) => row[FEATURES.length]);
  const odd = y.findIndex((label) => label !== 0 && label !== 1);
  if (odd >= 0) {
    throw new InvalidDataError(sentence(`Line ${odd + 2} of ${path}, column '${TARGET}'`, 'be 0 or 1', y[odd]));
  }
  return {
    X: rows.map((row) => row.slice(0, FEATURES.length)),
    y,
    featureNames: [...FEATURES],
    groups: undefined,
    description:
      'Breast Cancer Wisconsin (Diagnostic): one fine-needle aspirate per patient, 30 features of the cell nuclei in ' +
      'its image (mean, standard error and worst of ten measures); y is 1 for malignant and 0 for benign.',
    license: 'CC BY 4.0',
    source:
      'W. H. Wolberg, O. L. Mangasarian, W. N. Street and N. Street (1993), UCI Machine Learning Repository, ' +
      'https://doi.org/10.24432/C5DW2B',
    sha256: checksum,
  };
}

async function bundled(): Promise<{ text: string; checksum: string }> {
  const data = await import('./data/wdbc.js');
  const checksum = await sha256(data.csv);
  if (checksum !== data.sha256) {
    throw new CVKitError(sentence('The checksum of the bundled data', `be ${data.sha256}`, phrase(checksum)), {
      code: 'checksum',
    });
  }
  return { text: data.csv, checksum };
}

async function fromFile(
  path: string | URL,
  signal: AbortSignal | undefined,
): Promise<{ text: string; checksum: string }> {
  const text = await readText(path, signal);
  return { text, checksum: await sha256(text) };
}

/** SHA-256 of a text as UTF-8: 64 hexadecimal digits. The same in Node and in browsers. */
export async function sha256(text: string): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    const message = sentence('A checksum', 'be computed by Web Crypto', phrase('a page without it'), 'Use HTTPS.');
    throw new CVKitError(message, { code: 'no_web_crypto' });
  }
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
