import { lstat } from 'node:fs/promises';
import { InvalidDataError, InvalidOptionError, invalidData, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { rejectUnusedOption } from '../../core/options.js';
import { mostUnpacked } from '../../core/unpackLimits.js';
import { product } from '../../data/dense.js';
import { spellingNotes, withoutCase } from '../../table/cellColumn.js';
import { dicomFile, isDicom } from './dicomFile.js';
import {
  AN_IMAGE,
  type FilePlace,
  type ImageFile,
  type ImageOptions,
  type ImageTags,
  imageWarnings,
  inParallel,
  readPart,
  refuseSeveral,
  type Scratch,
  unreadable,
} from './imageFile.js';
import type { ImagePlace, LabelledImages, LabelledPlace } from './imageSet.js';
import { type ExcludedFile, ImageSet, imageSource } from './imageSet.js';
import { joinSeries } from './joinSeries.js';
import { asLabels, type ListedFile, listFiles, type ManifestEntry } from './listFiles.js';
import { isNifti, niftiFile, voxelsOf } from './niftiFile.js';
import { isJpeg, isPng, jpegFile, pngFile } from './pictureFile.js';
import { type ReadImagesOptions, readImagesOptions } from './readImagesOptions.js';
import { inOneSize, oneShape } from './sizedImage.js';

/**
 * Reads the headers of images in files and gives rows that are read as they are needed: DICOM, NIfTI, PNG and JPEG.
 *
 * A row is `[height, width, channels]`, of one frame or slice, or of a volume (a file, or a series of DICOM) with its depth before it. The numbers are
 * those of the file: DICOM and NIfTI after rescale slope and intercept, PNG and JPEG from 0 to 255 or 65535. Patient, study,
 * series and institution of DICOM become `groups` and `hierarchy`. Packages that decode are optional and loaded on first use.
 *
 * @param where a folder, which is read with the folders in it; a list of `{ file, y, group, site, study, series }`; the path of a CSV
 *   or TSV file with such columns; or one file
 * @throws {InvalidDataError} for slices of a series that are no volume (`mixed_series`); for a file that is truncated, has no pixels or cannot be read (`unreadable_image`), which it names; for
 *   images of several sizes without `resize`, `pad` or `crop` (`mixed_sizes`) or formats (`mixed_formats`), with their counts; for a path that `groupsFrom` or
 *   `labelsFrom` does not match (`no_match`); for patient ids at several sites (`patients_across_sites`)
 * @throws {MissingPackageError} for a package that decodes, with the command that installs it
 * @example
 * import { encode } from 'fast-png';
 * for (const [at, label] of ['clear', 'dark'].entries()) {
 *   await mkdir(`scans/${label}`, { recursive: true });
 *   const data = new Uint8Array(16).fill(100 * at);
 *   await writeFile(`scans/${label}/1.png`, encode({ width: 4, height: 4, data, channels: 1 }));
 * }
 * const images = await readImages('scans', { labelsFrom: 'folder' });
 * console.log(images.shape, images.y);
 */
export function readImages(
  where: ImagePlace,
  input: ReadImagesOptions & { readonly labelsFrom: RegExp | 'folder' },
): Promise<LabelledImages>;
export function readImages(where: LabelledPlace, input?: ReadImagesOptions): Promise<LabelledImages>;
export function readImages(where: ImagePlace, input?: ReadImagesOptions): Promise<ImageSet>;
export async function readImages(where: ImagePlace, input: ReadImagesOptions = {}): Promise<ImageSet> {
  const { options, changed } = readImagesOptions.parse(input);
  if (options.window === 'file' && options.values === 'stored') {
    const got = phrase("'file', which is a window of rescaled values");
    throw new InvalidOptionError(
      sentence('The `window` option of readImages', "be numbers with values: 'stored'", got),
    );
  }
  const { files, named, again, notes: ofList = [] } = await listFiles(where, options);
  const { known: stored, excluded, ignored: others, without } = await scanned(files, named, options);
  const ignored = [...others, ...again];
  if (stored.length === 0) {
    const got = `none, ${counted(excluded.length, 'file')} excluded and ${ignored.length} ignored`;
    throw invalidData('no_images', 'The folder or list', 'hold at least one image', got);
  }
  refuseSeveralFormats(stored);
  refuseIdle(stored[0].image.format, changed);
  const identities = identitiesOf(stored, options);
  const { volumes, notes: gaps } = volumesOf(stored, identities, options);
  const { known, notes } = inOneSize(volumes, options, changed);
  const shape = oneShape(known);
  const rows = known.flatMap(({ image, name, first: file }) =>
    Array.from({ length: image.count }, (_, frame) => ({ image, frame, file, name })),
  );
  const perRow = <T>(values: readonly T[]): T[] => rows.map(({ file }) => values[file]);
  const { y, groups, hierarchy } = identities;
  const warnings = [
    ...ofList,
    ...excludedText(excluded, files.length),
    ...ignoredText(ignored, options),
    ...withoutText(without),
    ...imageWarnings(stored),
    ...[...gaps, ...notes],
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
      affines: rows.map(({ image }) => image.affine),
      excluded,
      ignored,
      warnings,
    },
  );
}

