import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidDataError, invalidData, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { isPlainObject, rejectUnusedOption } from '../../core/options.js';
import { type Dense, product } from '../../data/dense.js';
import type { RowSource } from '../../data/rowKinds.js';
import { AN_IMAGE } from './imageFile.js';
import type { ImageSet } from './imageSet.js';
import { readImages } from './readImages.js';
import type { ReadImagesOptions } from './readImagesOptions.js';
import { masksOf } from './readMasks.js';

/** Those of `readImages` that keep images and masks on one grid. */
export type ReadNnunetOptions = Omit<
  ReadImagesOptions,
  'labelsFrom' | 'root' | 'formats' | 'resize' | 'interpolation' | 'onUnreadable' | 'window' | 'invertMonochrome1'
>;

/** Training cases of nnU-Net. */
export interface NnunetCases {
  /**
   * What `validate` takes, with a model: `X` of `[n, height, width, channels]`, with depth before them for volumes, read as needed; masks as
   * `readMasks` has them; the patient of each row; of NIfTI, millimetres between neighbours of each row, along its axes.
   */
  readonly data: {
    readonly X: RowSource;
    readonly y: Dense;
    readonly groups: readonly string[];
    readonly spacing?: readonly (readonly number[])[];
  };
  /** Name and numbers of each class, in the order of the channels of `y`. */
  readonly classes: readonly { readonly name: string; readonly labels: readonly number[] }[];
  readonly channelNames: readonly string[];
  /** The mask of each row, below the folder. */
  readonly files: readonly string[];
}

/**
 * Reads the training cases of a folder of nnU-Net (versions 1 and 2): `dataset.json`, `imagesTr/CASE_0000.nii.gz` with a file per channel, and
 * `labelsTr/CASE.nii.gz`. A row is a volume of NIfTI or a PNG; each case is a patient of its own unless `groupsFrom` takes the
 * patient from the path of its first image.
 *
 * @param folder the folder with `dataset.json`
 * @throws {InvalidDataError} what `readImages` and `readMasks` throw; `bad_dataset` for a `dataset.json` that is none, or names voxels to ignore;
 *   `missing_label` for images without a mask; `mixed_grids` where channels or mask of a case differ in size, place or spacing
 * @example
 * import { encode } from 'fast-png';
 * await mkdir('dataset/imagesTr', { recursive: true });
 * await mkdir('dataset/labelsTr', { recursive: true });
 * const facts = { channel_names: { 0: 'grey' }, labels: { background: 0, lesion: 1 }, numTraining: 1, file_ending: '.png' };
 * await writeFile('dataset/dataset.json', JSON.stringify(facts));
 * const picture = (value) => encode({ width: 4, height: 4, channels: 1, data: Uint8Array.from({ length: 16 }, value) });
 * await writeFile('dataset/imagesTr/one_0000.png', picture((_, pixel) => 10 * pixel));
 * await writeFile('dataset/labelsTr/one.png', picture((_, pixel) => Number(pixel > 11)));
 * const { data, classes } = await readNnunet('dataset');
 * console.log(data.X.length, data.y.shape, classes);
 */
export async function readNnunet(folder: string, options: ReadNnunetOptions = {}): Promise<NnunetCases> {
  const refused = ['labelsFrom', 'root', 'formats', 'resize', 'interpolation', 'onUnreadable'] as const;
  const idle = refused.find((name) => (options as ReadImagesOptions)[name] !== undefined);
  if (idle) rejectUnusedOption('readNnunet', idle, 'the folder says what is read, and masks stay on their grid');
  const { channelNames, classes, ending } = await datasetOf(folder);
  const cases = await casesIn(folder, ending);
  const { groupsFrom, fill, ...others } = options;
  const isNifti = /\.nii(\.gz)?$/i.test(ending);
  const grid: ReadImagesOptions = { ...(isNifti && { rows: 'volume' }), ...others, root: folder };
  const channel = (at: number) => {
    const number = String(at).padStart(4, '0');
    const fileOf = (name: string) => `imagesTr/${name}_${number}${ending}`;
    const list = cases.map((name) => ({ file: fileOf(name), ...(!groupsFrom && { group: name }) }));
    return readImages(list, { ...grid, ...(fill !== undefined && { fill }), ...(groupsFrom && { groupsFrom }) });
  };
  const images = [await channel(0)];
  // A PNG holds its colours itself.
  const isWhole = images[0].shape.at(-1) === channelNames.length;
  for (let at = 1; at < channelNames.length && !isWhole; at++) images.push(await channel(at));
  const ofCases = cases.map((name) => ({ file: `labelsTr/${name}${ending}` }));
  const maps = await readImages(ofCases, grid);
  for (const other of [...images.slice(1), maps]) sameGrid(images[0], other);
  const ofClasses = classes.map(({ labels }) => labels);
  const { y, spacing, files } = await masksOf(maps, ofClasses);
  const X = images.length === 1 ? images[0].X : joined(images);
  const data = { X, y, groups: images[0].groups as string[], ...(spacing && { spacing }) };
  return { data, classes, channelNames, files };
}

