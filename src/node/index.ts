/** `cvkit/node`: what needs Node. */

export { readTable, type TableData } from './table/readTable.js';
export type { ReadTableOptions } from './table/readTableOptions.js';
export type { TableColumnInfo, TableInfo } from './table/tableInfo.js';
export { threads } from './threads.js';
export type { ThreadsOptions } from './threadsOptions.js';
