/**
 * The data file of the leakage benchmark, `docs/leakage-benchmark.json`: parts, each with facts, `columns` and `rows`, one row
 * a line. The tables of the pages and the picture are generated from it (`npm run generate`).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../../docs/leakage-benchmark.json', import.meta.url);

/** The rows of a part as records. */
export const recordsOf = ({ columns, rows }) =>
  rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));

/** The file as text. */
export const dataText = (parts) =>
  `{\n${Object.entries(parts)
    .map(([name, { rows, ...facts }]) => {
      const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
      return `"${name}": ${JSON.stringify(facts).slice(0, -1)},"rows":[\n${lines}\n]}`;
    })
    .join(',\n')}\n}\n`;

/** Puts new parts, each its facts and `records`, in the place of the old ones. */
export function writeParts(parts, file = FILE) {
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const date = new Date().toISOString().slice(0, 10);
  const after = Object.entries(parts).map(([name, { records, ...facts }]) => {
    const columns = Object.keys(records[0]);
    return [name, { date, ...facts, columns, rows: records.map((each) => columns.map((column) => each[column])) }];
  });
  writeFileSync(file, dataText({ ...before, ...Object.fromEntries(after) }));
}
