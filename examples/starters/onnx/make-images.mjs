/** Writes pictures to try the study with, drawings of chests and no X-rays: three of each of 40 invented patients. */
import { mkdir, writeFile } from 'node:fs/promises';
import { randomSource } from 'cvkit';
import { encode } from 'fast-png';
import { chestDrawings } from './node_modules/cvkit/models/scripts/chestDrawings.mjs';

const { X, y } = chestDrawings(randomSource(7), { n: 120 });
for (const label of ['normal', 'opacity']) await mkdir(`images/${label}`, { recursive: true });
for (const [row, code] of y.entries()) {
  const pixels = Uint8Array.from(X.data.subarray(row * 784, (row + 1) * 784), (value) => Math.round(255 * value));
  const png = encode({ width: 28, height: 28, data: pixels, channels: 1 });
  const patient = `p${String((row % 40) + 1).padStart(2, '0')}`;
  await writeFile(`images/${code === 1 ? 'opacity' : 'normal'}/${patient}_${Math.floor(row / 40) + 1}.png`, png);
}
