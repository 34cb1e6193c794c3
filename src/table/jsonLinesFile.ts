/** JSON lines: one record per line. */
import { sha256 } from '#io';
import { invalidData, kindOf, show } from '../core/errors.js';
import { counted } from '../core/format.js';
import { isPlainObject } from '../core/options.js';
import { valueTable } from './cellColumn.js';
import { checkedNames, LineNumbers, type RawTable, type ReadPlan } from './rawTable.js';
import { emptyFile, MOST_RECORD, type TableFile, textDecoder, tooLarge, unpackedBlocks } from './tableFile.js';

export async function readJsonLines(file: TableFile, plan: ReadPlan): Promise<{ table: RawTable; sha256: string }> {
  const hash = await sha256();
  const decode = textDecoder(plan.encoding, file.name);
  const lines = new LineNumbers();
  const columns = new Map<string, unknown[]>();
  /** Parts of a line that has not ended yet: joined once, as it may be long. */
  let rest: string[] = [];
  let restLength = 0;
  let line = 0;
  const widths: number[] = [];
  const take = (text: string) => {
    line++;
    if (text.trim() === '') return;
    const entries = Object.entries(parsed(text, `Line ${line} of ${file.name}`));
    for (const [name, value] of entries) {
      const values = columns.get(name) ?? [];
      values[widths.length] = value;
      columns.set(name, values);
    }
    lines.note(widths.push(entries.length) - 1, line);
  };
  for await (const block of unpackedBlocks(file, hash)) {
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
  }
  const end = rest.join('') + decode();
  if (end !== '') take(end);
  const { length } = widths;
  if (length === 0) throw emptyFile(file.name);
  const { names, notes } = checkedNames([...columns.keys()], file.name, plan);
  const values = [...columns.values()];
  // A key that a record lacks is a missing cell.
  for (const each of values) each.length = length;
  const table = await valueTable(names, (at) => values[at], plan, { length, placeOf: lines.placeOf });
  const gaps = widths.filter((width) => width < columns.size).length;
  const lacking = gaps > 0 ? [`${counted(gaps, 'record')} without all keys; what they lack is missing.`] : [];
  return {
    sha256: hash.digest(),
    table: { ...table, format: 'jsonl', dialect: [], notes: [...notes, ...lacking] },
  };
}

function parsed(text: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the cause, whose message prints a part of the line.
    throw invalidData('broken_json', where, 'be one JSON record', 'text that is no JSON');
  }
  if (!isPlainObject(value)) throw invalidData('broken_json', where, 'be one JSON record', kindOf(value));
  refuseTwice(text, where);
  refuseLarge(value, text, where);
  return value;
}

/** `JSON.parse` keeps the last of two values of one key; the keys as they are written show it. */
function refuseTwice(text: string, where: string): void {
  const keys = new Set<string>();
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
    if (keys.has(name)) {
      throw invalidData('duplicate_column', where, 'have different keys', `${show(name)} twice`);
    }
    keys.add(name);
  }
}

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
}

/** `JSON.parse` rounds integers beyond 2^53 without a word: two ids would become one. */
function refuseLarge(record: Record<string, unknown>, text: string, where: string): void {
  for (const [name, value] of Object.entries(record)) {
    // A number with a point or an exponent was never meant to the last digit.
    if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) continue;
    if (!/[:\s]-?\d{16,}\s*[,}]/.test(text)) continue;
    const must = 'hold integers up to 9007199254740991';
    throw invalidData('not_numeric', `${where}, key ${show(name)}`, must, 'a larger one', 'Write them as text.');
  }
}
