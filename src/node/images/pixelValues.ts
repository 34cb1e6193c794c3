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
  /** Colour as luminance and two differences: YBR_FULL. */
  readonly ybr: boolean;
  /** Channels one after the other. */
  readonly planar: boolean;
}

/** slope * stored + intercept. */
export interface Rescale {
  readonly slope: number;
  readonly intercept: number;
}

type Stored = Uint8Array | Uint16Array;

/** Bytes of one frame as numbers without sign; pairs of bytes begin with the lower one, or are turned in place. */
export function storedPixels(bytes: Uint8Array, allocated: number, bigEndian = false): Stored {
  if (allocated === 8) return bytes;
  if (bigEndian) Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).swap16();
  const even = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(even.buffer, even.byteOffset, Math.floor(even.length / 2));
}

/** Writes the numbers of one frame to `out`. Colour is not rescaled: it has no unit. */
export function writeValues(
  pixels: Stored,
  format: PixelFormat,
  { slope, intercept }: Rescale,
  window: ImageWindow | undefined,
  out: Float32Array,
): void {
  if (format.channels === 3) {
    writeColour(pixels, format, out);
    return;
  }
  const { stored, highBit, signed, inverted } = format;
  const [left, right] = [31 - highBit, 32 - stored];
  // A turned pixel is lowest + highest - pixel, which for stored bits with a sign is -1 - pixel. A window is turned after it.
  const turned = inverted && !window;
  const sum = signed ? -1 : 2 ** stored - 1;
  const factor = turned ? -slope : slope;
  const offset = turned ? slope * sum + intercept : intercept;
  if (signed) for (let i = 0; i < out.length; i++) out[i] = ((pixels[i] << left) >> right) * factor + offset;
  else for (let i = 0; i < out.length; i++) out[i] = ((pixels[i] << left) >>> right) * factor + offset;
  if (window) applyWindow(out, window, inverted);
}

/** The linear function of PS3.3 C.11.2.1.2.1, with output from 0 to 1. */
function applyWindow(out: Float32Array, { center, width }: ImageWindow, inverted: boolean): void {
  for (let i = 0; i < out.length; i++) {
    const share = Math.min(1, Math.max(0, (out[i] - (center - 0.5)) / (width - 1) + 0.5));
    out[i] = inverted ? 1 - share : share;
  }
}

function writeColour(pixels: Stored, { ybr, planar, stored }: PixelFormat, out: Float32Array): void {
  const n = out.length / 3;
  const [next, step] = planar ? [n, 1] : [1, 3];
  const middle = 2 ** (stored - 1);
  const most = 2 ** stored - 1;
  const within = (value: number) => Math.min(most, Math.max(0, Math.round(value)));
  for (let i = 0; i < n; i++) {
    const [a, b, c] = [pixels[i * step], pixels[i * step + next], pixels[i * step + 2 * next]];
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
