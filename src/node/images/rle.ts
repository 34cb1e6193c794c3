/** RLE of DICOM: PS3.5 Annex G. */

/**
 * Pixels of one frame. Each segment holds one byte of all pixels, the highest byte first, channel after channel.
 *
 * @param encoded the fragment of one frame: a header of 64 bytes, then the segments
 * @param pixels pixels of the frame
 * @param channels 1 or 3
 * @param bytesEach bytes of a pixel in one channel
 * @returns bytes of the frame, the lower first, channels side by side
 * @throws {RangeError} when segments are missing, or end early
 */
export function decodeRle(encoded: Uint8Array, pixels: number, channels: number, bytesEach: number): Uint8Array {
  const header = new DataView(encoded.buffer, encoded.byteOffset, encoded.length);
  if (encoded.length < 64 || header.getUint32(0, true) !== channels * bytesEach) {
    throw new RangeError('the number of RLE segments is not that of the bytes of a pixel');
  }
  const step = channels * bytesEach;
  const out = new Uint8Array(pixels * step);
  for (let segment = 0; segment < step; segment++) {
    const from = header.getUint32(4 + 4 * segment, true);
    const to = segment + 1 < step ? header.getUint32(8 + 4 * segment, true) : encoded.length;
    const channel = Math.floor(segment / bytesEach);
    const place = channel * bytesEach + (bytesEach - 1 - (segment % bytesEach));
    unpack(encoded.subarray(from, to), out, place, step, pixels);
  }
  return out;
}

/** One segment (PackBits) into every `step`-th byte of `out`. */
function unpack(segment: Uint8Array, out: Uint8Array, place: number, step: number, pixels: number): void {
  let [at, done] = [0, 0];
  while (done < pixels && at < segment.length) {
    const control = segment[at++];
    if (control === 128) continue;
    const run = control > 128;
    const length = Math.min(run ? 257 - control : control + 1, pixels - done);
    if (at + (run ? 1 : length) > segment.length) break;
    for (let i = 0; i < length; i++) out[(done + i) * step + place] = segment[run ? at : at + i];
    at += run ? 1 : control + 1;
    done += length;
  }
  if (done < pixels) throw new RangeError('an RLE segment ends early');
}
