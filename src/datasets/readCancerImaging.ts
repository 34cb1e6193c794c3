import { CVKitError, phrase, sentence } from '../core/errors.js';
import { sha256Of } from '../core/sha256Of.js';
import type { Dataset } from './dataset.js';
import { type NumericTable, numericCsv } from './numericCsv.js';
import { atPath, type Source } from './sourceOf.js';

const MEASURES = [
  ...['radius', 'texture', 'perimeter', 'area', 'smoothness', 'compactness'],
  ...['concavity', 'concave_points', 'symmetry', 'fractal_dimension'],
];
const TABLE: NumericTable = {
  columns: [
    ...MEASURES.map((measure) => `mean_${measure}`),
    ...MEASURES.map((measure) => `${measure}_error`),
    ...MEASURES.map((measure) => `worst_${measure}`),
    'malignant',
  ],
  header: true,
  most: 1,
};

/** The data of the file at `path`, or the bundled ones. */
export async function readCancerImaging(
  path: string | URL | undefined,
  signal: AbortSignal | undefined,
): Promise<Dataset> {
  // A chunk of its own: one long text.
  const { csv, sha256 } = await import('./data/wdbc.js');
  const { bytes, name, remark, facts } =
    path === undefined ? await bundled(csv, sha256) : await atPath(path, { content: 'data set', sha256 }, signal);
  return {
    ...numericCsv(bytes, TABLE, name),
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

async function bundled(csv: string, published: string): Promise<Source> {
  const bytes = new TextEncoder().encode(csv);
  const sha256 = await sha256Of(bytes);
  if (sha256 !== published) {
    throw new CVKitError(sentence('The checksum of the bundled data', `be ${published}`, phrase(sha256)), {
      code: 'checksum',
    });
  }
  return { bytes, name: 'the bundled data', remark: '', facts: { sha256 } };
}
