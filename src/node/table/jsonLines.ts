/** JSON lines: one record per line. */
import { createHash } from 'node:crypto';
import { InvalidDataError, kindOf, phrase, sentence, show } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { isPlainObject } from '../../core/options.js';
import type { ReadPlan } from './csvFile.js';
import { eachBlock, emptyFile, MOST_RECORD, type TableFile, textDecoder, tooLarge } from './openFile.js';
import { checkedNames, LineNumbers, type RawTable } from './rawTable.js';
import { valueColumn } from './valueColumn.js';

export async function readJsonLines(file: TableFile, plan: ReadPlan): Promise<{ table: RawTable; sha256: string }> {
  const hash = createHash('sha256');
  const decode = textDecoder(plan.encoding, file.name);
  const lines = new LineNumbers();
  const columns = new Map<string, unknown[]>();
  /** Parts of a line that has not ended yet: joined once, as it may be long. */
  let rest: string[] = [];
  let restLength = 0;
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
      const parts = decode(block).split('\n');
      const last = parts.pop() as string;
      for (const part of parts) {
        take(rest.join('') + part);
        [rest, restLength] = [[], 0];
      }
      rest.push(last);
      restLength += last.length;
      if (restLength > MOST_RECORD)
        throw tooLarge(file.name, `have lines of at most ${MOST_RECORD} letters`, 'more', 'Write one record per line.');
    },
    hash,
  );
  const end = rest.join('') + decode();
  if (end !== '') take(end);
  if (rows === 0) throw emptyFile(file.name);
  const { names, notes } = checkedNames([...columns.keys()], file.name);
  plan.checkNames(names);
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

/** `JSON.parse` keeps the last of two values of one key, without a word; the keys as they are written show it. */
function twiceChecked(record: Record<string, unknown>, text: string, where: string): Record<string, unknown> {
  const seen = new Set<string>();
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    if (letter !== '"') continue;
    const from = at;
    do at = text.indexOf('"', at + 1);
    while (isEscaped(text, at));
    let next = at + 1;
    while (text[next] <= ' ') next++;
    if (depth !== 1 || text[next] !== ':') continue;
    const name = JSON.parse(text.slice(from, at + 1)) as string;
    if (seen.has(name)) {
      throw new InvalidDataError(sentence(where, 'have different keys', phrase(`${show(name)} twice`)), {
        code: 'duplicate_column',
      });
    }
    seen.add(name);
  }
  return record;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
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
