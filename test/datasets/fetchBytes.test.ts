import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { type Begun, fetchBytes } from '../../src/datasets/fetchBytes.js';
import { fileServer, honest, stalled } from '../helpers/fileServer.js';

const BYTES = new TextEncoder().encode(Array.from({ length: 3000 }, (_, at) => `line ${at}\n`).join(''));

const server = fileServer();
beforeEach(() => void server.asked.splice(0));

const begunWith = (kept = new Uint8Array(0), validator?: string): Begun => ({
  parts: kept.length > 0 ? [kept] : [],
  validator,
});
/** What has come, as one list. */
const cameOf = ({ parts, validator }: Begun) => ({ bytes: parts.flatMap((part) => [...part]), validator });

const get = (more: Partial<Parameters<typeof fetchBytes>[0]> = {}) =>
  fetchBytes({
    ...{ url: `${server.address}/data.csv`, name: 'data.csv', begun: begunWith(), most: 1e6 },
    ...{ began: performance.now(), timeout: 20, stallTimeout: 20, signal: undefined },
    ...more,
  });

async function failure(work: Promise<unknown>): Promise<CVKitError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CVKitError);
  return error as CVKitError;
}
const said = (error: CVKitError) => error.message.replaceAll(server.address, 'http://host');

describe('a download', () => {
  it('gives the bytes, with the version that the server names', async () => {
    server.answer = honest(BYTES);
    const begun = begunWith();
    expect(await get({ begun })).toEqual({ bytes: BYTES, resumed: false });
    expect(cameOf(begun)).toEqual({ bytes: [...BYTES], validator: '"v1"' });
    expect(server.asked[0]).toMatchObject({ 'accept-encoding': 'identity' });
    expect(server.asked[0].range).toBeUndefined();
  });

  it('takes a date where there is no ETag, or a weak one, which no range may name', async () => {
    const date = 'Wed, 21 Oct 2015 07:28:00 GMT';
    server.answer = (_, response) => void response.writeHead(200, { etag: 'W/"v1"', 'last-modified': date }).end('x');
    const begun = begunWith();
    await get({ begun });
    expect(begun.validator).toBe(date);
  });
});

describe('after half a file', () => {
  const KEPT = BYTES.slice(0, 1000);

  it('begins anew where the server has another version, or knows no ranges', async () => {
    for (const answer of [honest(BYTES, '"v2"'), ((_, response) => void response.end(BYTES)) as typeof server.answer]) {
      server.answer = answer;
      const begun = begunWith(KEPT, '"v1"');
      expect(await get({ begun })).toEqual({ bytes: BYTES, resumed: false });
      expect(cameOf(begun).bytes).toEqual([...BYTES]);
    }
  });

  it('begins anew where the half file is longer than the file', async () => {
    server.answer = honest(BYTES.subarray(0, 500));
    const begun = begunWith(KEPT, '"v1"');
    expect(await get({ begun })).toEqual({ bytes: BYTES.slice(0, 500), resumed: false });
    expect(server.asked.map(({ range }) => range)).toEqual(['bytes=1000-', undefined]);
  });

  it('begins anew where another part comes than was asked for', async () => {
    server.answer = (_, response, place) => {
      if (place > 0) response.end(BYTES);
      else response.writeHead(206, { 'content-range': `bytes 10-${BYTES.length - 1}/${BYTES.length}` }).end(BYTES);
    };
    expect(await get({ begun: begunWith(KEPT, '"v1"') })).toEqual({ bytes: BYTES, resumed: false });
  });
});

