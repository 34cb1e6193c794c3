/** `cvkit/node`: what needs Node. */

export type { ThreadsOptions } from '../runner/threadsOptions.js';
export type { TableColumnInfo, TableInfo } from '../table/assemble.js';
export { readTable, type TableData, type TableWithoutTarget, type TimedTableData } from '../table/readTable.js';
export type { ReadTableOptions } from '../table/readTableOptions.js';
export { mergeRuns } from './directory/mergeRuns.js';
export type { MergeRunsOptions } from './directory/mergeRunsOptions.js';
export { resultsFrom } from './directory/resultsFrom.js';
export { type VerifiedRun, verifyRun } from './directory/verifyRun.js';
export type { ExcludedFile, ImageSet, LabelledImages } from './images/imageSet.js';
export type { ManifestEntry } from './images/listFiles.js';
export { readImages } from './images/readImages.js';
export type { ImageFormat, ImageWindow, ReadImagesOptions } from './images/readImagesOptions.js';
export { type MaskSet, readMasks } from './images/readMasks.js';
export { type NnunetCases, type ReadNnunetOptions, readNnunet } from './images/readNnunet.js';
export { processes } from './processes.js';
export type { ProcessesOptions } from './processesOptions.js';
export { slurm } from './slurm.js';
export type { SlurmOptions } from './slurmOptions.js';
export { TensorBoardLogger, type TensorBoardLoggerOptions } from './tensorBoardLogger.js';
export { threads } from './threads.js';
