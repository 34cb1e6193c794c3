/** From stored pixels to the numbers of a row: bits and sign, rescale, inversion, window, colour. DICOM PS3.3 C.7.6.3, C.11. */
import type { ImageWindow } from './readImagesOptions.js';

/** How pixels are stored, and what becomes of them. */
export interface PixelFormat {
  readonly height: number;
  readonly width: number;
  readonly channels: 1 | 3;
  /** 8 or 16. */
  readonly allocated: number;
  readonly stored: number;
  readonly highBit: number;
  readonly signed: boolean;
  /** Pixels are turned: MONOCHROME1. */
  readonly inverted: boolean;
  /** Colour as luminance and two differences, which no decoder turns: YBR_FULL. */
  readonly ybr: boolean;
  /** Colour that the stream of JPEG 2000 must turn: YBR_ICT, YBR_RCT. */
  readonly colourTransform: boolean;
  /** Channels one after the other. */
  readonly planar: boolean;
}

/** slope * stored + intercept. */
export interface Rescale {
  readonly slope: number;
  readonly intercept: number;
}

/** How a window maps values: PS3.3 C.11.2.1.2 and C.11.2.1.3. */
export type Curve = 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';

export interface ValueWindow extends ImageWindow {
  readonly curve: Curve;
}

type Stored = Uint8Array | Uint16Array;

/** Bytes of one frame as numbers without sign; pairs of bytes begin with the lower one, or are swapped in place. */
export function storedPixels(bytes: Uint8Array, allocated: number, swapped = false): Stored {
  if (swapped) Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).swap16();
  if (allocated === 8) return bytes;
  const even = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(even.buffer, even.byteOffset, Math.floor(even.length / 2));
}

/** Writes the numbers of one frame to `out`. Colour is not rescaled: it has no unit. */
export function writeValues(
  pixels: Stored,
  format: PixelFormat,
  { slope, intercept }: Rescale,
  window: ValueWindow | undefined,
  out: Float32Array,
): void {
  if (format.channels === 3) {
    writeColour(pixels, format, out);
    return;
  }
  const { stored, highBit, signed, inverted } = format;
  const [left, right] = [31 - highBit, 32 - stored];
  const [low, most] = [highBit + 1 - stored, 2 ** stored - 1];
  // A turned pixel is lowest + highest - pixel, which for stored bits with a sign is -1 - pixel. A window is turned after it.
  const turned = inverted && !window;
  const sum = signed ? -1 : 2 ** stored - 1;
  const factor = turned ? -slope : slope;
  const offset = turned ? slope * sum + intercept : intercept;
  if (signed) for (let i = 0; i < out.length; i++) out[i] = ((pixels[i] << left) >> right) * factor + offset;
  else for (let i = 0; i < out.length; i++) out[i] = ((pixels[i] >> low) & most) * factor + offset;
  if (window) applyWindow(out, window, inverted);
}

const LEVELS: Readonly<Record<Curve, (value: number, center: number, width: number) => number>> = {
  LINEAR: (value, center, width) => (value - (center - 0.5)) / (width - 1) + 0.5,
  LINEAR_EXACT: (value, center, width) => (value - center) / width + 0.5,
  SIGMOID: (value, center, width) => 1 / (1 + Math.exp((-4 * (value - center)) / width)),
};

/** The functions of PS3.3 C.11.2.1, with output from 0 to 1. */
function applyWindow(out: Float32Array, { center, width, curve }: ValueWindow, inverted: boolean): void {
  const level = LEVELS[curve];
  for (let i = 0; i < out.length; i++) {
    const share = Math.min(1, Math.max(0, level(out[i], center, width)));
    out[i] = inverted ? 1 - share : share;
  }
}

function writeColour(pixels: Stored, { ybr, planar, stored, highBit }: PixelFormat, out: Float32Array): void {
  const n = out.length / 3;
  const [next, step] = planar ? [n, 1] : [1, 3];
  const middle = 2 ** (stored - 1);
  const most = 2 ** stored - 1;
  const low = highBit + 1 - stored;
  const within = (value: number) => Math.min(most, Math.max(0, Math.round(value)));
  for (let i = 0; i < n; i++) {
    const at = i * step;
    const a = (pixels[at] >> low) & most;
    const b = (pixels[at + next] >> low) & most;
    const c = (pixels[at + 2 * next] >> low) & most;
    if (!ybr) {
      out[3 * i] = a;
      out[3 * i + 1] = b;
      out[3 * i + 2] = c;
    } else {
      // PS3.3 C.7.6.3.1.2, solved for red, green and blue.
      const [blue, red] = [b - middle, c - middle];
      out[3 * i] = within(a + 1.402 * red);
      out[3 * i + 1] = within(a - 0.344136 * blue - 0.714136 * red);
      out[3 * i + 2] = within(a + 1.772 * blue);
    }
  }
}
