/** How much of a file may be unpacked, so that a small one cannot fill the memory: the same for tables and images. Needs no Node. */
import { integer, number } from './options.js';

/** What any file may unpack to: so much harms nobody, and zeros alone pack a thousand to one. */
const FREE = 2 ** 26;

export const limitOptions = {
  maxBytes: integer({ min: 1 })
    .default(2 ** 32)
    .describe('Most bytes of a file that is taken into memory, as they are after unpacking.'),
  maxRatio: number({ min: 1 })
    .default(200)
    .describe(
      'How many bytes one byte of a packed file may become, beyond 64 MB for the whole. Files that are made to fill the memory reach 1000 and more.',
    ),
};

export interface UnpackLimits {
  readonly maxBytes: number;
  readonly maxRatio: number;
}

/** Most bytes that a packed file of `size` bytes may become, and the words that a refusal says it with. */
export function mostUnpacked(size: number, { maxBytes, maxRatio }: UnpackLimits): { most: number; must: string } {
  const byRatio = Math.max(FREE, maxRatio * size);
  const [most, option] = byRatio < maxBytes ? [byRatio, 'maxRatio'] : [maxBytes, 'maxBytes'];
  return { most, must: `unpack to at most ${most} bytes, as \`${option}\` says` };
}