/** So many bytes of a file are read to recognise it. Most headers of DICOM files are shorter than this. */
const HEAD_BYTES = 1 << 15;

async function scanned(files: readonly ListedFile[], named: boolean, options: ImageOptions) {
  const found = new Array<Awaited<ReturnType<typeof inspected>> | InvalidDataError>(files.length);
  await inParallel(files.length, options.readAhead, async (at, scratch) => {
    found[at] = await inspected(files[at], named, options, scratch).catch(async (error: InvalidDataError) => {
      const isExcused = options.onUnreadable === 'exclude' || (!named && (await isGone(files[at].path)));
      if (error.code === 'unreadable_image' && isExcused) return error;
      throw error;
    });
  });
  const known: KnownFile[] = [];
  const excluded: ExcludedFile[] = [];
  const ignored: string[] = [];
  files.forEach((file, at) => {
    const image = found[at];
    if (image === null || image === 'no pixels') ignored.push(file.name);
    else if (image instanceof InvalidDataError)
      excluded.push({ file: file.name, reason: image.message.replace(AN_IMAGE, 'The file') });
    else known.push({ ...file, image });
  });
  // The voxels of a header are read with it.
  const voxels = new Set(known.map(({ name }) => voxelsOf(name)));
  const without = found.filter((image) => image === 'no pixels').length;
  return { known, excluded, ignored: ignored.filter((name) => !voxels.has(name)), without };
}

async function inspected(
  { path, name }: ListedFile,
  named: boolean,
  options: ImageOptions,
  scratch: Scratch,
): Promise<ImageFile | null | 'no pixels'> {
  const { size, bytes: head } = await readPart({ path, name }, 0, HEAD_BYTES, scratch);
  const file = { path, name, size, limits: options };
  const reader = readerOf(file, head);
  if (!reader) {
    const claims = /\.(dcm|dicom|nii|nii\.gz|png|jpe?g)$/i.test(name);
    if (!claims && !named) return null;
    throw unreadable(name, 'be DICOM, NIfTI, PNG or JPEG', file.size === 0 ? 'an empty file' : 'something else');
  }
  if (options.formats && !options.formats.includes(reader.format)) return null;
  const image = await reader.read(file, head, options);
  if (image === 'no pixels' && named) throw unreadable(name, 'have pixel data', 'a DICOM without any');
  if (!image || image === 'no pixels') return image;
  const values = product(image.shape);
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
  const out = new Float32Array(product(image.shape));
  const loaded = await image.load?.();
  for (let row = 0; row < image.count; row++) await image.read(row, out, loaded, { bytes: new ArrayBuffer(0) });
}

interface Volume extends KnownFile {
  /** The place of its first file among all of them. */
  readonly first: number;
}

/** The files, those of a series of DICOM as one where rows are volumes. */
function volumesOf(files: readonly KnownFile[], { y, groups }: ReturnType<typeof identitiesOf>, options: ImageOptions) {
  const isSeries = options.rows === 'volume' && files[0].image.format === 'dicom';
  const keyOf = (at: number) => JSON.stringify([files[at].image.tags?.series, groups?.[at]]);
  if (isSeries) return joinSeries(files, keyOf, y, options.maxPixels);
  return { volumes: files.map((file, first): Volume => ({ ...file, first })), notes: [] };
}

