/** Sheets of `.xlsx` files, by read-excel-file. */
import {
  absent,
  CVKitError,
  InvalidDataError,
  invalidData,
  MissingPackageError,
  messageOf,
  show,
  suggestion,
} from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { mostUnpacked } from '../../core/unpackLimits.js';
import { valueTable } from '../../table/cellColumn.js';
import { headerAmong, skippedNotes } from '../../table/header.js';
import { checkedNames, LineNumbers, type RawTable, type ReadPlan } from '../../table/rawTable.js';
import { emptyFile, type TableFile, tooLarge, unpackedBytes } from '../../table/tableFile.js';

/** Replaceable in tests. */
export const readExcelFile = {
  async load(): Promise<typeof import('read-excel-file/node')> {
    try {
      return await import('read-excel-file/node');
    } catch (error) {
      return absent(error);
    }
  },
};

type Cell = string | number | boolean | Date | null;

export async function readXlsx(file: TableFile, plan: ReadPlan): Promise<{ table: RawTable; sha256: string }> {
  const { default: read } = await readExcelFile.load().catch((error: unknown): never => {
    throw new MissingPackageError(
      'read-excel-file',
      'readTable of an .xlsx file',
      'npm install read-excel-file',
      error,
    );
  });
  const { bytes, sha256 } = await unpackedBytes(file);
  let sheets: { readonly sheet: string; readonly data: Cell[][] }[];
  try {
    await checkSize(file, bytes);
    sheets = (await read(Buffer.from(bytes.buffer as ArrayBuffer))) as unknown as typeof sheets;
  } catch (cause) {
    if (cause instanceof CVKitError) throw cause;
    const must = 'be a whole .xlsx file that read-excel-file can read';
    throw invalidData('broken_file', `The file ${file.name}`, must, messageOf(cause));
  }
  const { sheet, data } = sheetOf(sheets, plan, file.name);
  const others = sheets.flatMap((each) => (each.sheet === sheet ? [] : [show(each.sheet)]));
  const notes = others.length > 0 ? [`Sheet ${show(sheet)}; ${counted(others.length, 'other sheet')} left out.`] : [];
  const way = others.length > 0 ? `Pass \`sheet\`. The others are: ${others.slice(0, 6).join(', ')}.` : undefined;
  const lines = data.flatMap((cells, at) => (cells.some((cell) => cell !== null) ? [at] : []));
  const { columnNames, skip } = plan;
  const written = lines.map((line) => data[line].map((cell) => (cell === null ? '' : String(cell))));
  const before = lines.filter((line) => line < (skip ?? 0)).length;
  const titles = before + (columnNames || skip !== undefined ? 0 : headerAmong(written, true).titles);
  notes.push(...skippedNotes(titles, skip));
  const header = columnNames ?? written[titles];
  const rows = lines.slice(titles + (columnNames ? 0 : 1));
  if (rows.length === 0) throw emptyFile(file.name, `none in the sheet ${show(sheet)}`, way);
  const width = data[rows[0]].length;
  const { names, notes: unnamed } = namesIn(() => checkedNames(header, file.name, plan, width), way);
  const numbers = new LineNumbers();
  for (const [row, line] of rows.entries()) numbers.note(row, line + 1);
  const places = { length: rows.length, placeOf: numbers.placeOf };
  const table = await valueTable(names, (at) => rows.map((line) => data[line][at]), plan, places);
  return {
    sha256,
    table: { ...table, format: 'xlsx', dialect: [`sheet ${nameText(sheet)}`], notes: [...notes, ...unnamed] },
  };
}

/** A column that is not in this sheet may be in another one. */
function namesIn<T>(read: () => T, way: string | undefined): T {
  try {
    return read();
  } catch (error) {
    if (!way || !(error instanceof InvalidDataError) || error.code !== 'unknown_column') throw error;
    throw new InvalidDataError(`${error.message} ${way}`, { code: error.code });
  }
}

function sheetOf<S extends { readonly sheet: string }>(sheets: readonly S[], { sheet }: ReadPlan, file: string): S {
  const found = sheet === undefined ? sheets[0] : sheets.find((each) => each.sheet === sheet);
  if (found) return found;
  const must = `name one of the ${counted(sheets.length, 'sheet')} of ${file}`;
  const names = sheets.map((each) => each.sheet);
  throw invalidData(
    'unknown_sheet',
    'The `sheet` option of readTable',
    must,
    show(sheet),
    suggestion(`${sheet}`, names),
  );
}

/** Before anything is unpacked. */
async function checkSize(file: TableFile, bytes: Uint8Array): Promise<void> {
  const { unzipSync } = await import('fflate');
  let unpacked = 0;
  unzipSync(bytes, {
    filter({ originalSize }) {
      unpacked += originalSize;
      return false;
    },
  });
  const { most, must } = mostUnpacked(file.size, file.limits);
  if (!(unpacked <= most)) throw tooLarge(file.name, must, `${unpacked}`);
}
