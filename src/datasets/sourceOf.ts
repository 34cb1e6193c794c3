/** The bytes that a loader reads: of `path`, or of the published file. */
import { readBytes } from '#io';
import { nameText } from '../core/foreignText.js';
import { sha256Of } from '../core/sha256Of.js';
import type { Dataset } from './dataset.js';
import { type DownloadOptions, download } from './download.js';
import type { PublishedFile } from './publishedFile.js';

export interface Source {
  readonly bytes: Uint8Array;
  /** Who is spoken of in messages. */
  readonly name: string;
  /** A sentence that the description ends with where the data are not the published ones; else empty. */
  readonly remark: string;
  readonly facts: Pick<Dataset, 'sha256' | 'warnings'>;
}

/** Takes the content out of what `path` may lead to, for example an archive. */
type Opened = (bytes: Uint8Array, name: string) => Promise<Uint8Array> | Uint8Array;

/** What is at `path`, or the published file. */
export async function sourceOf(
  file: PublishedFile,
  { path, ...options }: DownloadOptions & { readonly path: string | URL | undefined },
  opened?: Opened,
): Promise<Source> {
  if (path !== undefined) return atPath(path, file, options.signal, opened);
  const { content, sha256, warnings } = await download(file, options);
  const facts = { sha256, ...(warnings.length > 0 ? { warnings } : {}) };
  return { bytes: content, name: file.content, remark: '', facts };
}

/** What is at `path`. It may be another file than the published one; `remark` says so. */
export async function atPath(
  path: string | URL,
  published: Pick<PublishedFile, 'content' | 'sha256'>,
  signal: AbortSignal | undefined,
  opened: Opened = (bytes) => bytes,
): Promise<Source> {
  const name = nameText(`${path}`.split(/[/\\]/).at(-1) ?? '');
  const bytes = await opened(await readBytes(path, signal), name);
  const sha256 = await sha256Of(bytes);
  const isPublished = sha256 === published.sha256;
  const remark = isPublished ? '' : ` These rows are not the published ${published.content}, or not all of it.`;
  return { bytes, name, remark, facts: { sha256 } };
}
