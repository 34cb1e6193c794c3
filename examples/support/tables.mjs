/**
 * CSV files for examples: the real one that `--data` or CVKIT_DATA names, else a generated one, which is removed at the end. The generated
 * tables are made up: columns without a meaning, ids that count from one, a signal of which the size is known.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleData } from './data.mjs';

/** A file as UCI has it for Cleveland: 303 rows, no header, 14 columns, `?` where a cell is missing. */
export const heartFile = () => csvFile('heart.csv', heartLines);

/** A file of visits: 900 patients of whom a third come back, numbers, categories, missing cells, an outcome of three kinds. */
export const encountersFile = () => csvFile('encounters.csv', encounterLines);

function csvFile(name, lines) {
  return exampleData({
    read: async (path) => path,
    async generate(draws) {
      const folder = await mkdtemp(join(tmpdir(), 'cvkit-example-'));
      process.once('exit', () => rmSync(folder, { recursive: true }));
      const path = join(folder, name);
      await writeFile(path, lines(draws).join('\n'));
      return path;
    },
  });
}

function heartLines({ uniform, normal, pick }) {
  return Array.from({ length: 303 }, () => {
    const grade = uniform() < 0.54 ? 0 : 1 + Math.floor(4 * uniform());
    const ill = grade > 0 ? 1 : 0;
    const number = (shift) => (50 + 10 * (normal() + shift * ill)).toFixed(1);
    const code = (...codes) => pick(ill ? codes : codes.toReversed());
    const rare = (cell) => (uniform() < 0.02 ? '?' : cell);
    return [
      ...[number(0.4), code(0, 1, 1), code(1, 2, 3, 4, 4, 4), number(0.2), number(0), code(0, 1), code(0, 1, 2)],
      ...[number(-0.8), code(0, 1, 1), number(0.8), code(1, 2, 2), rare(number(0.9)), rare(code(3, 6, 7, 7)), grade],
    ].join(',');
  });
}

function encounterLines({ uniform, normal, pick }) {
  const lines = ['patient_nbr,plan,age_band,days,drugs,marker,readmitted'];
  for (let patient = 1; patient <= 900; patient++) {
    const frailty = normal();
    const band = Math.min(5, Math.max(0, Math.round(2.5 + frailty + normal())));
    const visits = uniform() < 0.67 ? 1 : 2 + Math.floor(2 * uniform());
    for (let visit = 0; visit < visits; visit++) {
      const risk = 0.6 * frailty + normal();
      lines.push(
        [
          `patient-${patient}`,
          pick(['A', 'B', 'C', '?']),
          `band ${band}`,
          Math.max(1, Math.round(4 + frailty + 2 * normal())),
          Math.max(0, Math.round(12 + 3 * frailty + 5 * normal())),
          uniform() < 0.1 ? '?' : (10 + 0.5 * frailty + normal()).toFixed(2),
          risk > 1.3 ? '<30' : risk > 0.1 ? '>30' : 'NO',
        ].join(','),
      );
    }
  }
  return lines;
}
