/** Options that loaders share: where the data are read from. */
import { custom, number, string } from '../core/options.js';

/** Longest waits that are accepted, in seconds: a day for the whole. Half files count as left behind after twice the other. */
const DAY = 86_400;
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

/** Options of loaders that download. */
export const downloadOptions = {
  cacheDir: string()
    .optional()
    .describe(
      'Folder that keeps what was downloaded; left out, `cvkit` in the cache folder of the user. Browsers have none.',
    ),
  timeout: number({ above: 0, max: DAY }).default(300).describe('Seconds after which the download gives up.'),
  stallTimeout: number({ above: 0, max: MOST_STALL })
    .default(30)
    .describe('Seconds without a byte after which the download gives up.'),
  signal: signalOption,
};
