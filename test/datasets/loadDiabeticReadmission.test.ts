import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Dataset } from '../../src/datasets/dataset.js';
import { loadDiabeticReadmission } from '../../src/datasets/loadDiabeticReadmission.js';
import type { LoadDiabeticReadmissionOptions } from '../../src/datasets/loaderTables.js';
import type { Encounter } from '../../src/datasets/readDiabeticReadmission.js';
import { readDiabeticReadmission } from '../../src/datasets/readDiabeticReadmission.js';
import { zipMember } from '../../src/datasets/zipMember.js';
import { LogisticRegression } from '../../src/estimators/index.js';
import { CVKitValidator, StratifiedGroupKFold, UniversalCVRunner } from '../../src/index.js';
import { tabular } from '../../src/preprocessing/index.js';
import { fileServer, honest } from '../helpers/fileServer.js';
import { loaderSuite } from '../helpers/loaderSuite.js';
import { published } from '../helpers/published.js';
import { sharedFile } from '../helpers/sharedData.js';
import { tempFolder } from '../helpers/tempFolder.js';
import reference from '../reference/loaders.json' with { type: 'json' };

/** The first line of the published diabetic_data.csv. */
const HEADER =
  'encounter_id,patient_nbr,race,gender,age,weight,admission_type_id,discharge_disposition_id,admission_source_id,' +
  'time_in_hospital,payer_code,medical_specialty,num_lab_procedures,num_procedures,num_medications,number_outpatient,' +
  'number_emergency,number_inpatient,diag_1,diag_2,diag_3,number_diagnoses,max_glu_serum,A1Cresult,metformin,repaglinide,' +
  'nateglinide,chlorpropamide,glimepiride,acetohexamide,glipizide,glyburide,tolbutamide,pioglitazone,rosiglitazone,acarbose,' +
  'miglitol,troglitazone,tolazamide,examide,citoglipton,insulin,glyburide-metformin,glipizide-metformin,' +
  'glimepiride-pioglitazone,metformin-rosiglitazone,metformin-pioglitazone,change,diabetesMed,readmitted';

/** An invented stay in the columns of the published file. */
const stay = (id: number, patient: number, readmitted: string, more: Record<string, string> = {}) =>
  HEADER.split(',')
    .map((column) => {
      if (column in more) return more[column];
      if (column === 'encounter_id') return id;
      if (column === 'patient_nbr') return patient;
      if (column === 'readmitted') return readmitted;
      if (column === 'race') return 'Other';
      if (column === 'weight' || column === 'payer_code') return '?';
      if (column === 'max_glu_serum') return 'None';
      if (column.startsWith('diag_')) return '250.83';
      return column.startsWith('num') || column.endsWith('_id') || column === 'time_in_hospital' ? id % 7 : 'No';
    })
    .join(',');
const STAYS = [stay(10, 501, 'NO'), stay(11, 502, '<30', { race: '?', num_procedures: '?' }), stay(12, 501, '>30')];
const FULL = [HEADER, ...STAYS].join('\n');
const PART = 'patient_nbr,race,time_in_hospital,readmitted\n501,Other,3,NO\n502,?,?,<30\n501,Other,14,>30\n';

const { folder, write } = tempFolder();
const load = (content: string | Uint8Array, more: LoadDiabeticReadmissionOptions = {}) =>
  loadDiabeticReadmission({ path: write('stays.csv', content), ...more });

