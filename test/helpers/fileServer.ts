/** A server of files on loopback that can be told to misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export type Answer = (request: IncomingMessage, response: ServerResponse, place: number) => void;

export interface FileServer {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  /** Headers of the requests so far. */
  readonly asked: IncomingMessage['headers'][];
  /** How requests are answered from now on; `place` counts them from 0. */
  answer: Answer;
}

/** One that listens while the tests around it run. */
export function fileServer(): FileServer {
  const asked: IncomingMessage['headers'][] = [];
  const served: FileServer = {
    get address() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    asked,
    answer: (_, response) => void response.writeHead(404).end(),
  };
  const server = createServer((request, response) => {
    asked.push(request.headers);
    served.answer(request, response, asked.length - 1);
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise<void>((done) => server.close(() => done()));
  });
  return served;
}

/** All bytes, or from where the request says, if its version is still this one. */
export const honest =
  (bytes: Uint8Array, etag = '"v1"'): Answer =>
  ({ headers }, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const isWhole = from === 0 || (headers['if-range'] ?? etag) !== etag;
    if (!isWhole && from >= bytes.length) {
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
      return;
    }
    const body = isWhole ? bytes : bytes.subarray(from);
    const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(isWhole ? 200 : 206, {
      ...{ etag, 'accept-ranges': 'bytes', 'content-length': body.length },
      ...(isWhole ? {} : range),
    });
    response.end(body);
  };

/** The first `sent` bytes, and then the connection ends. */
export const cutOff =
  (bytes: Uint8Array, sent: number, headers: Record<string, string> = { etag: '"v1"' }): Answer =>
  (_, response) => {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.write(bytes.subarray(0, sent), () => setTimeout(() => response.destroy(), 50));
  };

/** The first `sent` bytes, and then nothing, with the connection open. */
export const stalled =
  (bytes: Uint8Array, sent: number): Answer =>
  (_, response) => {
    response.writeHead(200, { etag: '"v1"', 'content-length': bytes.length });
    response.write(bytes.subarray(0, sent));
  };