async function datasetOf(folder: string) {
  const path = join(folder, 'dataset.json');
  const subject = `The file '${nameText(path, 200)}'`;
  const bad = (must: string, got: string) => invalidData('bad_dataset', subject, must, got);
  const read = readFile(path, 'utf8').then((text): unknown => JSON.parse(text));
  const found = await read.catch(() => {
    throw bad('be there and be JSON, as nnU-Net has it', 'something else');
  });
  if (!isPlainObject(found)) throw bad('hold an object', 'something else');
  const { labels, file_ending: ending = '.nii.gz' } = found;
  const channels = found.channel_names ?? found.modality;
  if (!isPlainObject(channels) || Object.keys(channels).length === 0) throw bad('name its channels', 'none');
  if (typeof ending !== 'string') throw bad('have a text as `file_ending`', 'something else');
  if (!isPlainObject(labels)) throw bad('name its labels', 'none');
  // Version 1 names each number, version 2 numbers each name.
  const isFirst = Object.values(labels).every((each) => typeof each === 'string');
  const all = Object.entries(labels).map(([key, value]): [string, unknown[]] =>
    isFirst ? [String(value), [Number(key)]] : [key, Array.isArray(value) ? value : [value]],
  );
  const wrong = all.find(([, numbers]) => !numbers.every((each) => Number.isInteger(each) && (each as number) >= 0));
  if (wrong) throw bad('have whole numbers as labels', `another for ${nameText(wrong[0])}`);
  if (all.some(([name]) => name === 'ignore')) throw bad('have a class for every voxel', 'voxels to ignore');
  const classes = all.map(([name, numbers]) => ({ name, labels: (numbers as number[]).filter((each) => each > 0) }));
  const channelNames = Object.keys(channels)
    .sort((a, b) => Number(a) - Number(b))
    .map((key) => String(channels[key]));
  return { channelNames, classes: classes.filter((each) => each.labels.length > 0), ending };
}

/** The cases that have a mask, in the order of their names. */
async function casesIn(folder: string, ending: string): Promise<string[]> {
  const [images, masks] = await Promise.all(
    ['imagesTr', 'labelsTr'].map(async (name) => {
      const names = await readdir(join(folder, name)).catch(() => {
        const subject = `The folder '${nameText(join(folder, name), 200)}'`;
        throw invalidData('missing_file', subject, 'be there, as nnU-Net has it', 'nothing that can be read');
      });
      const ofCases = names.filter((each) => each.endsWith(ending) && !each.startsWith('.')).sort();
      return ofCases.map((each) => each.slice(0, -ending.length));
    }),
  );
  const alone = images.find((name) => !masks.includes(name.replace(/_\d{4}$/, '')));
  if (alone === undefined) return masks;
  const message = sentence(AN_IMAGE, 'have a mask in labelsTr', phrase('none'));
  throw new InvalidDataError(message, { code: 'missing_label', file: `imagesTr/${alone}${ending}` });
}

/** Millimetres that a rounded affine may be off. */
const OFF = 1e-2;

function sameGrid(images: ImageSet, others: ImageSet): void {
  const sizes = ({ shape }: ImageSet) => shape.slice(0, -1).join();
  const isOff = (row: number) => {
    const [affine, other] = [images, others].map(({ affines }) => affines[row]?.flat());
    const isElsewhere = affine?.some((value, at) => !(Math.abs(value - (other?.[at] ?? Number.NaN)) <= OFF));
    return isElsewhere || images.frames[row] !== others.frames[row];
  };
  const row = sizes(images) === sizes(others) ? others.files.findIndex((_, at) => isOff(at)) : 0;
  if (row < 0 && images.files.length === others.files.length) return;
  const got = phrase('another size, place, spacing or direction');
  const message = sentence(AN_IMAGE, 'be on the grid of the first image of its case', got);
  throw new InvalidDataError(message, { code: 'mixed_grids', file: others.files[Math.max(0, row)] });
}

/** Channels of several files, side by side. */
function joined(images: readonly ImageSet[]): RowSource {
  const width = images.length;
  return {
    length: images[0].X.length,
    warnings: [...new Set(images.flatMap(({ X }) => X.warnings ?? []))],
    async take(indices) {
      const parts = (await Promise.all(images.map(({ X }) => X.take(indices)))) as Dense[];
      const shape = [...parts[0].shape.slice(0, -1), width];
      const data = new Float32Array(product(shape));
      for (const [channel, part] of parts.entries()) {
        for (let at = 0; at < part.data.length; at++) data[at * width + channel] = part.data[at];
      }
      return { data, shape };
    },
  };
}
