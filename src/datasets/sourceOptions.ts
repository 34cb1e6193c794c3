/** Options that loaders share: where the data are read from. */
import {
  custom,
  number,
  type OptionShape,
  type OptionTable,
  type Parsed,
  rejectUnusedOption,
} from '../core/options.js';

/** Longest waits that are accepted, in seconds: for the whole, and for the next byte. */
export const MOST_TIME = 86_400;
export const MOST_STALL = 60;

export const pathOption = (what: string) =>
  custom<string | URL>(
    'string | URL',
    'be a non-empty string or a URL',
    (value) => (typeof value === 'string' && value !== '') || value instanceof URL,
  )
    .optional()
    .describe(what);

export const signalOption = custom<AbortSignal>(
  'AbortSignal',
  'be an AbortSignal',
  (value) => value instanceof AbortSignal,
)
  .optional()
  .describe('Gives up reading when it is aborted.');

/** A folder on this machine. No shell is there to know `~`, and other addresses would become folders of that name. */
function isFolder(value: unknown): boolean {
  if (value instanceof URL) return value.protocol === 'file:' && value.host === '';
  if (typeof value !== 'string' || value === '' || /^~([/\\]|$)/.test(value)) return false;
  return /^file:/i.test(value) ? /^file:\/\/\//i.test(value) : !/^[a-z][a-z\d+.-]*:\/\//i.test(value);
}

export const cacheDirOption = (what: string) =>
  custom<string | URL>(
    'string | URL',
    'be a folder of this machine as a path or `file:` URL, with the home folder (`~`) written out',
    isFolder,
  )
    .optional()
    .describe(what);

/** Options of loaders that download. */
export const downloadOptions = {
  cacheDir: cacheDirOption(
    'Folder that keeps what was downloaded; left out, `cvkit` in the cache folder of the user. No effect with `path`; browsers have none.',
  ),
  timeout: number({ above: 0, max: MOST_TIME })
    .default(300)
    .describe('Seconds for the whole download, after which it gives up.'),
  stallTimeout: number({ above: 0, max: MOST_STALL })
    .default(30)
    .describe('Seconds without a byte after which the download gives up.'),
  signal: signalOption,
};

/** The options of a loader that downloads. With `path` it does not, and time limits are refused. */
export function loaderOptions<S extends OptionShape>(table: OptionTable<S>, input: unknown): Parsed<S>['options'] {
  const { options, changed } = table.parse(input);
  const idle = ['timeout', 'stallTimeout'].find((name) => changed.has(name));
  if (options.path !== undefined && idle) rejectUnusedOption(table.owner, idle, 'with `path` nothing is downloaded');
  options.signal?.throwIfAborted();
  return options;
}