function refuseSeveralFormats(known: readonly KnownFile[]): void {
  // PNG and JPEG go together: both are pictures with values as they are, of 8 or 16 bits.
  const kinds = known.map(({ image: { format, bits } }) =>
    bits === undefined ? format : `PNG or JPEG of ${bits} bits`,
  );
  refuseSeveral('mixed_formats', 'be of one format', known, kinds, 'Name those to read by `formats`, or in a list.');
}

function refuseIdle(format: ImageFile['format'], changed: ReadonlySet<string>): void {
  if (format === 'dicom') return;
  const idle = (['window', 'invertMonochrome1'] as const).find((name) => changed.has(name));
  if (idle) rejectUnusedOption('readImages', idle, `the files are ${format}, not DICOM`);
  if (format === 'nifti') return;
  const unused = (['rows', 'values'] as const).find((name) => changed.has(name));
  if (unused) rejectUnusedOption('readImages', unused, `the files are ${format}`);
}

/** Names of files are often those of patients, and warnings go into reports. */
function excludedText(excluded: readonly ExcludedFile[], n: number): string[] {
  const which = `${counted(excluded.length, 'image file')} of ${n}`;
  return excluded.length === 0 ? [] : [`${which} could not be read and take no part: \`excluded\` names them.`];
}

function withoutText(without: number): string[] {
  const which = `${counted(without, 'DICOM file')} without pixels (reports, plans, presentation states)`;
  return without === 0 ? [] : [`${which} ${without === 1 ? 'takes' : 'take'} no part: \`ignored\` names them.`];
}

const OTHER_IMAGES = /\.(tiff?|bmp|gif|webp|mha|mhd|nrrd|hdr|img|mgz|mnc|svs|ima)$/i;

/** Other files are listed alone: a folder may hold notes, lists and what systems leave behind. */
function ignoredText(ignored: readonly string[], { formats }: ImageOptions): string[] {
  const images = formats ? [] : ignored.filter((name) => OTHER_IMAGES.test(name));
  if (images.length === 0) return [];
  const others = `${counted(images.length, 'file')} of formats that readImages does not read`;
  return [`${others} ${images.length === 1 ? 'takes' : 'take'} no part: \`ignored\` names them.`];
}

/** A file that is read, with what was known of it before. */
interface KnownFile extends ListedFile {
  readonly image: ImageFile;
}

/** One value per file. @throws {InvalidDataError} for a file without a patient or label where others have one */
function identitiesOf(files: readonly KnownFile[], options: ImageOptions) {
  const y = labelsOf(files, options);
  const warnings: string[] = [];
  let patients = level(files, 'group', options.groupsFrom, 'patient');
  if (patients) everyFile(files, patients, 'a patient', 'Give a group in the manifest, or `groupsFrom`.');
  if (patients && !options.groupsFrom && !files.some(({ entry }) => textOf(entry.group))) {
    patients = ofIssuers(files, patients as string[]);
  }
  const all: Partial<Record<'site' | 'study' | 'series', Ids>> = {};
  const found: Record<string, readonly string[]> = {};
  for (const name of ['site', 'study', 'series'] as const) {
    const ids = level(files, name, undefined, name);
    if (!ids) continue;
    all[name] = ids;
    const without = ids.filter((id) => id === undefined).length;
    if (without === 0) found[name] = ids as string[];
    else {
      const which = `${counted(without, 'file')} of ${files.length}`;
      warnings.push(`The hierarchy has no level ${name}: ${which} do not name it.`);
    }
  }
  const named = all.site?.filter((site) => site !== undefined) ?? [];
  const note = spellingNotes('', named, 'site').map((text) => `${text} A list with \`site\` can name them in one way.`);
  warnings.push(...note);
  const atSites = patients && acrossSites(files, patients as string[], all.site, options);
  const groups = atSites && acrossPatients(files, atSites, all, options);
  if (options.studiesAcrossPatients === 'different') {
    for (const name of ['study', 'series'].filter((each) => found[each])) {
      found[name] = found[name].map((id, at) => JSON.stringify([groups?.[at], id]));
    }
  }
  const { site, study, series } = found;
  const levels = { site, patient: site || study || series ? groups : undefined, study, series };
  const known = Object.entries(levels).filter((level): level is [string, readonly string[]] => level[1] !== undefined);
  return { y, groups, hierarchy: known.length > 0 ? Object.fromEntries(known) : undefined, warnings };
}

type Ids = readonly (string | undefined)[];