describe('`path`', () => {
  it('is read as a record for each stay: counts as numbers, all else as text; ids and outcome are not in X', async () => {
    const data = await load(FULL);
    expect(data.featureNames).toEqual(HEADER.split(',').slice(2, -1));
    expect(data.X.length).toBe(3);
    expect(Object.keys(data.X[0])).toEqual(data.featureNames);
    expect(data.X[1]).toMatchObject({
      ...{ race: null, weight: null, num_procedures: Number.NaN, num_medications: 4, time_in_hospital: 4 },
      ...{ admission_type_id: '4', diag_1: '250.83', max_glu_serum: 'None', 'glyburide-metformin': 'No' },
    });
    expect(data.y).toEqual([0, 1, 0]);
    expect(data.groups).toEqual([501, 502, 501]);
    expect(data.source).toContain('https://doi.org/10.24432/C5230J');
    expect(data.description).toMatch(/within 30 days .* death or hospice /);
    expectTypeOf(loadDiabeticReadmission).returns.toEqualTypeOf<Promise<Dataset<Encounter[]>>>();
  });

  it('may have some of the columns', async () => {
    const { X, y } = await load(PART);
    const second = { race: null, time_in_hospital: Number.NaN };
    expect(X).toEqual([{ race: 'Other', time_in_hospital: 3 }, second, { race: 'Other', time_in_hospital: 14 }]);
    expect(y).toEqual([0, 1, 0]);
  });

  it('may be the archive', async () => {
    const archive = zipSync({
      'IDS_mapping.csv': new Uint8Array(9),
      'diabetic_data.csv': new TextEncoder().encode(FULL),
    });
    expect(await load(archive)).toEqual(await load(FULL));
  });

  it("with `outcome: 'any'` counts every readmission", async () => {
    const { y, description } = await load(PART, { outcome: 'any' });
    expect(y).toEqual([0, 1, 1]);
    expect(description).toContain('y is 1 for a readmission at any time and 0 otherwise');
  });

  it('with `columns` has these, in this order', async () => {
    const { X, featureNames } = await load(FULL, { columns: ['num_medications', 'race'] });
    expect(featureNames).toEqual(['num_medications', 'race']);
    expect(Object.keys(X[0])).toEqual(['num_medications', 'race']);
    expect(X[0]).toEqual({ num_medications: 3, race: 'Other' });
  });

  it('gives back every stay that was written', async () => {
    const text = fc.constantFrom('?', 'A', 'a very long specialty / with words', '250.83', "it's");
    const row = fc.tuple(
      fc.nat(),
      text,
      fc.option(fc.nat(200), { nil: Number.NaN }),
      fc.constantFrom('NO', '>30', '<30'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
        const lines = rows.map(([id, cell, n, y]) => [id, cell, Number.isNaN(n) ? '?' : n, y].join(','));
        const { X, y, groups } = await load(
          `patient_nbr,medical_specialty,num_procedures,readmitted\n${lines.join('\n')}`,
        );
        const expected = rows.map(([, cell, n]) => ({
          medical_specialty: cell === '?' ? null : cell,
          num_procedures: n,
        }));
        expect(X).toEqual(expected);
        expect(groups).toEqual(rows.map(([id]) => id));
        expect(y).toEqual(rows.map(([, , , label]) => Number(label === '<30')));
      }),
      { numRuns: 30 },
    );
  });
});

describe('the download', () => {
  const server = fileServer();

  const content = new TextEncoder().encode(FULL);
  const from = () =>
    published(`${server.address}/diabetes.zip`, content, {
      content: 'diabetic_data.csv',
      unpack: (bytes) => zipMember(bytes, 'diabetic_data.csv', 1e6, 'of the download'),
    });

  it('is the archive, once; the hash is that of the CSV, in whatever way it is packed', async () => {
    const options = { cacheDir: join(folder, 'cache') };
    server.answer = honest(zipSync({ 'diabetic_data.csv': content }));
    const data = await readDiabeticReadmission(options, from());
    expect(data).toEqual({ ...(await load(FULL)), description: data.description });
    expect(data.description).toMatch(/after death\.$/);
    expect(await readDiabeticReadmission(options, from())).toEqual(data);
    expect(server.asked.length).toBe(1);
    server.answer = honest(zipSync({ new: { 'diabetic_data.csv': content } }, { level: 0 }));
    await rm(join(folder, 'cache/diabetes.zip'));
    expect(await readDiabeticReadmission(options, from())).toEqual(data);
  });

  it('that is no archive, or holds another CSV, is refused', async () => {
    const options = { cacheDir: join(folder, 'other') };
    for (const [bytes, got] of [
      [content, 'Got an archive of [\\d,]+ bytes that does not open'],
      [zipSync({ 'diabetic_data.csv': new TextEncoder().encode(PART) }), 'Got [0-9a-f]{64}, only'],
    ] as const) {
      server.answer = honest(bytes);
      await expect(readDiabeticReadmission(options, from())).rejects.toThrow(
        new RegExp(`must have the SHA-256 .* ${got}`),
      );
    }
  });
});

