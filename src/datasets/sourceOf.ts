/** The bytes that a loader reads: of `path`, or of the published file. */
import { readBytes } from '#io';
import type { Dataset } from './dataset.js';
import { type DownloadOptions, download } from './download.js';
import { type PublishedFile, sha256Of } from './publishedFile.js';

interface Source {
  readonly bytes: Uint8Array;
  /** Who is spoken of in messages. */
  readonly name: string;
  readonly about: {
    /** A sentence that the description ends with where the data are not the published ones. */
    readonly description: string;
    readonly facts: Pick<Dataset, 'sha256' | 'warnings'>;
  };
}

/**
 * @param opened takes the content out of what `path` may lead to, for example an archive
 */
export async function sourceOf(
  file: PublishedFile,
  { path, ...options }: DownloadOptions & { readonly path: string | URL | undefined },
  opened: (bytes: Uint8Array, name: string) => Promise<Uint8Array> | Uint8Array = (bytes) => bytes,
): Promise<Source> {
  if (path === undefined) {
    const { content, sha256, warnings } = await download(file, options);
    const facts = { sha256, ...(warnings.length > 0 ? { warnings } : {}) };
    return { bytes: content, name: file.content, about: { description: '', facts } };
  }
  const bytes = await opened(await readBytes(path, options.signal), `${path}`);
  const sha256 = await sha256Of(bytes);
  const description =
    sha256 === file.sha256 ? '' : ` These rows are not the published ${file.content}, or not all of it.`;
  return { bytes, name: `${path}`, about: { description, facts: { sha256 } } };
}