/** The manifest comes first, then names, then tags. Undefined where no file has any. */
function level(
  files: readonly KnownFile[],
  key: keyof ManifestEntry,
  from: ImageOptions['groupsFrom'],
  tag: keyof ImageTags,
) {
  const values = files.map(({ entry }) => textOf(entry[key]));
  if (from && values.some(Boolean)) rejectUnusedOption('readImages', 'groupsFrom', 'the list names groups');
  const ids: Ids = values.some(Boolean)
    ? values
    : from
      ? files.map(({ name }) => fromName(name, from, 'groupsFrom'))
      : files.map(({ image }) => image.tags?.[tag]);
  return ids.some((id) => id !== undefined) ? ids : undefined;
}

const textOf = (id: unknown) => (id === undefined || id === null || id === '' ? undefined : String(id));

function fromName(name: string, from: RegExp | 'folder', option: string): string {
  if (from === 'folder') {
    const folder = name.split('/').at(-2);
    if (folder) return folder;
    throw noMatch(name, `be in a folder below the one that is read, as ${option}: 'folder' asks`);
  }
  // A copy without memory: `g` and `y` would begin where the last match ended.
  const found = new RegExp(from.source, from.flags.replace(/[gy]/g, '')).exec(name)?.[1];
  if (found) return found;
  throw noMatch(name, `match the expression of ${option}, with its first group`);
}

const noMatch = (file: string, must: string) =>
  new InvalidDataError(sentence(AN_IMAGE, must, phrase('no match')), { code: 'no_match', file });

function everyFile(files: readonly KnownFile[], ids: Ids, what: string, instead: string): void {
  const at = ids.findIndex((id) => id === undefined || id === '');
  if (at < 0) return;
  const message = sentence(AN_IMAGE, `name ${what}, as others do`, phrase('none'), instead);
  throw new InvalidDataError(message, { code: 'missing_group', file: files[at].name });
}

type ImageLabel = NonNullable<ManifestEntry['y']>;

function labelsOf(files: readonly KnownFile[], { labelsFrom }: ImageOptions): readonly ImageLabel[] | undefined {
  const labels = files.map(({ entry }) => entry.y);
  const missing = (label: unknown) => label === undefined || label === null || label === '';
  if (labelsFrom && !labels.every(missing)) rejectUnusedOption('readImages', 'labelsFrom', 'the list has labels');
  if (labelsFrom) return asLabels(files.map(({ name }) => fromName(name, labelsFrom, 'labelsFrom')));
  if (labels.every(missing)) return undefined;
  const at = labels.findIndex(missing);
  if (at < 0) return labels as ImageLabel[];
  const message = sentence(AN_IMAGE, 'have a label, as others have', phrase('none'));
  throw new InvalidDataError(message, { code: 'missing_label', file: files[at].name });
}

/** What stands in the place of an id when files are made anonymous, letters and digits alone: for one patient or for all. */
const PLACEHOLDER =
  /^(anon(ym(ous|i[sz]ed)?)?|deidentified|removed|unknown|unk|none|null|na|no|dummy|default|test|0+|9{3,}|x+)?(patient|subject|name|id)?$/;

/** The ids of DICOM, which are of one patient where one issuer gave them (PS3.3 C.2.2). */
function ofIssuers(files: readonly KnownFile[], patients: readonly string[]): string[] {
  const refuse = (must: string, got: string, code: string, at: number) =>
    new InvalidDataError(
      sentence('The patient ids', must, phrase(`${got} (first in \`file\` of this error)`), NAME_THEM),
      { code, file: files[at].name },
    );
  const isPlaceholder = (id: string) => PLACEHOLDER.test(id.toLowerCase().replace(/[^\p{L}\d]+/gu, ''));
  const studyOf = (at: number) => files[at].image.tags?.study ?? at;
  const without = patients.findIndex((id, at) => isPlaceholder(id) && studyOf(at) !== studyOf(patients.indexOf(id)));
  if (without >= 0) {
    const got = 'a word that stands for any of them, in several studies';
    throw refuse('name patients', got, 'placeholder_patient', without);
  }
  const issuers = setsBy(
    patients,
    files.map(({ image }) => image.tags?.issuer),
  );
  return patients.map((id, at) => {
    const known = issuers.get(id) as Set<string | undefined>;
    if (known.size - Number(known.has(undefined)) < 2) return id;
    const issuer = files[at].image.tags?.issuer;
    if (issuer) return JSON.stringify([issuer, id]);
    throw refuse('name their issuer where several gave the same id', 'one without', 'missing_issuer', at);
  });
}