describe('what goes wrong', () => {
  it('a body that is shorter than its length says, where the client lets that pass', async () => {
    const headers = { 'content-length': '10' };
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('12345', { headers }));
    const error = await failure(get());
    fetched.mockRestore();
    expect([error.code, said(error)]).toEqual(['download_failed', expect.stringContaining('5 of 10 bytes')]);
  });

  it('no server', async () => {
    const error = await failure(get({ url: 'http://127.0.0.1:1/data.csv' }));
    expect(error.code).toBe('download_failed');
    expect(error.message).toBe(
      'The file data.csv must come from http://127.0.0.1:1/data.csv. Got no connection, or one that ended too early: ' +
        `${(error.cause as Error & { cause: Error }).cause.message}. Call again, or download data.csv from ` +
        'http://127.0.0.1:1/data.csv by other means and give its place as `path`.',
    );
  });

  it.each([404, 503])('status %i', async (status) => {
    server.answer = (_, response) => void response.writeHead(status).end('<html>no</html>');
    const begun = begunWith(BYTES.slice(0, 10), '"v1"');
    expect(said(await failure(get({ begun })))).toBe(
      `The file data.csv must come from http://host/data.csv with status 200. Got status ${status}. Call again, or download ` +
        'data.csv from http://host/data.csv by other means and give its place as `path`.',
    );
    expect(cameOf(begun)).toEqual({ bytes: [...BYTES.subarray(0, 10)], validator: '"v1"' });
  });

  it('no byte for too long, at the beginning and in the middle', async () => {
    for (const answer of [() => undefined, stalled(BYTES, 700)]) {
      server.answer = answer;
      const error = await failure(get({ stallTimeout: 0.2 }));
      expect(error.code).toBe('download_timeout');
      expect(said(error)).toMatch(
        /^The file data\.csv must be there within 0\.2 s\. Got no byte in that time\. Call again,/,
      );
    }
  });

  it('bytes that come, but too slowly', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-length': BYTES.length });
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    };
    const error = await failure(get({ timeout: 0.3 }));
    expect(error.code).toBe('download_timeout');
    expect(error.message).toContain('must be there within 0.3 s. Got a download that takes longer.');
  });

  it('but not bytes that come slowly and steadily', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-length': 15 });
      let sent = 0;
      const drip = setInterval(() => (++sent < 15 ? response.write('x') : response.end('x')), 100);
      response.on('close', () => clearInterval(drip));
    };
    expect((await get({ stallTimeout: 1 })).bytes.length).toBe(15);
  });

  it('more bytes than the file can have', async () => {
    server.answer = honest(BYTES);
    expect((await failure(get({ most: 1234 }))).message).toContain('must have at most 1,234 bytes. Got more.');
  });

  it('an abort, before and in the middle: the reason of the signal', async () => {
    const reason = new Error('closed');
    await expect(get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const begun = begunWith();
    server.answer = stalled(BYTES, 700);
    const work = get({ signal: controller.signal, begun });
    await vi.waitFor(() => expect(begun.parts).toHaveLength(1));
    controller.abort(reason);
    await expect(work).rejects.toBe(reason);
    expect(cameOf(begun).bytes.length).toBe(700);
  });
});

describe('redirects', () => {
  const to =
    (place: string): typeof server.answer =>
    ({ url }, response) => {
      if (url === '/data.csv') response.writeHead(302, { location: place }).end('moved');
      else response.end(BYTES);
    };

  it('are followed within this machine, from whatever place', async () => {
    server.answer = to('/elsewhere/data.csv');
    expect((await get()).bytes).toEqual(BYTES);
  });

  it('take the range along', async () => {
    const there = honest(BYTES);
    server.answer = (request, response, place) =>
      request.url === '/data.csv' ? to('/there')(request, response, place) : there(request, response, place);
    expect((await get({ begun: begunWith(BYTES.slice(0, 9), '"v1"') })).resumed).toBe(true);
  });

  it('are not followed out of HTTPS or off this machine', async () => {
    for (const place of ['http://data.example.org/data.csv', 'file:///etc/hosts', 'http://localhost:1/data.csv']) {
      server.answer = to(place);
      const error = await failure(get());
      expect(error.code).toBe('download_redirect');
      expect(error.message).toContain('must come over HTTPS all the way. Got a redirect to ');
    }
    expect(server.asked.length).toBe(3);
  });

  it('that lead in a circle end', async () => {
    server.answer = (_, response) => void response.writeHead(301, { location: '/data.csv' }).end();
    const error = await failure(get());
    expect(error.code).toBe('download_redirect');
    expect(error.message).toContain('must come after at most 5 redirects. Got one more.');
    expect(server.asked.length).toBe(6);
  });
});
