/** `cvkit/table`: tables of files, in Node and in pages. */

export type { TableColumnInfo, TableInfo } from './assemble.js';
export { readTable, type TableData, type TableWithoutTarget, type TimedTableData } from './readTable.js';
export type { ReadTableOptions } from './readTableOptions.js';
