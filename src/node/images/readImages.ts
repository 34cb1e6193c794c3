/** Images in files as rows. */
import { lstat } from 'node:fs/promises';
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { rejectUnusedOption } from '../../core/options.js';
import { mostUnpacked } from '../unpackLimits.js';
import { dicomFile, isDicom } from './dicomFile.js';
import { identitiesOf, type KnownFile } from './identities.js';
import {
  type FilePlace,
  HEAD_BYTES,
  headAt,
  type ImageFile,
  type ImageOptions,
  type Scratch,
  unreadable,
} from './imageFile.js';
import { axesTexts, bitsTexts, modalityTexts, noteTexts } from './imageNotes.js';
import { type ExcludedFile, ImageSet } from './imageSet.js';
import { imageSource } from './imageSource.js';
import { type ListedFile, listFiles, type ManifestEntry } from './listFiles.js';
import { isNifti, niftiFile } from './niftiFile.js';
import { isJpeg, isPng, jpegFile, pngFile } from './pictureFile.js';
import { type ReadImagesOptions, readImagesOptions } from './readImagesOptions.js';

/**
 * Reads the headers of images in files and gives rows that are read as they are needed: DICOM, NIfTI, PNG and JPEG.
 *
 * A row is `[height, width, channels]`, of one frame or slice, or of a volume with its depth before it. The numbers are
 * those of the file: DICOM and NIfTI after rescale slope and intercept, PNG and JPEG from 0 to 255 or 65535. Patient, study,
 * series and institution of DICOM become `groups` and `hierarchy`. Packages that decode are optional and loaded on first use.
 *
 * @param where a folder, which is read with the folders in it; a list of `{ file, y, group, site, study, series }`; the path of a CSV
 *   or TSV file with such columns; or one file
 * @throws {InvalidDataError} for a file that is truncated, has no pixels or cannot be read (`unreadable_image`), which it names; for
 *   images of several sizes (`mixed_sizes`) or formats (`mixed_formats`), with their counts; for a path that `groupsFrom` or
 *   `labelsFrom` does not match (`no_match`); for patient ids at several sites (`patients_across_sites`)
 * @throws {MissingPackageError} for a package that decodes, with the command that installs it
 * @example
 * const images = await readImages('scans', { labelsFrom: 'folder' });
 * const result = await new CVKitValidator().validate({ model, ...images });
 */
export async function readImages(
  where: string | URL | readonly ManifestEntry[],
  input: ReadImagesOptions = {},
): Promise<ImageSet> {
  const { options, changed } = readImagesOptions.parse(input);
  const { files, named, again } = await listFiles(where, options);
  const { known, excluded, ignored: others } = await scanned(files, named, options);
  const ignored = [...others, ...again];
  if (known.length === 0) throw noImages(excluded, ignored);
  const shape = oneShape(known);
  refuseIdle(known[0].image.format, changed);
  const identities = identitiesOf(known, options);
  const rows = known.flatMap(({ image, name }, file) =>
    Array.from({ length: image.count }, (_, frame) => ({ image, frame, file, name })),
  );
  const perRow = <T>(values: readonly T[]): T[] => rows.map(({ file }) => values[file]);
  const { y, groups, hierarchy } = identities;
  const warnings = [
    ...excludedText(excluded, files.length),
    ...ignoredText(ignored, options),
    ...noteTexts(known),
    ...axesTexts(known),
    ...modalityTexts(known),
    ...bitsTexts(known),
    ...identities.warnings,
  ];
  const settings = { readAhead: options.readAhead, cacheBytes: options.cacheMegabytes * 2 ** 20, warnings };
  return new ImageSet(
    {
      X: imageSource(rows, shape, settings),
      y: y && perRow(y),
      groups: groups && perRow(groups),
      hierarchy: hierarchy && Object.fromEntries(Object.entries(hierarchy).map(([name, ids]) => [name, perRow(ids)])),
    },
    {
      format: known[0].image.format,
      shape,
      files: rows.map(({ name }) => name),
      frames: Int32Array.from(rows, ({ frame }) => frame),
      affines: perRow(known.map(({ image }) => image.affine)),
      excluded,
      ignored,
      warnings,
    },
  );
}