const of = (option: string) => `invalid_option: The \`${option}\` option of loadDiabeticReadmission must`;
loaderSuite({
  name: 'loadDiabeticReadmission',
  load: loadDiabeticReadmission,
  text: PART,
  rows: 3,
  header: HEADER,
  content: 'diabetic_data.csv',
  remote: {
    file: 'diabetes+130-us+hospitals+for+years+1999-2008.zip',
    url: 'https://archive.ics.uci.edu/static/public/296/diabetes+130-us+hospitals+for+years+1999-2008.zip',
  },
  refused: [
    [{ outcome: '>30' }, `${of('outcome')} be one of '<30', 'any'. Got '>30'.`],
    [{ columns: 'age' }, `${of('columns')} be names of columns. Got 'age'.`],
  ],
});

const real = sharedFile('diabetic_encounters.csv');
describe.skipIf(!real)('6,196 of the published stays, where they are (CVKIT_SHARED_DATA)', () => {
  const { stays } = reference;
  const loadReal = (more: LoadDiabeticReadmissionOptions = {}) =>
    loadDiabeticReadmission({ path: real as string, ...more });

  // Expected numbers: pandas, written by test/reference/loaders.py.
  it('have the rows, patients, labels, means and missing values that pandas finds', async () => {
    const { X, y, groups, featureNames, sha256 } = await loadReal();
    expect([X.length, sha256, new Set(groups).size]).toEqual([stays.rows, stays.sha256, stays.patients]);
    expect((groups as number[]).reduce((sum, id) => sum + id, 0)).toBe(stays.patientSum);
    expect(y.reduce((sum, label) => sum + label, 0)).toBe(stays.readmitted['<30']);
    const any = (await loadReal({ outcome: 'any' })).y.filter(Boolean).length;
    expect(any).toBe(stays.readmitted['<30'] + stays.readmitted['>30']);
    expect(featureNames).toEqual(Object.keys(stays.columns));
    for (const [name, facts] of Object.entries(stays.columns)) {
      const cells = X.map((row) => row[name]).filter((cell) => cell !== null && !Number.isNaN(cell));
      expect(X.length - cells.length).toBe(facts.missing);
      if ('mean' in facts) {
        expect((cells as number[]).reduce((sum, cell) => sum + cell, 0) / cells.length).toBeCloseTo(
          facts.mean as number,
          9,
        );
      } else {
        const counts = new Map<unknown, number>();
        for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
        const [value, count] = facts.most as [string, number];
        expect([counts.size, counts.get(value)]).toEqual([facts.distinct, count]);
      }
    }
  });

  it('are the data of a run and of a validation, with patients kept whole', { tags: 'slow' }, async () => {
    const data = await loadReal();
    const model = () => new LogisticRegression();
    const cvSplitter = new StratifiedGroupKFold({ nSplits: 3, randomState: 1 });
    const results = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
      ...{ model, data, preprocessing: tabular({ maxLevels: 100 }) },
    });
    expect(results.estimates.roc_auc).toBeGreaterThan(0.5);
    expect(results.metadata.nGroups).toBe(stays.patients);
    const small = await loadReal({ columns: ['age', 'number_emergency', 'insulin'] });
    const result = await new CVKitValidator({ nSplits: 3, checkLeakage: false, metrics: ['roc_auc'] }).validate({
      ...{ model, ...small, preprocessing: tabular(), verbose: 0 },
    });
    expect(result.manifest.splitter).toBe('StratifiedGroupKFold');
  });

  it('are known by their hash: the part is not called the published file', async () => {
    expect((await loadReal()).sha256).toBe(
      createHash('sha256')
        .update(await readFile(real as string))
        .digest('hex'),
    );
    expect((await loadReal()).description).toContain('These rows are not the published diabetic_data.csv, or not all');
  });
});
