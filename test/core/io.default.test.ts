import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { cacheHome, readBytes, readText, terminal } from '../../src/core/io.default.js';

let server: Server;
let address: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/data.csv') response.end('age,µg\n61,3\n');
    else response.writeHead(404).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown as CVKitError,
  );

describe('readText without Node', () => {
  it('fetches a URL as UTF-8', async () => {
    expect(await readText(`${address}/data.csv`)).toBe('age,µg\n61,3\n');
  });

  it('says what the server answered', async () => {
    const error = await failure(readText(`${address}/none.csv`));
    expect(error).toBeInstanceOf(CVKitError);
    expect(error?.code).toBe('unreadable_file');
    expect(error?.message).toBe(`\`path\` must be a URL that can be fetched. Got status 404 from ${address}/none.csv.`);
  });

  it('keeps the cause when there is no server', async () => {
    const error = await failure(readText('http://127.0.0.1:1/data.csv'));
    expect(error?.code).toBe('unreadable_file');
    expect(error?.cause).toBeInstanceOf(Error);
  });

  it("throws the signal's reason once aborted", async () => {
    const reason = new Error('closed');
    await expect(readText(`${address}/data.csv`, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('readBytes without Node', () => {
  it('fetches what is behind a URL, with the errors of readText', async () => {
    expect(new TextDecoder().decode(await readBytes(new URL(`${address}/data.csv`)))).toBe('age,µg\n61,3\n');
    expect((await failure(readBytes(`${address}/none.csv`)))?.code).toBe('unreadable_file');
  });
});

describe('cacheHome without Node', () => {
  it('is nowhere', () => expect(cacheHome()).toBeUndefined());
});

describe('the terminal without Node', () => {
  it('logs whole lines, and nothing for a bare line end', () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    try {
      terminal.write('fold 1\n');
      terminal.write('\n');
      expect(log.mock.calls).toEqual([['fold 1']]);
    } finally {
      log.mockRestore();
    }
    expect(terminal.isTTY).toBe(false);
    expect(terminal.columns).toBe(80);
  });
});
