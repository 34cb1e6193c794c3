/** A file of ours in the place of a published one. */
import { createHash } from 'node:crypto';
import type { PublishedFile } from '../../src/datasets/publishedFile.js';

export const published = (url: string, content: Uint8Array, more: Partial<PublishedFile> = {}): PublishedFile => ({
  ...{ name: url.slice(url.lastIndexOf('/') + 1), url, content: 'data.csv', size: content.length },
  sha256: createHash('sha256').update(content).digest('hex'),
  ...more,
});
