/** Writes visits.csv, invented visits of 200 patients, to try the study with; a file that is there stays. */
import { writeFile } from 'node:fs/promises';
import { generateTemporalPatientData } from 'cvkit';

const { X, y, groups, timestamps, featureNames } = generateTemporalPatientData({ nPatients: 200 });
const lines = Array.from(y, (event, row) => [
  groups[row],
  timestamps[row].toISOString().slice(0, 10),
  event,
  ...X[row],
]);
const cells = lines.map((line) => line.map((cell) => (Number.isNaN(cell) ? '' : cell)).join(','));
const text = `${['patient', 'time', 'event', ...featureNames].join(',')}\n${cells.join('\n')}\n`;
await writeFile('visits.csv', text, { flag: 'wx' });
