import { CVKitError, messageOf, phrase, sentence } from '../core/errors.js';
import { wholeNumber } from '../core/format.js';

/** What has come of a file, in this try and in earlier ones: a download adds to it, or begins it anew. */
export interface Begun {
  parts: Uint8Array[];
  /** Strong ETag or date of the version that the bytes are of; undefined where the server named none. */
  validator: string | undefined;
}

interface Request {
  readonly url: string;
  readonly name: string;
  readonly begun: Begun;
  readonly most: number;
  /** When the download began, in milliseconds of `performance.now()`: tries share the seconds for the whole. */
  readonly began: number;
  /** Seconds for the whole, and without a byte. */
  readonly timeout: number;
  readonly stallTimeout: number;
  readonly signal: AbortSignal | undefined;
}

const MOST_REDIRECTS = 5;

export async function fetchBytes(request: Request): Promise<{ bytes: Uint8Array; resumed: boolean }> {
  const { name, url, timeout, stallTimeout, signal } = request;
  const limit = new AbortController();
  const ended = AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]);
  ended.throwIfAborted();
  const late = (seconds: number, got: string) => () =>
    limit.abort(failed(request, `be there within ${seconds} s`, got, 'download_timeout'));
  const remaining = request.began + timeout * 1000 - performance.now();
  const whole = setTimeout(late(timeout, 'a download that takes longer'), remaining);
  let stalled: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(stalled);
    stalled = setTimeout(late(stallTimeout, 'no byte in that time'), stallTimeout * 1000);
  };
  try {
    heard();
    return await transfer(request, ended, heard);
  } catch (error) {
    ended.throwIfAborted();
    if (error instanceof CVKitError) throw error;
    // `fetch failed` says nothing; what it was lies beneath.
    const { cause = error } = error as { cause?: unknown };
    const got = `no connection, or one that ended too early: ${messageOf(cause) || String((cause as { code?: unknown }).code)}`;
    throw failed(request, `come from ${url}`, got, 'download_failed', error);
  } finally {
    clearTimeout(whole);
    clearTimeout(stalled);
    // A body that was not read to its end keeps its connection otherwise.
    limit.abort(new CVKitError(`${name} is done.`));
  }
}

async function transfer(request: Request, signal: AbortSignal, heard: () => void) {
  const { begun, most } = request;
  const kept = lengthOf(begun.parts);
  const response = await get(request, signal, kept > 0 ? rangeFrom(kept, begun.validator) : {});
  const resumed = response.status === 206 && startOf(response) === kept;
  // The server no longer has that version or that place, or it sends another part than it was asked for.
  if (kept > 0 && !resumed && [206, 412, 416].includes(response.status)) {
    await response.body?.cancel();
    begun.parts = [];
    return transfer(request, signal, heard);
  }
  if (!resumed && response.status !== 200) {
    throw failed(request, `come from ${request.url} with status 200`, `status ${response.status}`, 'download_failed');
  }
  if (!resumed) Object.assign(begun, { parts: [], validator: validatorOf(response) });
  let length = resumed ? kept : 0;
  // Of a compressed body the length tells nothing: it is unpacked on the way.
  const declared = response.headers.get('content-encoding') ? null : response.headers.get('content-length');
  const expected = declared === null ? undefined : length + Number(declared);
  const reader = response.body?.getReader();
  for (;;) {
    heard();
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) break;
    length += value.length;
    if (length > most) {
      begun.parts = [];
      throw failed(request, `have at most ${wholeNumber(most)} bytes`, 'more', 'download_failed');
    }
    begun.parts.push(value);
  }
  if (expected !== undefined && length < expected) {
    const got = `${wholeNumber(length)} of ${wholeNumber(expected)} bytes`;
    throw failed(request, `come whole from ${request.url}`, got, 'download_failed');
  }
  const bytes = new Uint8Array(await new Blob(begun.parts as BlobPart[]).arrayBuffer());
  return { bytes, resumed: resumed && kept > 0 };
}

const lengthOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, { length }) => sum + length, 0);

const rangeFrom = (kept: number, validator: string | undefined): Record<string, string> => ({
  range: `bytes=${kept}-`,
  ...(validator === undefined ? {} : { 'if-range': validator }),
});

const startOf = (response: Response) => Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]);

/** What a later `If-Range` may hold: a strong ETag, or a date (RFC 9110, 13.1.5). */
function validatorOf({ headers }: Response): string | undefined {
  const etag = headers.get('etag');
  return (etag?.startsWith('"') ? etag : headers.get('last-modified')) ?? undefined;
}

async function get(request: Request, signal: AbortSignal, headers: Record<string, string>): Promise<Response> {
  let url = new URL(request.url);
  for (let followed = 0; ; followed++) {
    // Packed bodies cannot be resumed; browsers do not let a page say so, and ignore it.
    const init = { signal, headers: { 'accept-encoding': 'identity', ...headers } };
    const response = await fetch(url, { ...init, redirect: 'manual' });
    // Pages do not see where a redirect leads; the browser keeps them from leaving HTTPS.
    if (response.type === 'opaqueredirect') return fetch(url, init);
    const place = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || place === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(place, url) ? new URL(place, url) : undefined;
    if (followed >= MOST_REDIRECTS) {
      throw failed(request, `come after at most ${MOST_REDIRECTS} redirects`, 'one more', 'download_redirect');
    }
    if (!next || !mayFollow(url, next)) {
      const got = `a redirect to ${next ? `${next.protocol}//${next.host}` : 'no address'}`;
      throw failed(request, 'come over HTTPS all the way', got, 'download_redirect');
    }
    url = next;
  }
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

const mayFollow = (from: URL, to: URL) =>
  (from.protocol === 'https:' && to.protocol === 'https:') ||
  (LOOPBACK.includes(from.hostname) && to.hostname === from.hostname && to.protocol === from.protocol);

function failed(request: Request, must: string, got: string, code: string, cause?: unknown): CVKitError {
  const way = `Call again, or download ${request.name} from ${request.url} by other means and give its place as \`path\`.`;
  return new CVKitError(sentence(`The file ${request.name}`, must, phrase(got), way), { code, cause });
}
