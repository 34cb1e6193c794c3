/** Windows along one row of pixels. */
import type { WindowLayout } from '../../adapters/tfjs/kernels/windows.js';

/** One row of 3 pixels of one channel and windows of 2, padded at the end: {0, 1}, {1, 2} and {2} alone. */
export const windowsOf = (parts: Partial<WindowLayout> = {}): WindowLayout => ({
  batch: 1,
  channels: 1,
  outChannels: 1,
  input: [1, 1, 3],
  output: [1, 1, 3],
  filter: [1, 1, 2],
  strides: [1, 1, 1],
  dilations: [1, 1, 1],
  before: [0, 0, 0],
  ...parts,
});