interface Scanned {
  readonly known: readonly KnownFile[];
  readonly excluded: readonly ExcludedFile[];
  readonly ignored: readonly string[];
}

/** Looks at every file, several at once. Results stand in the order of the list. */
async function scanned(files: readonly ListedFile[], named: boolean, options: ImageOptions): Promise<Scanned> {
  const found = new Array<ImageFile | null | InvalidDataError>(files.length);
  let next = 0;
  let failed = false;
  const worker = async () => {
    const scratch: Scratch = { bytes: new ArrayBuffer(HEAD_BYTES) };
    while (next < files.length && !failed) {
      const at = next++;
      try {
        found[at] = await looked(files[at], named, options, scratch);
      } catch (error) {
        const isUnreadable = (error as InvalidDataError).code === 'unreadable_image';
        const excused =
          isUnreadable && (options.onUnreadable === 'exclude' || (!named && (await isGone(files[at].path))));
        failed ||= !excused;
        if (!excused) throw error;
        found[at] = error as InvalidDataError;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: options.readAhead }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const known: KnownFile[] = [];
  const excluded: ExcludedFile[] = [];
  const ignored: string[] = [];
  files.forEach((file, at) => {
    const image = found[at];
    if (image === null) ignored.push(file.name);
    else if (image instanceof InvalidDataError) excluded.push({ file: file.name, reason: image.message });
    else known.push({ ...file, image });
  });
  return { known, excluded, ignored };
}

/** Null for what is no image, or of no format that was asked for. */
async function looked(
  { path, name }: ListedFile,
  named: boolean,
  options: ImageOptions,
  scratch: Scratch,
): Promise<ImageFile | null> {
  const { size, head } = await headAt(path, name, scratch);
  const file = { path, name, size, limits: options };
  const reader = readerOf(file, head);
  if (!reader) {
    const claims = /\.(dcm|dicom|nii|nii\.gz|png|jpe?g)$/i.test(name);
    if (!claims && !named) return null;
    throw unreadable(name, 'be DICOM, NIfTI, PNG or JPEG', file.size === 0 ? 'an empty file' : 'something else');
  }
  if (options.formats && !options.formats.includes(reader.format)) return null;
  const image = await reader.read(file, head, options);
  if (!image) return null;
  const values = image.shape.reduce((product, each) => product * each, 1);
  // A header that is damaged, or lies, may ask for more than any memory has.
  const { maxPixels } = options;
  if (!(values <= maxPixels)) {
    throw unreadable(name, `have rows of at most ${maxPixels} values, as \`maxPixels\` says`, `${values}`);
  }
  const { most, must } = mostUnpacked(size, options);
  if (values > most) throw unreadable(name, must, `${values} values of ${size} bytes`);
  if (options.check === 'pixels') await readAll(image);
  return image;
}

/** Whether a file that the folder had is no longer there: others work in the folder, too. A link to nothing is there. */
const isGone = (path: string) =>
  lstat(path).then(
    () => false,
    (error) => error.code === 'ENOENT',
  );

function readerOf(file: FilePlace, head: Uint8Array) {
  if (isDicom(head)) return { format: 'dicom', read: dicomFile } as const;
  if (isPng(head)) return { format: 'png', read: pngFile } as const;
  if (isJpeg(head)) return { format: 'jpeg', read: jpegFile } as const;
  return isNifti(file, head) ? ({ format: 'nifti', read: niftiFile } as const) : undefined;
}

async function readAll(image: ImageFile): Promise<void> {
  const out = new Float32Array(image.shape.reduce((product, each) => product * each, 1));
  const loaded = await image.load?.();
  for (let row = 0; row < image.count; row++) await image.read(row, out, loaded, {});
}

function oneShape(known: readonly KnownFile[]): readonly number[] {
  // PNG and JPEG go together: both are pictures with values as they are, of 8 or 16 bits.
  const kinds = byWords(known, ({ image: { format, bits } }) =>
    bits === undefined ? format : `PNG or JPEG of ${bits} bits`,
  );
  if (kinds.size > 1) {
    const way = 'Name those to read by `formats`, or in a list.';
    throw mixed('be of one format', 'mixed_formats', kinds, way);
  }
  const sizes = byWords(known, ({ image: { shape } }) => shape.join(' x '));
  if (sizes.size === 1) return known[0].image.shape;
  const way = 'Bring them to one size first, or name those to read in a list.';
  throw mixed('be of one size', 'mixed_sizes', sizes, way);
}

/** Files of each kind. */
function byWords(files: readonly KnownFile[], wordOf: (file: KnownFile) => string): Map<string, KnownFile[]> {
  const kinds = new Map<string, KnownFile[]>();
  for (const file of files) {
    const same = kinds.get(wordOf(file));
    if (same) same.push(file);
    else kinds.set(wordOf(file), [file]);
  }
  return kinds;
}

/** The most frequent kinds first; of many only some. */
function mixed(must: string, code: string, kinds: ReadonlyMap<string, readonly KnownFile[]>, way: string) {
  const all = [...kinds].sort((a, b) => b[1].length - a[1].length);
  const more = all.length > 8 ? `, and ${all.length - 8} more` : '';
  const words = all.slice(0, 8).map(([what, files]) => `${what} (${counted(files.length, 'file')})`);
  const got = phrase(`${words.join(', ')}${more} (of the last, \`file\` of this error is one)`);
  const [, [{ name: file }]] = all[all.length - 1];
  return new InvalidDataError(sentence('The images', must, got, way), { code, file });
}

function refuseIdle(format: ImageFile['format'], changed: ReadonlySet<string>): void {
  if (format === 'dicom') return;
  const idle = (['window', 'invertMonochrome1'] as const).find((name) => changed.has(name));
  if (idle) rejectUnusedOption('readImages', idle, `the files are ${format}, not DICOM`);
  if (format === 'nifti') return;
  const unused = (['rows', 'values'] as const).find((name) => changed.has(name));
  if (unused) rejectUnusedOption('readImages', unused, `the files are ${format}`);
}

function noImages(excluded: readonly ExcludedFile[], ignored: readonly string[]): InvalidDataError {
  const got = `none, ${counted(excluded.length, 'file')} excluded and ${ignored.length} ignored`;
  return new InvalidDataError(sentence('The folder or list', 'hold at least one image', phrase(got)), {
    code: 'no_images',
  });
}

function excludedText(excluded: readonly ExcludedFile[], n: number): string[] {
  if (excluded.length === 0) return [];
  // Names of files are often those of patients, and warnings go into reports.
  return [
    `${counted(excluded.length, 'image file')} of ${n} could not be read and take no part: \`excluded\` names them.`,
  ];
}

/** Endings of pictures that are not read. */
const OTHER_IMAGES = /\.(tiff?|bmp|gif|webp|mha|mhd|nrrd|hdr|img|mgz|mnc|svs|ima)$/i;

/** Other files are listed alone: a folder may hold notes, lists and what systems leave behind. */
function ignoredText(ignored: readonly string[], { formats }: ImageOptions): string[] {
  const images = formats ? [] : ignored.filter((name) => OTHER_IMAGES.test(name));
  if (images.length === 0) return [];
  const others = `${counted(images.length, 'file')} of formats that readImages does not read`;
  return [`${others} ${images.length === 1 ? 'takes' : 'take'} no part: \`ignored\` names them.`];
}
