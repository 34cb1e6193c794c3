/** Data to try: written as CSV files, so that they are read as those of the reader are. */
import type { Reading } from './reading.js';

export interface Example {
  readonly title: string;
  readonly about: string;
  readonly reading: Reading;
  file(): Promise<File>;
}

type Cells = ArrayLike<unknown>;

function csvFile(name: string, columns: Readonly<Record<string, Cells>>): File {
  const names = Object.keys(columns);
  const lists = Object.values(columns);
  const cell = (value: unknown) =>
    value instanceof Date ? value.toISOString() : value === null || Number.isNaN(value) ? '' : String(value);
  const lines = Array.from({ length: lists[0].length }, (_, row) => lists.map((list) => cell(list[row])).join(','));
  return new File([[names.join(','), ...lines, ''].join('\n')], name, { type: 'text/csv' });
}

const columnsOf = (names: readonly string[], X: ArrayLike<ArrayLike<number>>) =>
  Object.fromEntries(names.map((name, at) => [name, Array.from(X, (row) => row[at])]));

export const EXAMPLES: readonly Example[] = [
  {
    title: 'Breast tumours',
    about: '569 real patients, 30 measurements (WDBC)',
    reading: { target: 'malignant' },
    async file() {
      const { X, y, featureNames } = await (await import('cvkit')).loadCancerImaging();
      return csvFile('wdbc.csv', { malignant: y, ...columnsOf(featureNames, X) });
    },
  },
  {
    title: 'Visits of patients',
    about: 'invented: 100 patients who come back, up to 12 times',
    reading: { target: 'event', groups: 'patient', timestamps: 'time' },
    async file() {
      const data = (await import('cvkit')).generateTemporalPatientData();
      const { X, y, groups, timestamps, featureNames } = data;
      return csvFile('visits.csv', {
        patient: groups,
        time: timestamps ?? [],
        event: y,
        ...columnsOf(featureNames, X),
      });
    },
  },
  {
    title: 'Records of hospitals',
    about: 'invented: stays at several sites, with gaps',
    reading: { target: 'died', groups: 'patient', sites: 'site' },
    async file() {
      const { X, y, groups, hierarchy, featureNames } = (await import('cvkit')).generateSyntheticEhr();
      return csvFile('records.csv', {
        patient: groups,
        site: hierarchy.site,
        died: y,
        ...columnsOf(featureNames, X),
      });
    },
  },
];