/** The different values of each key. */
function setsBy<T>(keys: readonly string[], values: readonly T[]): Map<string, Set<T>> {
  const sets = new Map<string, Set<T>>();
  for (const [at, key] of keys.entries()) sets.set(key, (sets.get(key) ?? new Set()).add(values[at]));
  return sets;
}

const NAME_THEM = 'Give `groupsFrom`, or a list with `group`.';

/** A study is of one patient (PS3.3 A.1.2), so that two ids in it are two names of one, or the study has the id of another. */
function acrossPatients(
  files: readonly KnownFile[],
  patients: readonly string[],
  { study, series }: Partial<Record<string, Ids>>,
  { studiesAcrossPatients: answer, groupsFrom }: ImageOptions,
): readonly string[] {
  if (answer && !study && !series) rejectUnusedOption('readImages', 'studiesAcrossPatients', 'no file names its study');
  // By names of files the author says who is who; the checks of a run ask.
  if (answer === 'different' || (groupsFrom && !answer)) return patients;
  const first = new Map<string, number>();
  const joined = new Map<string, string>();
  const nameOf = (patient: string): string => {
    let name = patient;
    for (let next = joined.get(name); next !== undefined; next = joined.get(name)) name = next;
    return name;
  };
  let crossing: [number, number] | undefined;
  for (const [level, ids] of Object.entries({ study, series })) {
    for (const [at, id] of (ids ?? []).entries()) {
      if (id === undefined) continue;
      const before = first.get(`${level} ${id}`);
      if (before === undefined) first.set(`${level} ${id}`, at);
      else if (patients[before] !== patients[at]) {
        crossing ??= [before, at];
        const [a, b] = [nameOf(patients[before]), nameOf(patients[at])];
        if (a !== b) joined.set(b, a);
      }
    }
  }
  if (!crossing || answer === 'same') return patients.map(nameOf);
  const message = sentence(
    'Each study and series',
    'belong to one patient, unless `studiesAcrossPatients` says what it means',
    phrase(`several patient ids in one${AS_IN}`),
    "Write studiesAcrossPatients: 'same' for one patient, 'different' for studies that have the same id.",
  );
  throw ofTwo(files, crossing, new InvalidDataError(message, { code: 'studies_across_patients' }));
}

const AS_IN = ' (as in `file` and `otherFile` of this error)';
const ofTwo = (files: readonly KnownFile[], [here, there]: readonly number[], error: InvalidDataError) =>
  Object.assign(error, { file: files[here].name, otherFile: files[there].name });

/** Hospitals number their patients each for itself, so that one id may be two people. Nobody but the author knows. */
function acrossSites(
  files: readonly KnownFile[],
  patients: readonly string[],
  sites: Ids | undefined,
  options: ImageOptions,
) {
  if (!sites && options.patientsAcrossSites) {
    rejectUnusedOption('readImages', 'patientsAcrossSites', 'no file names its site');
  }
  if (!sites || options.patientsAcrossSites === 'same') return patients;
  if (options.patientsAcrossSites === 'different' && !sites.includes(undefined)) {
    return patients.map((patient, at) => JSON.stringify([sites[at], patient]));
  }
  const several = [...setsBy(patients, sites)].filter(([, { size }]) => size > 1);
  if (several.length === 0) return patients;
  const first = patients.indexOf(several[0][0]);
  const other = patients.findIndex((patient, at) => patient === patients[first] && sites[at] !== sites[first]);
  const without = sites.includes(undefined) ? ', and files without a site' : '';
  const alikeHomes = several.filter(
    ([, ways]) => new Set(Array.from(ways, (site) => withoutCase(site ?? ''))).size === 1,
  );
  const hint = alikeHomes.length > 0 ? `; of ${alikeHomes.length} the sites differ in capitals or blanks alone` : '';
  const message = sentence(
    'Each patient id',
    'belong to one site, unless `patientsAcrossSites` says what it means',
    phrase(`${counted(several.length, 'id')} at several sites${AS_IN}${without}${hint}`),
    "Write patientsAcrossSites: 'same' for one patient, 'different' for one at each site.",
  );
  throw ofTwo(files, [first, other], new InvalidDataError(message, { code: 'patients_across_sites' }));
}
