/** JSON lines: one record per line. */
import { createHash } from 'node:crypto';
import { InvalidDataError, kindOf, phrase, sentence, show } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { isPlainObject } from '../../core/options.js';
import type { ReadPlan } from './csvFile.js';
import { eachBlock, emptyFile, type TableFile, textDecoder } from './openFile.js';
import { checkedNames, LineNumbers, type RawTable } from './rawTable.js';
import { valueColumn } from './valueColumn.js';

export async function readJsonLines(file: TableFile, plan: ReadPlan): Promise<{ table: RawTable; sha256: string }> {
  const hash = createHash('sha256');
  const decode = textDecoder(plan.encoding, file.name);
  const lines = new LineNumbers();
  const columns = new Map<string, unknown[]>();
  let rest = '';
  let line = 0;
  let rows = 0;
  /** Records by the number of their keys. */
  const widths = new Map<number, number>();
  const take = (text: string) => {
    line++;
    if (text.trim() === '') return;
    const record = parsed(text, `Line ${line} of ${file.name}`);
    let known = 0;
    for (const [name, value] of Object.entries(record)) {
      let values = columns.get(name);
      if (!values) {
        values = [];
        columns.set(name, values);
      }
      values[rows] = value;
      known++;
    }
    widths.set(known, (widths.get(known) ?? 0) + 1);
    lines.note(rows++, line);
  };
  await eachBlock(
    file,
    (block) => {
      const parts = (rest + decode(block)).split('\n');
      rest = parts.pop() as string;
      for (const part of parts) take(part);
    },
    hash,
  );
  rest += decode();
  if (rest !== '') take(rest);
  if (rows === 0) throw emptyFile(file.name);
  const { names, notes } = checkedNames([...columns.keys()], file.name);
  const placeOf = (row: number) => lines.placeOf(row);
  const missing = new Set(plan.missing);
  const read = [...columns.values()].flatMap((values, at) => {
    if (plan.drop.has(names[at])) return [];
    // A key that a record lacks is a missing cell.
    values.length = rows;
    return [valueColumn(names[at], values, { missing, must: plan.known.get(names[at]), placeOf })];
  });
  const gaps = rows - (widths.get(columns.size) ?? 0);
  const lacking = gaps > 0 ? [`${counted(gaps, 'record')} without all keys; what they lack is missing.`] : [];
  return {
    sha256: hash.digest('hex'),
    table: {
      length: rows,
      columns: read,
      dropped: names.filter((name) => plan.drop.has(name)),
      placeOf,
      format: 'jsonl',
      dialect: [],
      notes: [...notes, ...lacking],
    },
  };
}

function parsed(text: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    // The message of the parser would print a part of the line.
    throw new InvalidDataError(sentence(where, 'be one JSON record', phrase('text that is no JSON')), {
      code: 'broken_json',
      cause: (cause as Error).name,
    });
  }
  if (isPlainObject(value)) return largeChecked(twiceChecked(value, text, where), text, where);
  throw new InvalidDataError(sentence(where, 'be one JSON record', kindOf(value)), { code: 'broken_json' });
}

/** `JSON.parse` keeps the last of two values of one key, without a word; a count of the keys in the text shows it. */
function twiceChecked(record: Record<string, unknown>, text: string, where: string): Record<string, unknown> {
  const keys = Object.keys(record);
  const written = text.match(/"(?:[^"\\]|\\.)*"(?=\s*:)/g) ?? [];
  if (written.length <= keys.length) return record;
  const names = written.map((each) => JSON.parse(each) as string);
  const twice = names.find((name, at) => names.indexOf(name) !== at && Object.hasOwn(record, name));
  if (twice === undefined) return record;
  throw new InvalidDataError(sentence(where, 'have different keys', phrase(`${show(twice)} twice`)), {
    code: 'duplicate_column',
  });
}

/** `JSON.parse` rounds integers beyond 2^53 without a word: two ids would become one. */
function largeChecked(record: Record<string, unknown>, text: string, where: string): Record<string, unknown> {
  for (const [name, value] of Object.entries(record)) {
    // A number with a point or an exponent was never meant to the last digit.
    if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) continue;
    if (!/[:\s]-?\d{16,}\s*[,}]/.test(text)) continue;
    throw new InvalidDataError(
      sentence(
        `${where}, key ${show(name)}`,
        'hold integers up to 9007199254740991',
        phrase('a larger one'),
        'Write them as text.',
      ),
      { code: 'not_numeric' },
    );
  }
  return record;
}
