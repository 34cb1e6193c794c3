/** How the pixels of a DICOM are stored, and what becomes of them: its header, checked. */
import type { DataSet } from 'dicom-parser';
import type { Syntax } from './dicomFrames.js';
import type { ImageOptions, Refuse } from './imageFile.js';
import type { Curve, PixelFormat, Rescale, ValueWindow } from './pixelValues.js';

/** Photometric interpretations by what is done about them. */
const GREY = ['MONOCHROME1', 'MONOCHROME2'];
const COLOUR = ['RGB', 'YBR_FULL', 'YBR_FULL_422', 'YBR_ICT', 'YBR_RCT'];

/** Those of colour that a codec may have (PS3.5 section 8.2). */
const COLOUR_OF: Readonly<Record<NonNullable<Syntax['codec']> | 'none', readonly string[]>> = {
  none: ['RGB', 'YBR_FULL'],
  rle: ['RGB', 'YBR_FULL'],
  lossless: ['RGB', 'YBR_FULL'],
  jpegLs: ['RGB', 'YBR_FULL'],
  jpeg: ['RGB', 'YBR_FULL', 'YBR_FULL_422'],
  jpeg2000: ['RGB', 'YBR_FULL', 'YBR_ICT', 'YBR_RCT'],
  htj2k: ['RGB', 'YBR_FULL', 'YBR_ICT', 'YBR_RCT'],
};

/** @throws {InvalidDataError} with code `unreadable_image` for what cannot be read, or would be read as other numbers */
export function formatOf(header: DataSet, syntax: Syntax, invert: boolean, refuse: Refuse): PixelFormat {
  const [height, width] = [header.uint16('x00280010'), header.uint16('x00280011')];
  const channels = header.uint16('x00280002');
  const allocated = header.uint16('x00280100');
  const stored = header.uint16('x00280101');
  const highBit = header.uint16('x00280102') ?? (stored ?? 0) - 1;
  const sign = header.uint16('x00280103');
  const planar = header.uint16('x00280006');
  const photometric = header.string('x00280004')?.trim();
  if (!height || !width) throw refuse('have rows and columns', 'a header without them');
  if (channels === undefined || !photometric) {
    throw refuse('say how many channels it has and what they mean', 'no SamplesPerPixel or PhotometricInterpretation');
  }
  const known = channels === 1 ? GREY.includes(photometric) : channels === 3 && COLOUR.includes(photometric);
  const what = photometric.replace(/[^A-Z0-9_ ]/g, '?');
  if (!known) {
    throw refuse(`be grey (${GREY.join(', ')}) or colour (${COLOUR.join(', ')})`, `${what} with ${channels} channels`);
  }
  if (allocated !== 8 && allocated !== 16) throw refuse('have 8 or 16 bits per pixel', `${allocated}`);
  if (!stored || stored > allocated || highBit >= allocated || highBit < stored - 1) {
    throw refuse(
      `store its pixels in ${allocated} bits`,
      stored ? `${stored} bits up to bit ${highBit}` : 'no BitsStored',
    );
  }
  if (channels === 3 && planar !== 0 && planar !== 1) {
    throw refuse('say how its channels are laid down', 'no PlanarConfiguration of 0 or 1');
  }
  if (sign !== 0 && sign !== 1) throw refuse('say whether its pixels have a sign', 'no PixelRepresentation of 0 or 1');
  if (channels === 3 && sign === 1) throw refuse('have colours without a sign', 'colours with one');
  const { codec } = syntax;
  if (channels === 3 && allocated === 16 && codec === 'lossless')
    throw refuse('have colours of 8 bits in lossless JPEG', '16');
  if (codec && codec !== 'rle' && highBit !== stored - 1) {
    throw refuse('have its lowest bit at place 0 where it is compressed', `${stored} bits up to bit ${highBit}`);
  }
  if (channels === 3 && !COLOUR_OF[codec ?? 'none'].includes(photometric)) {
    const way = codec ? `in ${codec}` : 'without compression';
    throw refuse(`have colours as ${COLOUR_OF[codec ?? 'none'].join(', ')} ${way}`, what);
  }
  return {
    height,
    width,
    channels: channels as 1 | 3,
    allocated,
    stored,
    highBit,
    signed: sign === 1,
    inverted: invert && photometric === 'MONOCHROME1',
    // The decoder of JPEG turns colour into red, green and blue itself; that of JPEG 2000 where the stream says so.
    ybr: photometric === 'YBR_FULL' && codec !== 'jpeg',
    colourTransform: photometric === 'YBR_ICT' || photometric === 'YBR_RCT',
    planar: planar === 1 && !codec,
  };
}

