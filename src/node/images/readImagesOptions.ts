/** The options of `readImages`; in a file of their own, which needs no Node. */
import {
  boolean,
  custom,
  type InputOf,
  integer,
  isPlainObject,
  listOf,
  oneOf,
  optionTable,
  string,
} from '../../core/options.js';
import { limitOptions } from '../../core/unpackLimits.js';
import { CROP_TO, fill, imageSize, interpolation, PAD_TO, RESIZE_TO } from '../../data/imageSizes.js';

/** What a file of images may be. */
export const IMAGE_FORMATS = ['dicom', 'nifti', 'png', 'jpeg'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Centre and width of the values that become 0 to 1. */
export interface ImageWindow {
  readonly center: number;
  readonly width: number;
}

const fromName = (what: string, instead = '') =>
  custom<RegExp | 'folder'>(
    "RegExp | 'folder'",
    `be a regular expression with a group in parentheses, or 'folder'${instead}`,
    (value) => value === 'folder' || (value instanceof RegExp && groupsIn(value) > 0),
  )
    .optional()
    .describe(
      `Takes ${what} from the path of each file below the folder, with \`/\` between its parts: the first group of the expression, or the name of the folder that the file is in.`,
    );

/** How many groups an expression has: it is tried on nothing, with an alternative that always fits. */
const groupsIn = (pattern: RegExp) => (new RegExp(`${pattern.source}|`, pattern.flags).exec('')?.length ?? 1) - 1;

const isWindow = (value: unknown): value is ImageWindow =>
  isPlainObject(value) &&
  Object.keys(value).every((key) => key === 'center' || key === 'width') &&
  Number.isFinite(value.center) &&
  Number.isFinite(value.width) &&
  (value.width as number) > 1;

export const readImagesOptions = optionTable('readImages', {
  groupsFrom: fromName('the patient'),
  labelsFrom: fromName('the label', '; a CSV file with labels is the first argument'),
  rows: oneOf('slice', 'volume')
    .default('slice')
    .describe(
      'What a row is: a frame or slice (`slice`), or all of them in a file or in a DICOM series of files (`volume`).',
    ),
  values: oneOf('rescaled', 'stored')
    .default('rescaled')
    .describe(
      'Numbers after the rescale slope and intercept of the file, Hounsfield units say, or as they are stored.',
    ),
  window: custom<'file' | ImageWindow>(
    "'file' | { center, width }",
    "be 'file' or { center, width } with a width above 1",
    (value) => value === 'file' || isWindow(value),
  )
    .optional()
    .describe(
      'DICOM: maps a window of values to 0 to 1, the linear function of DICOM PS3.3 C.11.2; `file`: the first window that the file names.',
    ),
  invertMonochrome1: boolean()
    .default(true)
    .describe('DICOM: turns images whose smallest value is white, so that larger is brighter in all.'),
  resize: imageSize().optional().describe(`Brings images to one size. ${RESIZE_TO}`),
  interpolation: interpolation(),
  pad: imageSize().optional().describe(`After \`resize\`. ${PAD_TO}`),
  fill: fill(),
  crop: imageSize().optional().describe(`After \`pad\`. ${CROP_TO}`),
  patientsAcrossSites: oneOf('same', 'different')
    .optional()
    .describe('Whether one patient id at two sites is the same patient. Asked for where it happens.'),
  studiesAcrossPatients: oneOf('same', 'different')
    .optional()
    .describe(
      'Whether patient ids that share a study or series are the same patient (`same`), or each has a study of that id (`different`). Asked for where it happens.',
    ),
  formats: listOf<ImageFormat>(
    IMAGE_FORMATS.map((each) => `'${each}'`).join(' | '),
    `be a list of ${IMAGE_FORMATS.map((each) => `'${each}'`).join(', ')}`,
    (value) => IMAGE_FORMATS.includes(value as ImageFormat),
  )
    .optional()
    .describe('Reads files of these formats alone; others are listed as ignored.'),
  onUnreadable: oneOf('error', 'exclude')
    .default('error')
    .describe(
      'What happens to a file that is truncated, has no pixels or cannot be read: an error that names it, or it is listed in `excluded` and `warnings`.',
    ),
  check: oneOf('structure', 'pixels')
    .default('structure')
    .describe('How files are checked before the first row is read: headers and lengths, or every pixel decoded once.'),
  root: string()
    .optional()
    .describe(
      'The folder of the paths in a manifest. Default: the folder of the CSV file; for a list, the working directory.',
    ),
  readAhead: integer({ min: 1, max: 64 })
    .default(8)
    .describe('Files that are read at once, ahead of the one that is decoded.'),
  cacheMegabytes: integer({ min: 0, max: 65536 })
    .default(64)
    .describe(
      'Memory for files of several rows that are kept open in memory, since their next row is likely to be wanted.',
    ),
  maxPixels: integer({ min: 1 })
    .default(2 ** 28)
    .describe('Most values of a row (height x width x channels, and depth of volumes), by the header of its file.'),
  ...limitOptions,
});
export type ReadImagesOptions = InputOf<typeof readImagesOptions>;
