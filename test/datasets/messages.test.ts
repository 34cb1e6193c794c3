import { sep } from 'node:path';
import { gzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { csv } from '../../src/datasets/data/wdbc.js';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import { loadDiabeticReadmission } from '../../src/datasets/loadDiabeticReadmission.js';
import { loadHeartDisease } from '../../src/datasets/loadHeartDisease.js';
import { numericCsv } from '../../src/datasets/numericCsv.js';
import { plainLines } from '../../src/datasets/plainCsv.js';
import { zipMember } from '../../src/datasets/zipMember.js';
import { texts } from '../helpers/messages.js';
import { tempFolder } from '../helpers/tempFolder.js';

const { folder, write } = tempFolder();
/** Without the folder, which is another one every time. */
const plain = async (rows: Record<string, () => unknown>) =>
  Object.fromEntries(
    Object.entries(await texts(rows)).map(([what, text]) => [what, text.replaceAll(folder + sep, '')]),
  );

it('loadDiabeticReadmission', async () => {
  const PART = 'patient_nbr,race,time_in_hospital,readmitted\n501,Other,3,NO\n502,?,?,<30\n501,Other,14,>30\n';
  const load = async (content: string | Uint8Array, columns?: string[]) =>
    loadDiabeticReadmission({ path: write('stays.csv', content), columns });
  const rows = {
    'another table': () => load(csv),
    'a column of another table': () => load(PART.replace('race', 'origin')),
    'a column twice': () => load(PART.replace('race', 'patient_nbr')),
    'no column but ids and outcome': () => load('patient_nbr,readmitted\n1,NO'),
    'a line that is cut': () => load(`${PART}1,2`),
    'text for a number': () => load(PART.replace(',3,', ',three,')),
    'a mark for an id': () => load(PART.replace('502', '?')),
    'no outcome': () => load(PART.replace('<30', 'YES')),
    'an archive of other files': () => load(zipSync({ 'processed.cleveland.data': new Uint8Array(9) })),
    'a broken archive': () => load('PK\x03\x04 half an archive'),
    'no column, and a name near it': () => load(PART, ['rase']),
    'no column, and no name near it': () => load(PART, ['patient_nbr']),
    'one column twice': () => load(PART, ['race', 'race']),
    'no columns': () => load(PART, []),
  };
  expect(await plain(rows)).toMatchSnapshot();
});

it('loadHeartDisease', async () => {
  const LINE = '50.0,1.0,4.0,120.0,200.0,0.0,2.0,150.0,0.0,1.5,2.0,0.0,3.0,0';
  const load = async (text: string) => loadHeartDisease({ path: write('heart.data', text) });
  const rows = {
    'another table': () => load(csv),
    'text for a number': () => load(LINE.replace('120.0', 'high')),
    'a header': () => load(`age,sex,cp,trestbps,chol,fbs,restecg,thalach,exang,oldpeak,slope,ca,thal,num\n${LINE}`),
    'a line that is cut': () => load(`${LINE}\n${LINE.slice(0, 30)}`),
    'an empty cell': () => load(LINE.replace('120.0', '')),
    'a mark for the outcome': () => load(LINE.replace(/0$/, '?')),
    'no outcome': () => load(LINE.replace(/0$/, '5')),
  };
  expect(await plain(rows)).toMatchSnapshot();
});

it('loadCancerImaging', async () => {
  const [header, line] = csv.split('\r\n');
  const load = async (...lines: string[]) => loadCancerImaging({ path: write('other.csv', lines.join('\n')) });
  const rows = {
    'no header': () => load(line),
    'another name': () => load(header.replace('mean_area', 'area'), line),
    'a line that is cut': () => load(header, line, '1,2'),
    'text for a number': () => load(header, line.replace('1001.0', 'big')),
    'no outcome': () => load(header, line.replace(/1$/, '2')),
  };
  expect(await plain(rows)).toMatchSnapshot();
});

it('files of any data set', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const lines = (given: Uint8Array) => () => plainLines(given, 'x.csv');
  const table = { columns: ['age', 'dose', 'died'], header: true, most: 1 };
  const numbers = (text: string) => () => numericCsv(bytes(text), table, 'x.csv');
  const archive = zipSync({ 'x.csv': bytes('a,b\n1,2') });
  const member = (given: Uint8Array, most = 100) => zipMember(given, 'x.csv', most, 'a.zip');
  const rows = {
    'an empty file': lines(bytes('')),
    'a web page': lines(bytes('<html>')),
    'blanks alone': lines(bytes('\uFEFF \r\n')),
    'a gzip file': lines(gzipSync(bytes('a'))),
    'the beginning of a gzip file': lines(Uint8Array.of(0x1f, 0x8b)),
    'a zip archive': lines(archive),
    'no UTF-8': lines(Uint8Array.of(0x61, 0xe4, 0x0a)),
    quotes: lines(bytes('"a","b"\n1,2')),
    'a header alone': numbers('age,dose,died'),
    'too few names': numbers('age\n1'),
    'other names': numbers('dose,age,died\n1,2,0'),
    'a line that is cut': numbers('age,dose,died\n1,2,0\n3'),
    'a mark for a number': numbers('age,dose,died\n1,?,0'),
    'no outcome': numbers('age,dose,died\n1,2,2'),
    'an archive of other files': () => member(zipSync({ 'y.csv': bytes('a') })),
    'an archive with two': () => member(zipSync({ 'x.csv': bytes('a'), old: { 'x.csv': bytes('b') } })),
    'an archive with a large file': () => member(archive, 5),
    'a broken archive': () => member(archive.subarray(0, 40)),
  };
  expect(await plain(rows)).toMatchSnapshot();
});