const CURVES: readonly Curve[] = ['LINEAR', 'LINEAR_EXACT', 'SIGMOID'];

/** None, one for all frames, or one for each. */
export function windowsOf(
  header: DataSet,
  frames: number,
  { window }: ImageOptions,
  refuse: Refuse,
): readonly ValueWindow[] {
  if (window === undefined) return [];
  if (window !== 'file') return [{ ...window, curve: 'LINEAR' }];
  const own = windowIn(header, refuse);
  if (own) return [own];
  const found = byFrame(header, frames, 'x00289132', (item) => windowIn(item, refuse));
  if (found.every((one) => one !== undefined)) return found as ValueWindow[];
  throw refuse('name its window', 'none');
}

function windowIn(data: DataSet | undefined, refuse: Refuse): ValueWindow | undefined {
  const center = decimal(data, 'x00281050', refuse);
  const width = decimal(data, 'x00281051', refuse);
  if (center === undefined || width === undefined) return undefined;
  const named = data?.string('x00281056')?.trim() || 'LINEAR';
  const curve = CURVES.find((each) => each === named);
  if (!curve) throw refuse(`have a window of ${CURVES.join(', ')}`, 'another function');
  if (!(width > (curve === 'LINEAR' ? 1 : 0))) throw refuse('have a window wider than 1', String(width));
  return { center, width, curve };
}

/** Of all frames, or one for each: an enhanced DICOM has them by frame. */
export function rescalesOf(
  header: DataSet,
  frames: number,
  { values }: ImageOptions,
  refuse: Refuse,
): readonly Rescale[] {
  if (values === 'stored') return [AS_STORED];
  if (header.elements.x00283000?.items?.length) {
    throw refuse("have a rescale slope, or be read with values: 'stored'", 'a table of values (Modality LUT)');
  }
  const own = rescaleIn(header, refuse);
  if (own) return [own];
  const found = byFrame(header, frames, 'x00289145', (item) => rescaleIn(item, refuse));
  if (found.every((one) => one === undefined)) return [AS_STORED];
  if (found.every((one) => one !== undefined)) return found as Rescale[];
  const without = found.indexOf(undefined);
  throw refuse('have a rescale slope for every frame, or for none', `none for frame ${without}`);
}

const AS_STORED: Rescale = { slope: 1, intercept: 0 };

export const changesNothing = ({ slope, intercept }: Rescale): boolean => slope === 1 && intercept === 0;

function rescaleIn(data: DataSet | undefined, refuse: Refuse): Rescale | undefined {
  const slope = decimal(data, 'x00281053', refuse);
  const intercept = decimal(data, 'x00281052', refuse);
  if (slope === undefined && intercept === undefined) return undefined;
  if (slope !== undefined && intercept !== undefined && slope !== 0) return { slope, intercept };
  const got = slope === 0 ? 'a slope of 0' : slope === undefined ? 'an intercept alone' : 'a slope alone';
  throw refuse("have both rescale slope and intercept, or be read with values: 'stored'", got);
}

/** What the functional groups of each frame say, or those that all share (PS3.3 C.7.6.16). */
function byFrame<T>(header: DataSet, frames: number, tag: string, of: (item: DataSet | undefined) => T | undefined) {
  const inGroup = (group: DataSet | undefined) => of(group?.elements[tag]?.items?.[0]?.dataSet);
  const shared = inGroup(header.elements.x52009229?.items?.[0]?.dataSet);
  const each = header.elements.x52009230?.items ?? [];
  return Array.from({ length: frames }, (_, at) => inGroup(each[at]?.dataSet) ?? shared);
}

/** The first number of a text of decimals (VR DS): dicom-parser would read `1,5` as 1. */
function decimal(data: DataSet | undefined, tag: string, refuse: Refuse): number | undefined {
  const text = data?.string(tag, 0)?.trim();
  if (!text) return undefined;
  const value = /^[+-]?(\d+(\.\d*)?|\.\d+)(E[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw refuse('have numbers in its window and rescale', 'another text');
}
